import { componentSchemas, requiredOf } from '../contract';
import { found, without, type Endpoint } from '../endpoint';
import { byDate, byExistence, byPart, byValue, filtered } from '../filters';
import { columnIri, iriOf } from '../iris';
import type { Workspace } from '../records';
import { list, type Shown } from '../representation';
import type { Switches } from '../switches';

const required = requiredOf(componentSchemas.Workspace);

function showColumns(workspace: Workspace, form: Switches['columns']) {
	return workspace.columns.map((column) => {
		const iri = columnIri(workspace.id, column.id);
		return form === 'iris' ? iri : { '@id': iri, '@type': 'Column', ...column };
	});
}

const show =
	(form: Switches['columns']) =>
	(workspace: Workspace): Shown => ({
		iri: iriOf('workspaces', workspace.id),
		type: 'Workspace',
		fields: { ...workspace, columns: showColumns(workspace, form) },
		required,
	});

const withoutColumns =
	(showOne: (workspace: Workspace) => Shown) =>
	(workspace: Workspace): Shown => {
		const shown = showOne(workspace);
		return { ...shown, fields: without(shown.fields, 'columns') };
	};

const FILTERS = [
	byPart<Workspace>('title', (workspace) => workspace.title),
	byPart<Workspace>('description', (workspace) => workspace.description),
	// The interface does not say whether an owner is named by id or by IRI.
	byValue<Workspace>('owner', ({ owner }) => [owner, owner?.split('/').at(-1) ?? null]),
	...byDate<Workspace>('createdAt'),
	...byDate<Workspace>('archivedAt'),
	byExistence<Workspace>('archivedAt'),
];

/** The endpoints of interface section 4.2. */
export const workspaces: Record<string, Endpoint> = {
	listWorkspaces: (call) => {
		const { columns, columnsIn } = call.switches;
		const matching = filtered([...call.store.workspaces.values()], FILTERS, call);
		const showOne = show(columns);
		return list('Workspace', matching, columnsIn === 'single' ? withoutColumns(showOne) : showOne);
	},
	getWorkspace: ({ store, params, switches }) => ({
		kind: 'item',
		item: show(switches.columns)(found(store.workspaces.get(params.id))),
		stored: false,
	}),
};
