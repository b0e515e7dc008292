import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { CrmTenant } from '../unit/trigger/support/crmTenant';
import { openTenant, OpenTrigger } from '../unit/trigger/support/openTenant';

const MINUTE_MS = 60_000;
/** Polls before the memory is saved: the list has been read, and a second reading is under way. */
const POLLS_BEFORE = 5;
/** Polls until a change has started the workflow. */
const POLLS_AFTER = 6;

const byId = (value: string) => ({ __rl: true, mode: 'id', value });

/** A tenant that is the same each time, down to its ids. */
function furnished() {
	const tenant = openTenant({ order: 'newestFirst' });
	const segment = tenant.create('/segments', { title: 'Newsletter' });
	const member = tenant.create('/people', { segments: [`/segments/${segment}`] });
	const person = tenant.create('/people', { familyName: 'Visser' });
	const task = tenant.create('/tasks', { title: 'Call', status: '/workspaces/1/columns/a' });
	for (let index = 0; index < 40; index++) tenant.create('/tasks', { title: `Task ${index}` });
	tenant.create(`/tasks/${task}/comments`, { description: 'First' });
	tenant.passTo(tenant.now + MINUTE_MS);
	return { tenant, segment, member, person, task };
}

type Furnished = ReturnType<typeof furnished>;

/** What is watched, and something that starts the workflow. */
export interface SavedTrigger {
	watch: string;
	parameters: (on: Furnished) => INodeParameters;
	act: (on: Furnished) => void;
	event: string;
}

const change = (tenant: CrmTenant, list: string, id: string, fields: IDataObject) =>
	tenant.change(list as '/tasks', id, fields);

export const SAVED_TRIGGERS: SavedTrigger[] = [
	{
		watch: 'people',
		parameters: () => ({ events: ['personCreated', 'personUpdated'] }),
		act: ({ tenant, person }) => change(tenant, '/people', person, { jobTitle: 'Chief' }),
		event: 'personUpdated',
	},
	{
		watch: 'people',
		parameters: () => ({ events: ['personCreated'] }),
		act: ({ tenant }) => tenant.create('/people', { familyName: 'Jansen' }),
		event: 'personCreated',
	},
	{
		watch: 'segment',
		parameters: ({ segment }) => ({
			segmentId: byId(segment),
			events: ['personAddedToSegment', 'personRemovedFromSegment'],
		}),
		act: ({ tenant, member }) => change(tenant, '/people', member, { segments: [] }),
		event: 'personRemovedFromSegment',
	},
	{
		watch: 'tasks',
		parameters: () => ({ events: ['taskCreated', 'taskMoved', 'taskCompleted'] }),
		act: ({ tenant, task }) =>
			change(tenant, '/tasks', task, { status: '/workspaces/1/columns/b' }),
		event: 'taskMoved',
	},
	{
		watch: 'comments',
		parameters: ({ task }) => ({ taskId: byId(task), events: ['commentAdded'] }),
		act: ({ tenant, task }) => tenant.create(`/tasks/${task}/comments`, { description: 'Done' }),
		event: 'commentAdded',
	},
	{
		watch: 'history',
		parameters: ({ task }) => ({ taskId: byId(task), events: ['historyAdded'] }),
		act: ({ tenant, task }) => change(tenant, '/tasks', task, { title: 'Call again' }),
		event: 'historyAdded',
	},
];

/** What n8n's database holds of a trigger that has polled for some minutes. */
export async function recordMemory(saved: SavedTrigger): Promise<string> {
	const on = furnished();
	const trigger = triggerOn(on, saved);
	for (let count = 0; count < POLLS_BEFORE; count++) {
		await trigger.poll(on.tenant.now + MINUTE_MS);
	}
	return trigger.database;
}

/** What starts the workflow once a new version goes on with that memory, and something happens. */
export async function goOn(saved: SavedTrigger, memory: string) {
	const on = furnished();
	on.tenant.passTo(on.tenant.now + POLLS_BEFORE * MINUTE_MS);
	const trigger = triggerOn(on, saved, memory);
	const events: unknown[] = [];
	for (let count = 0; count < POLLS_AFTER; count++) {
		const { items, failure } = await trigger.poll(on.tenant.now + MINUTE_MS);
		if (failure) throw failure;
		events.push(...(items ?? []).map(({ event }) => event));
		if (count === 1) saved.act(on);
	}
	return events;
}

function triggerOn(on: Furnished, { watch, parameters }: SavedTrigger, memory?: string) {
	const set = { watch, ...parameters(on), options: { maxRequestsPerPoll: 10 } };
	return new OpenTrigger(on.tenant, set, { host: 'durableCursors', memory });
}
