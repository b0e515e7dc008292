import type { IDataObject } from 'n8n-workflow';
import type { OutputForm } from '../output/output';
import { outputFormOf } from '../output/output';
import type { RecordContract } from '../schema/record';
import type { NameTable } from '../crm/names';
import { UnusableParameter } from '../util/errors';
import type { EventDefinition, WatchedList } from './events';
import { eventsOf } from './events';
import type { Context, ListSettings } from './lists';
import { LISTS } from './lists';
import type { Aspect } from './remembered';
import { ASPECTS, shortHash, watchableFields } from './remembered';
import { referencesIn } from '../values/list';
import { isBlank } from '../values/text';
import { inZone } from '../values/time';

/** Settings of a trigger: a list, and the events that start the workflow. */
export interface Watch extends ListSettings {
	/** Hash of the list, events and filters. The trigger begins anew if the saved state has another hash. */
	settings: string;
	/** Hash of the settings, base URL and key. If only this hash differs, the state may be of another company. */
	key: string;
	list: WatchedList;
	/** Form of the records in items, by the parameter Output. */
	form: OutputForm;
	events: readonly EventDefinition[];
	/** Aspects (parts) of each record that the trigger remembers, in the order of `ASPECTS`. */
	aspects: readonly Aspect[];
	/** Fields that the user chose to watch for updates. If empty, a change of any field is an update. */
	watchedFields: readonly string[];
	/** Returns the time when Task Due is reported; undefined if the task is completed, archived or without a due date. */
	dueTimeOf: (record: IDataObject) => number | undefined;
	/** Whether the service can sort and filter the list by creation time (interface, section 4.1). */
	isTimed: boolean;
	/** Whether polls also read the page of the newest people, besides the scan. */
	readsNewest: boolean;
	/** Whether scans request only people after the high-water mark, because Person Created is the only event. */
	readsNewOnly: boolean;
	/** Whether users can write creation times, as in comments. A new record may then show an old creation time. */
	hasWritableTimes: boolean;
}

/** An event that starts the workflow, with its record and the previous values. */
export interface ChangeEvent {
	event: EventDefinition;
	record: IDataObject;
	before: IDataObject;
}

/**
 * Reads the parameters of the node.
 *
 * @param tenant hash of base URL and key
 * @param userNames names of users and tags from the credential, for use in filters
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
	const beforeDueMs = readTimeBeforeDue(context, events);
	const { path, filters } = settings;
	const chosen = context.getNodeParameter('filters', {});
	const names = events.map(({ value }) => value);
	const watched = { list, names, path, filters, chosen, watchedFields, beforeDueMs };
	// Fields such as `cachedResultName` hold names for the editor. They may change, so the hash leaves them out.
	const hashOf = (parts: object) =>
		shortHash(
			JSON.stringify(parts, (name, value: unknown) =>
				name.startsWith('cached') ? undefined : value,
			),
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
		settings: hashOf(watched),
		key: hashOf({ tenant, ...watched }),
	};
}

/** Returns the way to read a list for the chosen events. */
function readSettings(
	list: WatchedList,
	events: readonly EventDefinition[],
	watchedFields: readonly string[],
) {
	const isPeople = list === 'people';
	const isTimed = isPeople || list === 'segment';
	const compared = new Set<string>(events.flatMap(({ compares = [] }) => compares));
	const readsNewest = isPeople && compared.has('createdAt');
	const readsNewOnly = readsNewest && compared.size === 1;
	// Only a high-water mark needs creation times in snapshots: the trigger forgets people created before the mark.
	if (!readsNewOnly) compared.delete('createdAt');
	if (watchedFields.length > 0 && compared.delete('content')) compared.add('values');
	// An earlier `updatedAt` reveals a lagging replica, so triggers on people, segments and tasks always compare it.
	if (isPeople || list === 'segment' || list === 'tasks') compared.add('updatedAt');
	const aspects = ASPECTS.filter((aspect) => compared.has(aspect));
	return { isTimed, readsNewest, readsNewOnly, hasWritableTimes: list === 'comments', aspects };
}

/**
 * Returns the watched fields.
 *
 * @throws UnusableParameter if a chosen field does not exist or cannot be watched
 */
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

/** Returns the parameter Time Before Due in ms; 0 if the event Task Due is not chosen. */
function readTimeBeforeDue(context: Context, events: readonly EventDefinition[]): number {
	if (!events.some(({ compares }) => compares?.includes('due'))) return 0;
	const time = Number(context.getNodeParameter('timeBeforeDue', 0));
	const unit = context.getNodeParameter('timeBeforeDueUnit', 'days') as keyof typeof UNIT_MS;
	if (time >= 0 && Object.hasOwn(UNIT_MS, unit)) return time * UNIT_MS[unit];
	throw new UnusableParameter(
		'Time Before Due: expected a number and a unit, such as 1 day',
		'Give 0 or more minutes, hours or days',
	);
}

/**
 * Returns the time in ms since 1970 when Task Due is reported; undefined for a task that is completed, archived or
 * without a due date. A due date without a time of day means midnight in the zone of the workflow.
 */
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
			`Events: expected events of the list, got "${String(unknown)}"`,
			'Open the node and choose an event from the list',
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
