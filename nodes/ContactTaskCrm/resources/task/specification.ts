import type { IDataObject } from 'n8n-workflow';
import {
	taskCreateBodySchema,
	taskDuplicateBodySchema,
	taskUpdateBodySchema,
} from '../../contract/task';
import type { BodySpecification, RecordSpecification } from '../../runtime/specification';
import { idIn, listIn, referenceIn } from '../../common/records';

/** A task or deal, under `/tasks`. */
export const taskRecord: RecordSpecification = {
	noun: 'task',
	plural: 'tasks',
	collection: '/tasks',
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

const status = { status: '/workspaces/{workspaceId}/columns' };
const users = { author: '/users', assignees: '/users', observers: '/users' };

/** The body of a new task. */
export const taskCreateBody: BodySpecification = {
	schema: taskCreateBodySchema,
	required: ['title', 'status'],
	references: { ...status, ...users, parent: '/tasks', beforeTask: '/tasks', afterTask: '/tasks' },
};

/** The body of a copy. Without a title the service takes that of the copied task. */
export const taskDuplicateBody: BodySpecification = {
	schema: taskDuplicateBodySchema,
	required: [],
	references: status,
};

/** The body of an update: only the fields given. */
export const taskUpdateBody: BodySpecification = {
	schema: taskUpdateBodySchema,
	required: [],
	references: { ...status, ...users, files: '/media_objects' },
};

/** The body that replaces a task. */
export const taskReplaceBody: BodySpecification = {
	...taskUpdateBody,
	required: ['title', 'status'],
};

/** The body that moves a task to another column. */
export const taskMoveBody: BodySpecification = { ...taskUpdateBody, required: ['status'] };

/** The body that completes a task. */
export const taskCompleteBody: BodySpecification = {
	...taskUpdateBody,
	required: ['completedAt'],
	nowWhereEmpty: ['completedAt'],
};

/** The body that archives a task. */
export const taskArchiveBody: BodySpecification = {
	...taskUpdateBody,
	required: ['archivedAt'],
	nowWhereEmpty: ['archivedAt'],
};
