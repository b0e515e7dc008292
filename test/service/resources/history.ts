import type { HistoryEntry } from '../records';
import { endpointsOf } from '../resource';
import { showTimes } from '../timestamps';

/** The history endpoints of interface section 4.4: oldest first, the default order. */
export const history = endpointsOf<HistoryEntry>({
	schema: 'HistoryEntry',
	plural: 'History',
	type: 'TaskHistory',
	iri: ({ id }, { params }) => `/tasks/${params.taskId}/history/${id}`,
	show: (entry, { switches: { timezone } }) => ({
		...entry,
		changes: entry.changes.map(({ field, oldValue, newValue }) => ({
			field,
			oldValue: showTimes(oldValue, timezone, field),
			newValue: showTimes(newValue, timezone, field),
		})),
	}),
	all: ({ store, params }) => store.history.get(params.taskId) ?? [],
	find: ({ store, params }) => store.history.get(params.taskId)?.find(({ id }) => id === params.id),
});
