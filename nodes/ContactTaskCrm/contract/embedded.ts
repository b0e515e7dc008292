import { z } from 'zod';
import { dateTime, email, iri, iris, listFormat, openObject, text, trueOrFalse } from './formats';
import { person } from './person';
import { bodySchema } from './record';

/**
 * A record that is written inside another one. The interface shows an object; an IRI passes as
 * well, since the service may take one and can refuse it for itself.
 */
function embedded<T extends z.ZodTypeAny>(record: T, example: string) {
	const reference = iri(example);
	return z.custom<string | z.infer<T>>().superRefine((value, context) => {
		const schema = typeof value === 'string' ? reference : record;
		for (const issue of schema.safeParse(value).error?.issues ?? []) context.addIssue(issue);
	});
}

/** A tag inside a new task. */
export const embeddedTag = embedded(
	openObject({
		id: text.nullable(),
		backgroundColor: text.nullable(),
		textColor: text.nullable(),
		title: text.nullable(),
		description: text.nullable(),
		createdAt: z.unknown(),
		updatedAt: z.unknown(),
	}),
	'/tags/7c1e',
);

/** A person inside a task. */
export const embeddedPerson = embedded(bodySchema(person, 'create'), '/people/0d5c');

/** An organization inside a task; the interface shows the types of few of its fields. */
export const embeddedOrganization = embedded(
	openObject({
		id: text.nullable(),
		title: text.nullable(),
		description: text.nullable(),
		emailAddresses: listFormat(openObject({ email: email.nullable() })).nullable(),
		phoneNumbers: listFormat(z.unknown()).nullable(),
		website: text.nullable(),
		customerId: text.nullable(),
		externalSource: text.nullable(),
		chamberOfCommerceNumber: text.nullable(),
		networkId: text.nullable(),
		archivedAt: dateTime.nullable(),
		address: z.unknown(),
		owner: iri('/users/3f2a').nullable(),
		people: iris('/people/0d5c').nullable(),
		avatar: iri('/media_objects/b8e2').nullable(),
		tags: z.unknown(),
		segments: z.unknown(),
		integrationParticipants: z.unknown(),
	}),
	'/organizations/9d0c',
);

/** A message inside a new task; the interface does not show the types of its fields. */
export const embeddedMessage = embedded(
	openObject({
		id: z.unknown(),
		emailAccount: openObject({}).nullable(),
		dateSent: z.unknown(),
		subject: z.unknown(),
		userSubject: z.unknown(),
		snippet: z.unknown(),
		attachments: z.unknown(),
		labels: z.unknown(),
		tags: z.unknown(),
		hasAttachments: trueOrFalse.nullable(),
		read: z.unknown(),
		starred: z.unknown(),
		sent: z.unknown(),
		attachmentsInline: z.unknown(),
		provider: z.unknown(),
		participants: z.unknown(),
		tasks: z.unknown(),
		from: z.unknown(),
		to: z.unknown(),
		cc: z.unknown(),
		bcc: z.unknown(),
		owner: z.unknown(),
		hasAccess: z.unknown(),
		write: z.unknown(),
		conversationId: z.unknown(),
		user: z.unknown(),
		body: z.unknown(),
	}),
	'/messages/e6f1',
);

/** A conversation item inside a new task. */
export const embeddedConversationItem = embedded(
	openObject({
		replyTo: z.unknown(),
		body: z.unknown(),
		mentions: z.unknown(),
		attachments: z.unknown(),
	}),
	'/conversation_items/c02d',
);
