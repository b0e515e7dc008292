import type { IDataObject } from 'n8n-workflow';
import { idIn, referenceIn } from '../../util/records';
import { task } from '../../schema/task';
import { COLUMNS } from '../../tenant/directory';
import type { RecordSpecification } from '../../run/specification';
import { namedList, titleFor } from '../../run/output';
import { taskReadFilters } from './readFilters';

/** A task or deal, under `/tasks`. */
export const taskRecord: RecordSpecification = {
	...task,
	readFilters: taskReadFilters,
	simplify: (task: IDataObject, titleOf) => {
		const status = referenceIn(task.status);
		// A column is below its workspace, should the task not name that.
		const workspace = task.workspace ?? /^.*\/workspaces\/[^/]+/.exec(String(status))?.[0];
		return {
			id: idIn(task),
			title: task.title ?? null,
			status,
			statusTitle: titleFor(task.status, COLUMNS, titleOf),
			workspaceTitle: titleFor(workspace, '/workspaces', titleOf),
			assignees: namedList(task.assignees, '/users', titleOf),
			people: namedList(task.people, '/people', titleOf),
			dueDate: task.dueDate ?? null,
			completedAt: task.completedAt ?? null,
			updatedAt: task.updatedAt ?? null,
		};
	},
};
