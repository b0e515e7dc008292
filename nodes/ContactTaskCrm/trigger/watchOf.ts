import type { IDataObject } from 'n8n-workflow';
import type { RecordContract } from '../schema/record';
import { inZone } from '../util/dateTime';
import { outputFormOf } from '../run/output';
import type { NameTable } from '../tenant/nameTable';
import { UnusableParameter } from '../util/errors';
import { isBlank, locatedIn, referencesIn } from '../util/values';
import type { EventDefinition, WatchedList } from './events';
import { eventsOf } from './events';
import type { Context } from './lists';
import { LISTS } from './lists';
import { ASPECTS, shortHash, watchableFields } from './remembered';
import { MAX_PAGE_SIZE } from '../http/paging';
import { CREDENTIAL } from '../http/credential';
import type { Watch } from './watch';

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
	const { path, filters, anchors } = settings;
	const chosen = valuesOf(context.getNodeParameter('filters', {}));
	const credential = context.getNode().credentials?.[CREDENTIAL]?.id;
	const names = events.map(({ value }) => value);
	const key = shortHash(
		JSON.stringify([
			...[tenant, credential, list, names, path, filters, anchors, chosen],
			...[watchedFields, beforeDueMs],
		]),
	);
	const zone = context.getTimezone();
	return {
		...settings,
		...readingOf(list, events, watchedFields),
		form: outputFormOf(context, settings.record),
		dueTimeOf: (task) => dueTimeOf(task, beforeDueMs, zone),
		watchedFields,
		list,
		events,
		key,
		pageSize: MAX_PAGE_SIZE,
	};
}

/** How a list is read for the events that were chosen. */
function readingOf(
	list: WatchedList,
	events: readonly EventDefinition[],
	watchedFields: readonly string[],
) {
	const isPeople = list === 'people';
	const isTimed = isPeople || list === 'segment';
	const compared = new Set<string>(events.flatMap(({ compares }) => compares));
	const hasWindow = isPeople && compared.has('createdAt');
	const hasScan = !isPeople || compared.has('content');
	// Who was created is forgotten by that time, unless there is a scan.
	if (hasScan) compared.delete('createdAt');
	if (watchedFields.length > 0 && compared.delete('content')) compared.add('values');
	// Copies that lag behind are told by it, whatever the events compare.
	if (isPeople || list === 'segment' || list === 'tasks') compared.add('updatedAt');
	const aspects = ASPECTS.filter((aspect) => compared.has(aspect));
	return { isTimed, hasWindow, hasScan, mayBeBackdated: list === 'comments', aspects };
}

/** @throws UnusableParameter where a field is not one of the record */
function chosenFields(
	context: Context,
	events: readonly EventDefinition[],
	{ fields, noun }: RecordContract,
): string[] {
	if (!events.some(({ compares }) => compares.includes('content'))) return [];
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
	if (!events.some(({ compares }) => compares.includes('due'))) return 0;
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

/** The filters without the names that their lists showed, which may change. */
function valuesOf(chosen: unknown): unknown {
	if (typeof chosen !== 'object' || chosen === null) return [];
	return Object.entries(chosen)
		.map(([name, value]) => [name, referencesIn(locatedIn(value))])
		.filter(([, values]) => (values as unknown[]).length > 0)
		.sort(([one], [other]) => (String(one) < String(other) ? -1 : 1));
}
