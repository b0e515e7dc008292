import type { IDataObject } from 'n8n-workflow';
import type { OutputForm } from '../run/output';
import { outputFormOf } from '../run/output';
import type { RecordContract } from '../schema/record';
import type { NameTable } from '../util/credential';
import { inZone } from '../util/dateTime';
import { UnusableParameter } from '../util/errors';
import { isBlank, referencesIn } from '../util/values';
import type { EventDefinition, WatchedList } from './events';
import { eventsOf } from './events';
import type { Context, ListSettings } from './lists';
import { LISTS } from './lists';
import type { Aspect } from './remembered';
import { ASPECTS, shortHash, watchableFields } from './remembered';

/** What a trigger watches: a list, and which events of its records start the workflow. */
export interface Watch extends ListSettings {
	/** The list, events, filters and the tenant in a few letters: what a state belongs to. */
	key: string;
	list: WatchedList;
	/** In which its records leave the node. */
	form: OutputForm;
	events: readonly EventDefinition[];
	/** What is remembered of each record, in the order of `ASPECTS`. */
	aspects: readonly Aspect[];
	/** Fields of which one has to change for a record to count as updated; any, where there are none. */
	watchedFields: readonly string[];
	/** When Task Due has to be told of a task; undefined where it is never due. */
	dueTimeOf: (record: IDataObject) => number | undefined;
	/** Whether the service can be asked for the list by creation time (interface, section 4.1). */
	isTimed: boolean;
	/** Whether the newest are looked at, by creation time. */
	readsNewest: boolean;
	/** Whether only those who are new are asked for, by creation time. */
	readsNewOnly: boolean;
	/** Whether records may say that they are older than they are: a comment's time can be written. */
	hasWritableTimes: boolean;
}

/** Something that starts the workflow: what has happened, to which record, and what it was before. */
export interface ChangeEvent {
	event: EventDefinition;
	record: IDataObject;
	before: IDataObject;
}

/**
 * What the parameters of the node ask to watch.
 *
 * @param tenant what tells the tenant from others, a hash of base URL and key. A state is of no use with another
 *   company, whose records would all be new. That a new key belongs to the same one cannot be told but by what it
 *   shows, and a company may have grown by anything meanwhile: a trigger begins anew with each key, so that
 *   nothing old starts a workflow. What happens between the last poll with one key and the first with the
 *   other is lost by that.
 * @param userNames the names that the credential gives to users and tags, by which filters may name them
 * @throws UnusableParameter naming the parameter that cannot be used
 */
export function watchOf(context: Context, tenant: string, userNames: NameTable): Watch {
	const list = context.getNodeParameter('watch') as WatchedList;
	if (!Object.keys(LISTS).includes(list)) {
		throw new UnusableParameter(
			`Trigger On: expected one of the list, got "${String(list)}"`,
			'Open the node and choose what to watch',
		);
	}
	const settings = LISTS[list](context, userNames);
	const events = chosenEvents(context, list);
	const watchedFields = chosenFields(context, events, settings.record);
	const beforeDueMs = timeBeforeDue(context, events);
	const { path, filters } = settings;
	const chosen = context.getNodeParameter('filters', {});
	const names = events.map(({ value }) => value);
	const watched = { tenant, list, names, path, filters, chosen, watchedFields, beforeDueMs };
	// The names that the editor shows may change.
	const asText = JSON.stringify(watched, (name, value: unknown) =>
		name.startsWith('cached') ? undefined : value,
	);
	const zone = context.getTimezone();
	const output = context.getNodeParameter('output', 'simplified');
	const fields = context.getNodeParameter('fields', []);
	return {
		...settings,
		...readSettings(list, events, watchedFields),
		form: outputFormOf({ output, fields }, settings.record),
		dueTimeOf: (task) => dueTimeOf(task, beforeDueMs, zone),
		watchedFields,
		list,
		events,
		key: shortHash(asText),
	};
}

/** How a list is read for the events that were chosen. */
function readSettings(
	list: WatchedList,
	events: readonly EventDefinition[],
	watchedFields: readonly string[],
) {
	const isPeople = list === 'people';
	const isTimed = isPeople || list === 'segment';
	const compared = new Set<string>(events.flatMap(({ compares = [] }) => compares));
	const readsNewest = isPeople && compared.has('createdAt');
	const readsNewOnly = readsNewest && !compared.has('content');
	// Who was created is forgotten by that time, where only those who are new are asked for.
	if (!readsNewOnly) compared.delete('createdAt');
	if (watchedFields.length > 0 && compared.delete('content')) compared.add('values');
	// Copies that lag behind are told by it, whatever the events compare.
	if (isPeople || list === 'segment' || list === 'tasks') compared.add('updatedAt');
	const aspects = ASPECTS.filter((aspect) => compared.has(aspect));
	return { isTimed, readsNewest, readsNewOnly, hasWritableTimes: list === 'comments', aspects };
}

/** @throws UnusableParameter where a field is not one of the record */
function chosenFields(
	context: Context,
	events: readonly EventDefinition[],
	{ fields, noun }: RecordContract,
): string[] {
	if (!events.some(({ compares }) => compares?.includes('content'))) return [];
	const names = referencesIn(context.getNodeParameter('watchedFields', []));
	const known = watchableFields(fields);
	const unknown = names.find((name) => !known.includes(String(name)));
	if (unknown === undefined) return names.map(String).sort();
	throw new UnusableParameter(
		`Watched Fields: "${String(unknown)}" is not a field of a ${noun} that can be watched`,
		'Choose from the list',
	);
}

const UNIT_MS = { minutes: 60_000, hours: 60 * 60_000, days: 24 * 60 * 60_000 };

/** How long before the due date a task is told, in ms. */
function timeBeforeDue(context: Context, events: readonly EventDefinition[]): number {
	if (!events.some(({ compares }) => compares?.includes('due'))) return 0;
	const time = Number(context.getNodeParameter('timeBeforeDue', 0));
	const unit = context.getNodeParameter('timeBeforeDueUnit', 'days') as keyof typeof UNIT_MS;
	if (time >= 0 && Object.hasOwn(UNIT_MS, unit)) return time * UNIT_MS[unit];
	throw new UnusableParameter(
		'Time Before Due: expected a number and a unit, such as 1 day',
		'Give 0 or more minutes, hours or days',
	);
}

/** When a task is to be told as due; a day without a time begins in the zone of the workflow. */
function dueTimeOf(
	{ dueDate, completedAt, archivedAt }: IDataObject,
	beforeDueMs: number,
	zone: string,
): number | undefined {
	if (!isBlank(completedAt) || !isBlank(archivedAt)) return undefined;
	const due = inZone(dueDate, zone)?.toMillis();
	return due === undefined ? undefined : due - beforeDueMs;
}

function chosenEvents(context: Context, list: WatchedList): EventDefinition[] {
	const names = [context.getNodeParameter('events', [])].flat() as unknown[];
	const known = eventsOf(list);
	const unknown = names.find((name) => !known.some(({ value }) => value === name));
	if (unknown !== undefined) {
		throw new UnusableParameter(
			`Events: expected some of the list, got "${String(unknown)}"`,
			'Open the node and choose what has to happen',
		);
	}
	if (names.length === 0) {
		throw new UnusableParameter(
			'Events is empty',
			'Choose at least one event that starts the workflow',
		);
	}
	return known.filter(({ value }) => names.includes(value));
}
