import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { closeTenant, openTenant, OpenTrigger } from './support/openTenant';

const MINUTE_MS = 60_000;
const byId = (value: string) => ({ __rl: true, mode: 'id', value });

afterEach(closeTenant);

/** A tenant that keeps archived people out of its lists, and what is watched in it. */
function furnished() {
	const tenant = openTenant({ showsArchived: false });
	const segment = tenant.create('/segments', { title: 'Newsletter' });
	const iri = `/segments/${segment}`;
	const member = tenant.create('/people', { segments: [iri] });
	const person = tenant.create('/people', { familyName: 'Visser' });
	const workspace = tenant.create('/workspaces', { title: 'Sales' });
	const column = (name: string) => `/workspaces/${workspace}/columns/${name}`;
	const task = tenant.create('/tasks', { title: 'Call', status: column('a') });
	const comment = tenant.create(`/tasks/${task}/comments`, { description: 'Done' });
	tenant.passTo(tenant.now + MINUTE_MS);
	return { tenant, segment, iri, member, person, column, task, comment };
}

type Furnished = ReturnType<typeof furnished>;

/** Polls once, lets things happen, each followed by so many polls, and gives what started the workflow. */
async function itemsOf(
	on: Furnished,
	parameters: INodeParameters,
	acts: Array<() => void>,
	{ pollsBetween = 3 } = {},
): Promise<IDataObject[]> {
	const { tenant } = on;
	const trigger = new OpenTrigger(tenant, parameters);
	const found: IDataObject[] = [];
	const poll = async (times: number) => {
		for (let count = 0; count < times; count++) {
			const { items, failure } = await trigger.poll(tenant.now + MINUTE_MS);
			expect(failure).toBeUndefined();
			found.push(...(items ?? []));
		}
	};
	await poll(3);
	for (const act of acts) {
		act();
		tenant.passTo(tenant.now + 2_000);
		await poll(pollsBetween);
	}
	await poll(3);
	return found;
}

const TASKS = {
	watch: 'tasks',
	events: ['taskCreated', 'taskUpdated', 'taskMoved', 'taskCompleted'],
};
const PEOPLE = { watch: 'people', events: ['personCreated', 'personUpdated'] };
const eventsIn = (items: IDataObject[]) => items.map(({ event }) => event);

describe('what starts the workflow only once', () => {
	it('is a task moved twice between two looks: from the first column to the last', async () => {
		const on = furnished();
		const { tenant, task, column } = on;
		const move = (name: string) => () => tenant.change('/tasks', task, { status: column(name) });
		const acts = [move('b'), move('c')];
		const events = ['taskMoved'];
		const items = await itemsOf(on, { ...TASKS, events }, acts, { pollsBetween: 0 });
		expect(items).toMatchObject([{ previousStatus: column('a'), status: column('c') }]);
	});

	it('is a record that is changed twice between two looks', async () => {
		const on = furnished();
		const { tenant, person } = on;
		const change = () => tenant.change('/people', person, { jobTitle: 'Chief' });
		const items = await itemsOf(on, PEOPLE, [change, change], { pollsBetween: 0 });
		expect(eventsIn(items)).toEqual(['personUpdated']);
	});
});

describe('what does not start the workflow', () => {
	it('is a task moved there and back between two looks', async () => {
		const on = furnished();
		const { tenant, task, column } = on;
		const move = (name: string) => () => tenant.change('/tasks', task, { status: column(name) });
		const events = ['taskMoved'];
		const acts = [move('b'), move('a')];
		expect(await itemsOf(on, { ...TASKS, events }, acts, { pollsBetween: 0 })).toEqual([]);
	});

	it('is a change that gives no new time of change, such as that of a position', async () => {
		const on = furnished();
		const kept = on.tenant.kept('/tasks', on.task)!;
		expect(await itemsOf(on, TASKS, [() => (kept.fields.position = 7)])).toEqual([]);
	});

	it('is a comment that is edited', async () => {
		const on = furnished();
		const { tenant, task, comment } = on;
		const edit = () => tenant.change(`/tasks/${task}/comments`, comment, { description: 'Not' });
		const watched = { watch: 'comments', events: ['commentAdded'], taskId: byId(task) };
		expect(await itemsOf(on, watched, [edit])).toEqual([]);
	});

	it('is a member of a segment who is archived and restored, nor leaving and joining meanwhile', async () => {
		const on = furnished();
		const { tenant, member, iri } = on;
		const change = (fields: IDataObject) => () => tenant.change('/people', member, fields);
		const archivedAt = '2026-01-05T09:05:00Z';
		const events = ['personAddedToSegment', 'personRemovedFromSegment'];
		const watched = { watch: 'segment', events, segmentId: byId(on.segment) };
		const acts = [change({ archivedAt }), change({ archivedAt: null })];
		expect(await itemsOf(on, watched, acts)).toEqual([]);
		const meanwhile = [change({ archivedAt }), change({ segments: [iri] })];
		expect(await itemsOf(on, watched, [...meanwhile, change({ archivedAt: null })])).toEqual([]);
	});

	it('is a member who does not meet the filters, though they are deleted', async () => {
		const on = furnished();
		const { tenant, iri } = on;
		const other = tenant.create('/people', { segments: [iri], tags: ['/tags/2'] });
		const wanted = tenant.create('/people', { segments: [iri], tags: ['/tags/1'] });
		const watched = {
			watch: 'segment',
			events: ['personRemovedFromSegment'],
			segmentId: byId(on.segment),
			filters: { tagsId: ['/tags/1'] },
		};
		const remove = (id: string) => () => tenant.remove('/people', id);
		const items = await itemsOf(on, watched, [remove(other), remove(wanted)]);
		expect(items).toMatchObject([{ event: 'personRemovedFromSegment', id: wanted }]);
	});

	it('is a person who is archived and restored, but for the update', async () => {
		const on = furnished();
		const { tenant, person } = on;
		const change = (archivedAt: string | null) => () =>
			tenant.change('/people', person, { archivedAt });
		const items = await itemsOf(on, PEOPLE, [change('2026-01-05T09:05:00Z'), change(null)]);
		expect(eventsIn(items)).toEqual(['personUpdated']);
	});

	it('is somebody who meets the filters of Person Created later than they are created', async () => {
		const on = furnished();
		const { tenant } = on;
		const watched = {
			watch: 'people',
			events: ['personCreated'],
			filters: { tagsId: ['/tags/1'] },
		};
		let late = '';
		const create = () => {
			late = tenant.create('/people', {});
			tenant.create('/people', { tags: ['/tags/1'], familyName: 'Smit' });
		};
		const tag = () => tenant.change('/people', late, { tags: ['/tags/1'] });
		const items = await itemsOf(on, watched, [create, tag], { pollsBetween: 6 });
		expect(items).toMatchObject([{ event: 'personCreated', familyName: 'Smit' }]);
	});
});
