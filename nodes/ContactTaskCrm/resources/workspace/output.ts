import type { IDataObject } from 'n8n-workflow';
import { idIn, listIn, referenceIn } from '../../common/records';
import { workspace } from '../../contract/workspace';
import type { RecordSpecification } from '../../runtime/specification';

/** What a column is called, though the interface does not show its fields. */
function columnName(column: IDataObject[string]): IDataObject[string] {
	const { title, name } = (
		typeof column === 'object' && column !== null ? column : {}
	) as IDataObject;
	return title ?? name ?? referenceIn(column);
}

/** A workspace, under `/workspaces`. */
export const workspaceRecord: RecordSpecification = {
	...workspace,
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
