import { z } from 'zod';
import type { Body } from './field';
import {
	boolean,
	embeddedRecords,
	openType,
	readOnly,
	readOnlyReference,
	reference,
	references,
	shownText,
	text,
	time,
	writeOnly,
} from './field';
import {
	dateTime,
	estimation,
	listFormat,
	openObject,
	recurrenceRule,
	trueOrFalse,
	wholeNumber,
} from './formats';
import { person } from './person';
import { bodySchema, jsonLdFields, type RecordContract } from './record';

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

const recurringSettings = openObject({
	rrule: recurrenceRule.nullable(),
	recurUntilCount: wholeNumber.nullable(),
	recurUntil: dateTime.nullable(),
	recurOnSchedule: trueOrFalse.nullable(),
	createNewTask: trueOrFalse.nullable(),
	snooze: trueOrFalse.nullable(),
	recurData: listFormat(z.unknown()).nullable(),
});

const ALWAYS: readonly Body[] = ['create', 'update', 'duplicate'];
const ON_CREATE: readonly Body[] = ['create'];
const ON_UPDATE: readonly Body[] = ['update'];
const ON_COPIES: readonly Body[] = ['create', 'duplicate'];

/** A task or deal (interface, sections 2.6 and 4.4). */
export const task: RecordContract<'/tasks'> = {
	noun: 'task',
	plural: 'tasks',
	collection: '/tasks',
	locator: 'taskId',
	fields: {
		id: readOnly(shownText, 'text'),
		position: readOnly(z.unknown()),
		totalComments: readOnly(z.unknown()),
		title: text({ bodies: ALWAYS, isRequired: true }),
		description: text(),
		isFlagged: boolean({ isKept: true, initial: false }),
		isSubTask: readOnly(z.unknown()),
		indexNumber: readOnly(z.unknown()),
		createdAt: readOnly(shownText, 'dateTime'),
		updatedAt: readOnly(shownText, 'dateTime'),
		completedAt: time(dateTime, { bodies: ON_UPDATE }),
		archivedAt: time(dateTime),
		dueDate: time(dateTime),
		workspace: readOnlyReference(shownText, '/workspaces'),
		status: reference('/workspaces/{workspaceId}/columns', { bodies: ALWAYS, isRequired: true }),
		author: reference('/users', { isKept: true }),
		parent: reference('/tasks', { bodies: ON_CREATE }),
		tags: embeddedRecords('/tags', { bodies: ON_CREATE }),
		assignees: references('/users', { isNullable: true }),
		observers: references('/users', { isNullable: true }),
		subTasks: readOnlyReference(z.array(z.string()), '/tasks'),
		completedSubtasks: readOnly(z.unknown()),
		totalSubtasks: readOnly(z.unknown()),
		isTemplate: boolean({ bodies: ALWAYS, isKept: true, initial: false }),
		storyPointEstimation: openType('number', estimation),
		timeEstimation: openType('number', estimation),
		dealSizeEstimation: { ...openType('number', estimation), isAmount: true },
		messageProvider: readOnly(z.unknown()),
		scheduledOn: openType('dateTime', dateTime),
		previouslyScheduledOn: readOnly(z.unknown()),
		plannedWeek: openType('dateTime', dateTime),
		plannedMonth: openType('dateTime', dateTime),
		snoozeUntil: openType('dateTime', dateTime),
		isRecurring: readOnly(z.unknown()),
		workspaceType: readOnly(z.unknown()),
		files: {
			...references('/media_objects', { bodies: ON_UPDATE, isNullable: true }),
			shown: z.array(fileSchema),
		},
		messages: {
			...embeddedRecords('/messages', { bodies: ON_CREATE, isJsonOnly: true }),
			shown: z.unknown(),
		},
		conversationItems: embeddedRecords('/conversation_items', {
			bodies: ON_CREATE,
			isJsonOnly: true,
		}),
		people: {
			...embeddedRecords('/people', { bodies: ON_COPIES }, bodySchema(person, 'create')),
			columns: [{ name: 'person' }],
		},
		organizations: embeddedRecords('/organizations', { bodies: ON_COPIES }),
		recurringSettings: openType('object', recurringSettings, { bodies: ON_UPDATE }),
		automation: readOnly(shownText, 'reference'),
		startDate: readOnly(z.unknown()),
		blockedFields: readOnly(z.unknown()),
		beforeTask: writeOnly(reference('/tasks', { bodies: ON_CREATE })),
		afterTask: writeOnly(reference('/tasks', { bodies: ON_CREATE })),
		positionTop: writeOnly(boolean({ bodies: ON_CREATE })),
		participants: writeOnly(openType('any', listFormat(z.unknown()), { bodies: ON_CREATE })),
	},
	usual:
		'id title description workspace status assignees people tags dealSizeEstimation dueDate completedAt createdAt updatedAt',
	filters: {},
	orders: {},
};

/** A comment on a task (interface, sections 2.7 and 4.4). */
export const comment: RecordContract<'/tasks/{taskId}/comments'> = {
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
	usual: 'id taskId description author mentions createdAt',
	filters: {},
	orders: {},
};

/** An entry of a task's history (interface, sections 2.8 and 4.4). */
export const historyEntry: RecordContract<'/tasks/{taskId}/history'> = {
	noun: 'history entry',
	plural: 'history entries',
	collection: '/tasks/{taskId}/history',
	locator: 'historyId',
	fields: {
		id: readOnly(z.string(), 'text'),
		createdAt: readOnly(z.string(), 'dateTime'),
		changes: readOnly(z.array(z.unknown())),
		author: readOnlyReference(shownText, '/users'),
	},
	usual: 'id createdAt author changes',
	filters: {},
	orders: {},
};
