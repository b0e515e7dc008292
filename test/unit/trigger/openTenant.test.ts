import type { INodeParameters } from 'n8n-workflow';
import type { CrmTenant } from './support/crmTenant';
import { closeTenant, openTenant, OpenTrigger } from './support/openTenant';

const MINUTE_MS = 60_000;
const byId = (value: string) => ({ __rl: true, mode: 'id', value });

afterEach(closeTenant);

/** A tenant with a segment, its member, somebody else, and a task. */
function furnished() {
	const tenant = openTenant({ order: 'newestFirst' });
	const segment = tenant.create('/segments', { title: 'Newsletter' });
	const member = tenant.create('/people', { segments: [`/segments/${segment}`] });
	const person = tenant.create('/people', { familyName: 'Visser' });
	const task = tenant.create('/tasks', { title: 'Call', status: '/workspaces/1/columns/a' });
	tenant.passTo(tenant.now + MINUTE_MS);
	return { tenant, segment, member, person, task };
}

type Furnished = ReturnType<typeof furnished>;
type Case = [
	event: string,
	parameters: (on: Furnished) => INodeParameters,
	act: (on: Furnished) => void,
];

const joined = (iri: string) => ({ segments: [`/segments/${iri}`] });
const change = (tenant: CrmTenant, id: string, fields: object) =>
	tenant.change('/tasks', id, { ...fields });

const CASES: Case[] = [
	['personCreated', () => ({ watch: 'people' }), ({ tenant }) => tenant.create('/people')],
	[
		'personUpdated',
		() => ({ watch: 'people' }),
		({ tenant, person }) => tenant.change('/people', person, { jobTitle: 'Chief' }),
	],
	[
		'personAddedToSegment',
		({ segment }) => ({ watch: 'segment', segmentId: byId(segment) }),
		({ tenant, person, segment }) => tenant.change('/people', person, joined(segment)),
	],
	[
		'personRemovedFromSegment',
		({ segment }) => ({ watch: 'segment', segmentId: byId(segment) }),
		({ tenant, member }) => tenant.change('/people', member, { segments: [] }),
	],
	['taskCreated', () => ({ watch: 'tasks' }), ({ tenant }) => tenant.create('/tasks')],
	[
		'taskUpdated',
		() => ({ watch: 'tasks' }),
		({ tenant, task }) => change(tenant, task, { title: 'Call again' }),
	],
	[
		'taskMoved',
		() => ({ watch: 'tasks' }),
		({ tenant, task }) => change(tenant, task, { status: '/workspaces/1/columns/b' }),
	],
	[
		'taskCompleted',
		() => ({ watch: 'tasks' }),
		({ tenant, task }) => change(tenant, task, { completedAt: '2026-01-05T09:02:00Z' }),
	],
	[
		'commentAdded',
		({ task }) => ({ watch: 'comments', taskId: byId(task) }),
		({ tenant, task }) => tenant.create(`/tasks/${task}/comments`, { description: 'Done' }),
	],
	[
		'historyAdded',
		({ task }) => ({ watch: 'history', taskId: byId(task) }),
		({ tenant, task }) => change(tenant, task, { title: 'Call again' }),
	],
];

describe.each(CASES)('%s, over a tenant in virtual time', (event, parameters, act) => {
	it('starts with what happens while a poll is under way, once, and across a kill', async () => {
		const on = furnished();
		const { tenant } = on;
		const trigger = new OpenTrigger(tenant, { ...parameters(on), events: [event] });
		const events = [];
		for (let count = 0; count < 12; count++) {
			const { items, failure } = await trigger.poll(tenant.now + MINUTE_MS);
			expect(failure).toBeUndefined();
			events.push(...(items ?? []));
			if (count === 3) tenant.schedule(tenant.now + MINUTE_MS + 1, () => act(on));
			if (count === 8) trigger.kill();
		}
		expect(events).toMatchObject([{ event }]);
	});
});
