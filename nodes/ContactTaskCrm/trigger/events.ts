import type { IDataObject } from 'n8n-workflow';
import { UnusableParameter } from '../common/errors';
import { MAX_PAGE_SIZE } from '../transport/paging';
import { CREDENTIAL } from '../transport/send';
import type { Context } from './chosen';
import { valuesOf } from './chosen';
import { keyFor } from './fingerprint';
import type { TriggerEvent } from './parameters';
import { completed, created, moved, updated } from './rules';
import type { Watch, WatchSettings } from './watch';
import { people, segment } from './watchPeople';
import { entries, tasks } from './watchTasks';

const UNKNOWN_BEFORE: Partial<Record<TriggerEvent, IDataObject>> = {
	personUpdated: { previousUpdatedAt: null },
	taskCompleted: { previousCompletedAt: null },
	taskMoved: { previousStatus: null },
	taskUpdated: { previousUpdatedAt: null },
};

/**
 * What the parameters of the node ask to watch.
 *
 * @param tenant what tells the tenant from others: a memory is of no use with another
 * @throws UnusableParameter naming the parameter that cannot be used
 */
export function watchOf(context: Context, tenant: string): Watch {
	const event = context.getNodeParameter('event') as TriggerEvent;
	const settings = settingsOf(event, context);
	const { path, filters, membership, anchor } = settings;
	const chosen = valuesOf(context.getNodeParameter('filters', {}));
	// A key may be changed, and a credential stays that of its tenant; another may be of another.
	const credential = context.getNode().credentials?.[CREDENTIAL]?.id;
	const watched = [tenant, credential, event, path, filters, membership, anchor, chosen];
	return {
		...settings,
		key: keyFor(JSON.stringify(watched)),
		unknownBefore: UNKNOWN_BEFORE[event] ?? {},
		pageSize: MAX_PAGE_SIZE,
	};
}

function settingsOf(event: TriggerEvent, context: Context): WatchSettings {
	switch (event) {
		case 'personCreated':
			return people(context, 'window', created);
		case 'personUpdated':
			return people(context, 'people', updated);
		case 'personAddedToSegment':
			return segment(context);
		case 'taskCreated':
			return tasks(context, created, 'newTasks');
		case 'taskUpdated':
			return tasks(context, updated);
		case 'taskMoved':
			return tasks(context, moved);
		case 'taskCompleted':
			return tasks(context, completed);
		case 'commentAdded':
			return entries(context, 'comments');
		case 'historyAdded':
			return entries(context, 'history');
		default:
			throw new UnusableParameter(
				`Trigger On: expected one of the events of the list, got "${String(event)}"`,
				'Open the node and choose what has to happen',
			);
	}
}
