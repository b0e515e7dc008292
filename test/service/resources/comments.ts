import { changesBetween, merge } from '../changes';
import { found, takeId, without, type Call, type Endpoint } from '../endpoint';
import type { Input } from '../input';
import type { Comment } from '../records';
import { list, type Result, type Shown } from '../representation';
import type { Store } from '../store';
import { normalizeTimestamp } from '../timestamps';

const show = (comment: Comment): Shown => ({
	iri: `/tasks/${comment.taskId}/comments/${comment.id}`,
	type: 'TaskComment',
	fields: { ...comment },
	required: [],
});

const item = (comment: Comment, stored: boolean): Result => ({
	kind: 'item',
	item: show(comment),
	stored,
});

const blankComment = (store: Store, taskId: string, id: string, now: string): Comment => ({
	id,
	taskId,
	createdAt: now,
	description: null,
	flagged: false,
	author: store.keyUser,
	mentions: [],
});

/** What a request may set: the task of a comment is that of its path. */
function writable(input: Input): Input {
	const fields = without(input, 'id', 'taskId', 'createdAt');
	if (typeof input.createdAt !== 'string') return fields;
	return { ...fields, createdAt: normalizeTimestamp(input.createdAt) };
}

const find = ({ store, params }: Call): Comment =>
	found(store.comments.get(params.taskId)?.find(({ id }) => id === params.id));

function save(store: Store, before: Comment, after: Comment): Result {
	const comments = found(store.comments.get(before.taskId));
	comments[comments.indexOf(before)] = after;
	return item(after, changesBetween(before, after).length > 0);
}

/** The comment endpoints of interface section 4.4. */
export const comments: Record<string, Endpoint> = {
	// API Platform does not look for the parent of a list: without one, the list is empty.
	listComments: ({ store, params }) =>
		list('TaskComment', store.comments.get(params.taskId) ?? [], show),
	createComment: ({ store, params, readInput, now }) => {
		found(store.tasks.get(params.taskId));
		const input = readInput();
		const id = takeId(store, 'comments', input, (taken) =>
			[...store.comments.values()].flat().some((comment) => comment.id === taken),
		);
		const comment = merge(blankComment(store, params.taskId, id, now), writable(input));
		store.addComment(comment);
		return item(comment, true);
	},
	getComment: (call) => item(find(call), false),
	replaceComment: (call) => {
		const before = find(call);
		const blank = blankComment(call.store, before.taskId, before.id, before.createdAt);
		return save(call.store, before, merge(blank, writable(call.readInput())));
	},
	updateComment: (call) => {
		const before = find(call);
		return save(call.store, before, merge(before, writable(call.readInput())));
	},
};
