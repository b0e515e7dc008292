import { z } from 'zod';
import { readOnly, readOnlyReference } from './field';
import type { RecordContract } from './record';

/** An entry of a task's history (interface, sections 2.8 and 4.4). */
export const historyEntry: RecordContract = {
	noun: 'history entry',
	plural: 'history entries',
	collection: '/tasks/{taskId}/history',
	locator: 'historyId',
	fields: {
		id: readOnly(z.string(), 'text'),
		createdAt: readOnly(z.string(), 'dateTime'),
		changes: readOnly(z.array(z.unknown())),
		author: readOnlyReference(z.string().nullable(), '/users'),
	},
	filters: {},
	orders: {},
};
