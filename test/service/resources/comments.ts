import { found, without } from '../endpoint';
import type { Comment } from '../records';
import { endpointsOf } from '../resource';
import { normalizeTimestamp } from '../timestamps';

/** The comment endpoints of interface section 4.4. */
export const comments = endpointsOf<Comment>({
	schema: 'Comment',
	plural: 'Comments',
	type: 'TaskComment',
	iri: ({ taskId, id }) => `/tasks/${taskId}/comments/${id}`,
	// API Platform does not look for the parent of a list. Without a parent, the list is empty.
	all: ({ store, params }) => store.comments.get(params.taskId) ?? [],
	find: ({ store, params }) =>
		store.comments.get(params.taskId)?.find(({ id }) => id === params.id),
	blank: ({ store, params, now }) => ({
		...{ taskId: params.taskId, createdAt: now },
		...{ flagged: false, author: store.keyUser },
	}),
	kept: ['createdAt'],
	/** The task of a comment comes from the path. */
	writable: (input, { switches }) => {
		const fields = without(input, 'id', 'taskId', 'createdAt');
		if (typeof input.createdAt !== 'string') return fields;
		return { ...fields, createdAt: normalizeTimestamp(input.createdAt, switches) };
	},
	parent: ({ store, params }) => found(store.tasks.get(params.taskId)),
	put: (comment, { store }, before) => {
		if (!before) return store.addComment(comment);
		const all = found(store.comments.get(before.taskId));
		all[all.indexOf(before)] = comment;
	},
});
