import type { INodeProperties } from 'n8n-workflow';
import type { contracts } from '../contract';
import type { RecordSpecification } from '../runtime/specification';
import { comment } from './comment';
import { commentRecord } from './comment/output';
import { history } from './history';
import { historyRecord } from './history/output';
import { person } from './person';
import { personRecord } from './person/output';
import { segment } from './segment';
import { segmentRecord } from './segment/output';
import { task } from './task';
import { taskRecord } from './task/output';
import { workspace } from './workspace';
import { workspaceRecord } from './workspace/output';

/** The values of the Resource parameter. */
export type Resource = keyof typeof contracts;

/** The parameters of each resource. */
export const resourceParameters: Readonly<Record<Resource, INodeProperties[]>> = {
	comment,
	history,
	person,
	segment,
	task,
	workspace,
};

/** The records of each resource, and what they look like simplified. */
export const records: Readonly<Record<Resource, RecordSpecification>> = {
	comment: commentRecord,
	history: historyRecord,
	person: personRecord,
	segment: segmentRecord,
	task: taskRecord,
	workspace: workspaceRecord,
};
