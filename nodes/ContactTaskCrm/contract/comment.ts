import { z } from 'zod';
import { iri, iris, openObject, text, trueOrFalse } from './formats';
import { jsonLdFields } from './jsonLd';

/** The fields that read and write alike. */
const plainFields = {
	id: text.nullable(),
	taskId: text.nullable(),
	createdAt: text.nullable(),
	description: text.nullable(),
	flagged: trueOrFalse.nullable(),
};

/** A comment on a task as the service answers it. */
export const commentSchema = openObject({
	...jsonLdFields,
	...plainFields,
	author: z.string().nullable(),
	mentions: z.array(z.string()),
});

/** A comment as it is written: the body of a create, an update and a replacement. */
export const commentBodySchema = openObject({
	...plainFields,
	author: iri('/users/3f2a').nullable(),
	mentions: iris('/users/3f2a'),
});

export type Comment = z.infer<typeof commentSchema>;
export type CommentBody = z.infer<typeof commentBodySchema>;
