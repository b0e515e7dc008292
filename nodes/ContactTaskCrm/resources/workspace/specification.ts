import type { IDataObject } from 'n8n-workflow';
import type { QuerySpecification, RecordSpecification } from '../../runtime/specification';
import { createdAtQuery } from '../createdAt';
import { idIn, listIn, referenceIn } from '../../common/records';

/** What a column is called, though the interface does not show its fields. */
function columnName(column: IDataObject[string]): IDataObject[string] {
	const { title, name } = (
		typeof column === 'object' && column !== null ? column : {}
	) as IDataObject;
	return title ?? name ?? referenceIn(column);
}

/** A workspace, under `/workspaces`. */
export const workspaceRecord: RecordSpecification = {
	noun: 'workspace',
	plural: 'workspaces',
	collection: '/workspaces',
	simplify: (workspace: IDataObject) => ({
		id: idIn(workspace),
		title: workspace.title ?? null,
		description: workspace.description ?? null,
		workspaceType: workspace.workspaceType ?? null,
		privacy: workspace.privacy ?? null,
		owner: referenceIn(workspace.owner),
		currency: workspace.currency ?? null,
		columns: listIn(workspace.columns, columnName),
		createdAt: workspace.createdAt ?? null,
		archivedAt: workspace.archivedAt ?? null,
	}),
};

/** The query of a list of workspaces. */
export const workspaceQuery: QuerySpecification = {
	title: { kind: 'text' },
	description: { kind: 'text' },
	owner: { kind: 'iri', collection: '/users' },
	...createdAtQuery,
	'archivedAt[before]': { kind: 'dateTime', label: 'Archived Before' },
	'archivedAt[strictly_before]': { kind: 'dateTime', label: 'Archived Strictly Before' },
	'archivedAt[after]': { kind: 'dateTime', label: 'Archived After' },
	'archivedAt[strictly_after]': { kind: 'dateTime', label: 'Archived Strictly After' },
	'exists[archivedAt]': { kind: 'boolean', label: 'Archived' },
};
