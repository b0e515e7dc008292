import type { IDataObject, INodeListSearchItems } from 'n8n-workflow';
import { iriOf, valueOf } from '../common/iri';
import { nameIn } from '../common/records';
import { listOf } from '../common/lists';
import { archivedMark, shortened, titleLabel } from './labels';

/**
 * The columns of a workspace as "Workspace / Column", with their IRIs. The interface leaves open
 * whether columns come as IRIs or as records; both list.
 */
export function columnsOf(workspace: IDataObject): INodeListSearchItems[] {
	const columns = listOf(workspace.columns) ?? [];
	return columns.flatMap((column, position) => {
		const record = typeof column === 'object' && column !== null ? (column as IDataObject) : {};
		const value = iriOfColumn(column, workspace);
		if (value === undefined) return [];
		const label = shortened(nameIn(record)) || `Column ${position + 1}`;
		return [{ name: `${titleLabel(workspace)} / ${label}${archivedMark(workspace)}`, value }];
	});
}

function iriOfColumn(column: unknown, workspace: IDataObject): string | undefined {
	const iri = valueOf(iriOf(column, '/workspaces/{workspaceId}/columns'));
	if (iri !== undefined) return iri;
	const workspaceIri = valueOf(iriOf(workspace, '/workspaces'));
	return workspaceIri && valueOf(iriOf(column, `${workspaceIri}/columns`));
}
