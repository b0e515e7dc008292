import { without } from '../endpoint';
import { byDate, byExistence, byPart, byReference, filtered } from '../filters';
import { columnIri, iriOf } from '../iris';
import type { Workspace } from '../records';
import { endpointsOf } from '../resource';
import type { Switches } from '../switches';

function showColumns(workspace: Workspace, form: Switches['columns']) {
	return workspace.columns.map((column) => {
		const iri = columnIri(workspace.id, column.id);
		return form === 'iris' ? iri : { '@id': iri, '@type': 'Column', ...column };
	});
}

const FILTERS = [
	byPart<Workspace>('title', (workspace) => workspace.title),
	byPart<Workspace>('description', (workspace) => workspace.description),
	// The interface does not say whether the filter takes the owner's ID or IRI.
	byReference<Workspace>('owner', ({ owner }) => [owner, owner?.split('/').at(-1) ?? null]),
	...byDate<Workspace>('createdAt'),
	...byDate<Workspace>('archivedAt'),
	byExistence<Workspace>('archivedAt'),
];

/** The endpoints of interface section 4.2. */
export const workspaces = endpointsOf<Workspace>({
	schema: 'Workspace',
	plural: 'Workspaces',
	iri: ({ id }) => iriOf('workspaces', id),
	show: (workspace, { params, switches: { columns, columnsIn } }) =>
		columnsIn === 'single' && params.id === undefined
			? without({ ...workspace }, 'columns')
			: { ...workspace, columns: showColumns(workspace, columns) },
	all: (call) => filtered([...call.store.workspaces.values()], FILTERS, call),
	find: ({ store, params }) => store.workspaces.get(params.id),
});
