import type { IDataObject } from 'n8n-workflow';
import { commentBodySchema } from '../../contract/comment';
import type { BodySpecification, RecordSpecification } from '../../runtime/specification';
import { idIn, listIn, referenceIn } from '../../common/records';

/** A comment, under its task. */
export const commentRecord: RecordSpecification = {
	noun: 'comment',
	plural: 'comments',
	collection: '/tasks/{taskId}/comments',
	simplify: (comment: IDataObject) => ({
		id: idIn(comment),
		taskId: comment.taskId ?? null,
		description: comment.description ?? null,
		flagged: comment.flagged ?? null,
		author: referenceIn(comment.author),
		mentions: listIn(comment.mentions, referenceIn),
		createdAt: comment.createdAt ?? null,
	}),
};

/** The body of an update: only the fields given. */
export const commentUpdateBody: BodySpecification = {
	schema: commentBodySchema,
	required: [],
	references: { author: '/users', mentions: '/users' },
};

/** The body of a new comment, and of one that replaces another. */
export const commentBody: BodySpecification = {
	...commentUpdateBody,
	required: ['description'],
};
