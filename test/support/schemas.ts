import { contracts } from '../../nodes/ContactTaskCrm/contract';
import { bodySchema, recordSchema } from '../../nodes/ContactTaskCrm/contract/record';

const { comment, history, person, segment, task, workspace } = contracts;

export const commentSchema = recordSchema(comment);
export const historyEntrySchema = recordSchema(history);
export const personSchema = recordSchema(person);
export const segmentSchema = recordSchema(segment);
export const taskSchema = recordSchema(task);
export const workspaceSchema = recordSchema(workspace);

export const commentBodySchema = bodySchema(comment, 'create');
export const personBodySchema = bodySchema(person, 'create');
export const segmentBodySchema = bodySchema(segment, 'create');
export const taskCreateBodySchema = bodySchema(task, 'create');
export const taskUpdateBodySchema = bodySchema(task, 'update');
export const taskDuplicateBodySchema = bodySchema(task, 'duplicate');
