import { z } from 'zod';
import {
	embeddedConversationItem,
	embeddedMessage,
	embeddedOrganization,
	embeddedPerson,
	embeddedTag,
} from './embedded';
import {
	columnIri,
	dateTime,
	estimation,
	iri,
	iris,
	listOf,
	openObject,
	recurrenceRule,
	text,
	trueOrFalse,
	wholeNumber,
} from './formats';
import { jsonLdFields } from './jsonLd';

const fileSchema = openObject({
	...jsonLdFields,
	id: z.unknown(),
	createdAt: z.unknown(),
	name: z.unknown(),
	size: z.unknown(),
	mimeType: z.unknown(),
	contentId: z.unknown(),
	updatedAt: z.unknown(),
	publicUrl: z.unknown(),
});

/** A task or deal as the service answers it; a field whose type is not shown is left open. */
export const taskSchema = openObject({
	...jsonLdFields,
	id: z.string().nullable(),
	position: z.unknown(),
	totalComments: z.unknown(),
	title: z.string().nullable(),
	description: z.string().nullable(),
	isFlagged: z.boolean().nullable(),
	isSubTask: z.unknown(),
	indexNumber: z.unknown(),
	createdAt: z.string().nullable(),
	updatedAt: z.string().nullable(),
	completedAt: z.string().nullable(),
	archivedAt: z.string().nullable(),
	dueDate: z.string().nullable(),
	workspace: z.string().nullable(),
	status: z.string().nullable(),
	author: z.string().nullable(),
	parent: z.string().nullable(),
	tags: z.array(z.string()),
	assignees: z.array(z.string()),
	observers: z.array(z.string()),
	subTasks: z.array(z.string()),
	completedSubtasks: z.unknown(),
	totalSubtasks: z.unknown(),
	isTemplate: z.boolean().nullable(),
	storyPointEstimation: z.unknown(),
	timeEstimation: z.unknown(),
	dealSizeEstimation: z.unknown(),
	messageProvider: z.unknown(),
	scheduledOn: z.unknown(),
	previouslyScheduledOn: z.unknown(),
	plannedWeek: z.unknown(),
	plannedMonth: z.unknown(),
	snoozeUntil: z.unknown(),
	isRecurring: z.unknown(),
	workspaceType: z.unknown(),
	files: z.array(fileSchema),
	messages: z.unknown(),
	conversationItems: z.array(z.string()),
	people: z.array(z.string()),
	organizations: z.array(z.string()),
	recurringSettings: z.unknown(),
	automation: z.string().nullable(),
	startDate: z.unknown(),
	blockedFields: z.unknown(),
});

/** What a create and an update have in common. */
const commonFields = {
	title: text.nullable(),
	description: text.nullable(),
	status: columnIri.nullable(),
	author: iri('/users/3f2a').nullable(),
	assignees: iris('/users/3f2a').nullable(),
	observers: iris('/users/3f2a').nullable(),
	isFlagged: trueOrFalse.nullable(),
	archivedAt: dateTime.nullable(),
	dueDate: dateTime.nullable(),
	isTemplate: trueOrFalse.nullable(),
	scheduledOn: dateTime.nullable(),
	plannedWeek: dateTime.nullable(),
	plannedMonth: dateTime.nullable(),
	snoozeUntil: dateTime.nullable(),
	storyPointEstimation: estimation.nullable(),
	dealSizeEstimation: estimation.nullable(),
	timeEstimation: estimation.nullable(),
};

/** The body that creates a task. */
export const taskCreateBodySchema = openObject({
	...commonFields,
	parent: iri('/tasks/91ce').nullable(),
	beforeTask: iri('/tasks/91ce').nullable(),
	afterTask: iri('/tasks/91ce').nullable(),
	positionTop: trueOrFalse.nullable(),
	participants: listOf(z.unknown()).nullable(),
	tags: listOf(embeddedTag).nullable(),
	people: listOf(embeddedPerson).nullable(),
	organizations: listOf(embeddedOrganization).nullable(),
	messages: listOf(embeddedMessage).nullable(),
	conversationItems: listOf(embeddedConversationItem).nullable(),
});

const recurringSettings = openObject({
	rrule: recurrenceRule.nullable(),
	recurUntilCount: wholeNumber.nullable(),
	recurUntil: dateTime.nullable(),
	recurOnSchedule: trueOrFalse.nullable(),
	createNewTask: trueOrFalse.nullable(),
	snooze: trueOrFalse.nullable(),
	recurData: listOf(z.unknown()).nullable(),
});

/** The body that updates or replaces a task. */
export const taskUpdateBodySchema = openObject({
	...commonFields,
	completedAt: dateTime.nullable(),
	recurringSettings: recurringSettings.nullable(),
	files: iris('/media_objects/b8e2').nullable(),
});

/** The body that copies a task. */
export const taskDuplicateBodySchema = openObject({
	status: columnIri.nullable(),
	title: text.nullable(),
	isTemplate: trueOrFalse.nullable(),
	people: listOf(embeddedPerson).nullable(),
	organizations: listOf(embeddedOrganization).nullable(),
});

export type Task = z.infer<typeof taskSchema>;
export type TaskCreateBody = z.infer<typeof taskCreateBodySchema>;
export type TaskUpdateBody = z.infer<typeof taskUpdateBodySchema>;
export type TaskDuplicateBody = z.infer<typeof taskDuplicateBodySchema>;
