import { boolean, reference, references, text } from './field';
import type { RecordContract } from './record';

/** A comment on a task (interface, sections 2.7 and 4.4). */
export const comment: RecordContract = {
	noun: 'comment',
	plural: 'comments',
	collection: '/tasks/{taskId}/comments',
	locator: 'commentId',
	fields: {
		id: text({ isJsonOnly: true }),
		taskId: text({ isJsonOnly: true }),
		createdAt: text({ isJsonOnly: true }),
		description: text({ isRequired: true }),
		flagged: boolean(),
		author: reference('/users', { isKept: true }),
		mentions: references('/users'),
	},
	filters: {},
	orders: {},
};
