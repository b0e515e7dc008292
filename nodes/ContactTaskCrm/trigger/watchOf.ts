import { UnusableParameter } from '../common/errors';
import type { Context } from './chosen';
import { valuesOf } from './chosen';
import type { EventDefinition, WatchedList } from './events';
import { eventsOf } from './events';
import { shortHash } from './fingerprint';
import { LISTS } from './lists';
import type { Aspect } from './observation';
import { MAX_PAGE_SIZE } from '../transport/paging';
import { CREDENTIAL } from '../transport/send';
import type { Watch } from './watch';

/**
 * What the parameters of the node ask to watch.
 *
 * @param tenant what tells the tenant from others: a state is of no use with another
 * @throws UnusableParameter naming the parameter that cannot be used
 */
export function watchOf(context: Context, tenant: string): Watch {
	const list = context.getNodeParameter('watch') as WatchedList;
	if (!Object.keys(LISTS).includes(list)) {
		throw new UnusableParameter(
			`Trigger On: expected one of the list, got "${String(list)}"`,
			'Open the node and choose what to watch',
		);
	}
	const settings = LISTS[list](context);
	const events = chosenEvents(context, list);
	const { path, filters, anchors } = settings;
	const chosen = valuesOf(context.getNodeParameter('filters', {}));
	// A key may be changed, and a credential stays that of its tenant; another may be of another.
	const credential = context.getNode().credentials?.[CREDENTIAL]?.id;
	const names = events.map(({ value }) => value);
	const key = shortHash(
		JSON.stringify([tenant, credential, list, names, path, filters, anchors, chosen]),
	);
	return { ...settings, ...readingOf(list, events), list, events, key, pageSize: MAX_PAGE_SIZE };
}

/** How a list is read for the events that were chosen. */
export function readingOf(list: WatchedList, events: readonly EventDefinition[]) {
	const isPeople = list === 'people';
	const isTimed = isPeople || list === 'segment';
	const aspects = [...new Set(events.flatMap(({ compares }): readonly Aspect[] => compares))];
	const hasWindow = isPeople && aspects.includes('createdAt');
	return {
		isTimed,
		hasWindow,
		hasScan: !isPeople || aspects.includes('updatedAt'),
		mayBeBackdated: list === 'comments',
		aspects,
	};
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
