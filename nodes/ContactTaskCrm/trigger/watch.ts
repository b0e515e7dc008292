import type { IDataObject } from 'n8n-workflow';
import type { Tenant } from '../crm/tenant';
import type { OutputForm } from '../output/output';
import { outputFormOf } from '../output/output';
import type { RecordContract } from '../schema/record';
import type { NameTable } from '../http/names';
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
	/**
	 * Hash of the list, events, filters, watched fields and Time Before Due. The trigger begins anew if the saved state
	 * has another hash.
	 */
	settings: string;
	/**
	 * Hash of the settings, base URL and API key together. If only this hash differs, the saved state may be of another
	 * company.
	 */
	key: string;
	list: WatchedList;
	/** Form of the records in items, by the parameter Output. */
	form: OutputForm;
	events: readonly EventDefinition[];
	/** Aspects (parts) of each record that the trigger remembers, in the order of `ASPECTS`. */
	aspects: readonly Aspect[];
	/** Fields that the user chose to watch for updates. If empty, a change of any field is an update. */
	watchedFields: readonly string[];
	/** Returns the time when Task Due happens; undefined if the task is completed, archived or without a due date. */
	dueTimeOf: (record: IDataObject) => number | undefined;
	/** Time Before Due in ms; 0 without the event Task Due. */
	beforeDueMs: number;
	/** Whether the service can sort and filter the list by creation time (interface, section 4.1). */
	isTimed: boolean;
	/** Whether polls also read the page of the newest people, besides the scan. */
	readsNewest: boolean;
	/** Whether scans request only people created after a high-water mark, because Person Created is the only event. */
	readsNewOnly: boolean;
	/** Whether users can set the creation time of a record, as in comments. A new record may then show an old time. */
	hasWritableTimes: boolean;
}

/**
 * An event that starts the workflow, with its record. `previous` holds old values of the record, as fields of the item.
 */
export interface ChangeEvent {
	event: EventDefinition;
	record: IDataObject;
	previous: IDataObject;
}

/**
 * Reads the parameters of the node.
 *
 * @param tenant memory of base URL and key
 * @param userNames names of users and tags from the credential, for use in filters
 * @throws UnusableParameter naming the parameter that cannot be used
 */
export function watchOf(context: Context, tenant: Tenant, userNames: NameTable): Watch {
	const list = context.getNodeParameter('watch') as WatchedList;
	if (!Object.keys(LISTS).includes(list)) {
		throw new UnusableParameter(
			`Trigger On: expected one of the list, got "${String(list)}"`,
			'Open the node and choose what to watch',
		);
	}
	const settings = LISTS[list](context, { names: userNames, description: tenant.description });
	const events = chosenEvents(context, list);
	const watchedFields = chosenFields(context, events, settings.record);
	const beforeDueMs = timeBeforeDueMs(context, events);
	const { path, filters } = settings;
	const chosen = context.getNodeParameter('filters', {});
	const names = events.map(({ value }) => value);
	const watched = { list, names, path, filters, chosen, watchedFields, beforeDueMs };
	// In locators of `parts`, fields such as `cachedResultName` hold names for the editor. The names may change, so the
	// hash omits them.
	const hashOf = (parts: object) =>
		shortHash(
			JSON.stringify(parts, (name, value: unknown) =>
				name.startsWith('cached') ? undefined : value,
			),
		);
	const zone = context.getTimezone();
	const output = context.getNodeParameter('output', 'simplified');
	const fields = context.getNodeParameter('fields', []);
	const compared = new Set(events.flatMap(({ compares = [] }) => compares));
	const readsNewest = compared.has('createdAt');
	const readsNewOnly = readsNewest && compared.size === 1;
	return {
		...settings,
		isTimed: list === 'people' || list === 'segment',
		readsNewest,
		readsNewOnly,
		hasWritableTimes: list === 'comments',
		aspects: aspectsFor(list, compared, { readsNewOnly, watchedFields }),
		form: outputFormOf({ output, fields }, settings.record),
		dueTimeOf: (task) => dueTimeOf(task, beforeDueMs, zone),
		beforeDueMs,
		watchedFields,
		list,
		events,
		settings: hashOf(watched),
		key: hashOf({ tenant: tenant.identity, ...watched }),
	};
}

/**
 * Returns the aspects of each record that the trigger remembers, in the order of `ASPECTS`.
 *
 * @param compared aspects that the chosen events compare
 */
function aspectsFor(
	list: WatchedList,
	compared: ReadonlySet<Aspect>,
	{ readsNewOnly, watchedFields }: Pick<Watch, 'readsNewOnly' | 'watchedFields'>,
): Aspect[] {
	const hasWatchedFields = watchedFields.length > 0;
	const isNeeded: Partial<Record<Aspect, boolean>> = {
		// Snapshots need creation times only for a high-water mark: the trigger forgets people created before the mark.
		createdAt: readsNewOnly,
		// An earlier `updatedAt` reveals a lagging replica, so triggers on people, segments and tasks always compare it.
		updatedAt: ['people', 'segment', 'tasks'].includes(list),
		// The values of watched fields replace the hash of the whole content.
		content: compared.has('content') && !hasWatchedFields,
		values: hasWatchedFields,
	};
	return ASPECTS.filter((aspect) => isNeeded[aspect] ?? compared.has(aspect));
}

/**
 * Returns the names of the watched fields, sorted; empty if no chosen event is an update.
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

/** Returns the parameter Time Before Due in ms; 0 if the user did not choose the event Task Due. */
function timeBeforeDueMs(context: Context, events: readonly EventDefinition[]): number {
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
 * Returns the time in ms since 1970 when Task Due happens. Returns undefined for a task that is completed, archived or
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
