import type { Call, Endpoint } from './endpoint';
import type { Result } from './representation';
import type { Store } from './store';

const besides = (ids: Iterable<string>, id: string) => [...ids].find((other) => other !== id);

/** The endpoint that shows a record of each kind, by the JSON-LD type. */
const SHOWN_BY: Record<string, string> = {
	Person: 'getPerson',
	Workspace: 'getWorkspace',
	Segment: 'getSegment',
	Task: 'getTask',
	TaskComment: 'getComment',
	TaskHistory: 'getHistoryEntry',
};

/** The ids of all records beside which a record stands; of comments, those of the same task. */
function idsBeside(store: Store, type: string, taskId: string): string[] {
	const collections: Record<string, Iterable<string>> = {
		Person: store.people.keys(),
		Workspace: store.workspaces.keys(),
		Segment: store.segments.keys(),
		Task: store.tasks.keys(),
		TaskComment: (store.comments.get(taskId) ?? []).map(({ id }) => id),
		TaskHistory: (store.history.get(taskId) ?? []).map(({ id }) => id),
	};
	return [...(collections[type] ?? [])];
}

/** Another record of the same kind in place of the one of a result; the same where there is none. */
export function inPlaceOf(result: Result, call: Call, endpoints: Record<string, Endpoint>): Result {
	if (result.kind !== 'item') return result;
	const { iri, type } = result.item;
	const taskId = call.params.taskId ?? '';
	const other = besides(idsBeside(call.store, type, taskId), iri.split('/').at(-1) ?? '');
	if (other === undefined) return result;
	const shown = endpoints[SHOWN_BY[type]]({ ...call, params: { taskId, id: other } });
	return shown.kind === 'item' ? { ...shown, stored: result.stored } : result;
}
