import type { IDataObject } from 'n8n-workflow';
import { idIn, listIn, referenceIn } from '../../common/records';
import { task } from '../../contract/task';
import type { RecordSpecification } from '../../runtime/specification';

/** A task or deal, under `/tasks`. */
export const taskRecord: RecordSpecification = {
	...task,
	simplify: (task: IDataObject) => ({
		id: idIn(task),
		title: task.title ?? null,
		indexNumber: task.indexNumber ?? null,
		status: referenceIn(task.status),
		workspace: referenceIn(task.workspace),
		assignees: listIn(task.assignees, referenceIn),
		dueDate: task.dueDate ?? null,
		completedAt: task.completedAt ?? null,
		isFlagged: task.isFlagged ?? null,
		createdAt: task.createdAt ?? null,
	}),
};
