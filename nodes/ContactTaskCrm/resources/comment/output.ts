import type { IDataObject } from 'n8n-workflow';
import { idIn, listIn, referenceIn } from '../../common/records';
import { comment } from '../../contract/comment';
import type { RecordSpecification } from '../../runtime/specification';
import { titled } from '../../runtime/titled';

/** A comment, under its task. */
export const commentRecord: RecordSpecification = {
	...comment,
	simplify: (comment: IDataObject, titleOf) => ({
		id: idIn(comment),
		taskId: comment.taskId ?? null,
		description: comment.description ?? null,
		flagged: comment.flagged ?? null,
		author: referenceIn(comment.author),
		mentions: listIn(comment.mentions, titled('/users', titleOf)),
		createdAt: comment.createdAt ?? null,
	}),
};
