import type { IDataObject } from 'n8n-workflow';
import { idIn, listIn, referenceIn } from '../../common/records';
import { workspace } from '../../contract/workspace';
import { COLUMNS } from '../../directory/directory';
import type { RecordSpecification } from '../../runtime/specification';
import { titled } from '../../runtime/titled';

/** A workspace, under `/workspaces`. */
export const workspaceRecord: RecordSpecification = {
	...workspace,
	simplify: (workspace: IDataObject, titleOf) => ({
		id: idIn(workspace),
		title: workspace.title ?? null,
		description: workspace.description ?? null,
		workspaceType: workspace.workspaceType ?? null,
		privacy: workspace.privacy ?? null,
		owner: referenceIn(workspace.owner),
		currency: workspace.currency ?? null,
		columns: listIn(workspace.columns, titled(COLUMNS, titleOf)),
		createdAt: workspace.createdAt ?? null,
		archivedAt: workspace.archivedAt ?? null,
	}),
};
