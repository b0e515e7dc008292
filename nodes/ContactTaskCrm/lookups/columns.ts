import type { IDataObject, INodeListSearchItems } from 'n8n-workflow';
import { titleLabel } from './labels';

/**
 * The columns of a workspace as "Workspace / Column", with their IRIs. The interface leaves open
 * whether columns come as IRIs or as records; both list.
 */
export function columnsOf(workspace: IDataObject): INodeListSearchItems[] {
	const columns = Array.isArray(workspace.columns) ? (workspace.columns as unknown[]) : [];
	return columns.flatMap((column, position) => {
		const record = typeof column === 'object' && column !== null ? (column as IDataObject) : {};
		const iri = typeof column === 'string' ? column : iriOfColumn(record, workspace);
		if (iri === undefined) return [];
		const label = titleLabel({ title: record.title ?? record.name }) || `Column ${position + 1}`;
		return [{ name: `${titleLabel(workspace)} / ${label}`, value: iri }];
	});
}

function iriOfColumn(column: IDataObject, workspace: IDataObject): string | undefined {
	const { '@id': iri, id } = column;
	if (typeof iri === 'string' && iri.startsWith('/')) return iri;
	return typeof id === 'string' && typeof workspace.id === 'string'
		? `/workspaces/${workspace.id}/columns/${id}`
		: undefined;
}
