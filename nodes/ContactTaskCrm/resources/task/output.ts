import type { IDataObject } from 'n8n-workflow';
import { idIn, listIn, referenceIn } from '../../util/records';
import { task } from '../../schema/task';
import { COLUMNS } from '../../tenant/directory';
import type { RecordSpecification } from '../../run/specification';
import { titled, titleFor } from '../../run/output';
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
			statusTitle: titleFor(task.status, COLUMNS, titleOf),
			workspaceTitle: titleFor(workspace, '/workspaces', titleOf),
			assignees: listIn(task.assignees, titled('/users', titleOf)),
			people: listIn(task.people, titled('/people', titleOf)),
			dueDate: task.dueDate ?? null,
			completedAt: task.completedAt ?? null,
			updatedAt: task.updatedAt ?? null,
			// Last, since its length pushes what people read out of a table.
			status,
		};
	},
};
