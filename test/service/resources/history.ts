import { found, type Endpoint } from '../endpoint';
import type { HistoryEntry } from '../records';
import { list, type Shown } from '../representation';

const show =
	(taskId: string) =>
	(entry: HistoryEntry): Shown => ({
		iri: `/tasks/${taskId}/history/${entry.id}`,
		type: 'TaskHistory',
		fields: { ...entry },
		required: [],
	});

/** The history endpoints of interface section 4.4: oldest first, the default order. */
export const history: Record<string, Endpoint> = {
	listHistory: ({ store, params }) =>
		list('TaskHistory', store.history.get(params.taskId) ?? [], show(params.taskId)),
	getHistoryEntry: ({ store, params }) => {
		const entries = store.history.get(params.taskId);
		const entry = found(entries?.find(({ id }) => id === params.id));
		return { kind: 'item', item: show(params.taskId)(entry), stored: false };
	},
};
