import type { IDataObject } from 'n8n-workflow';
import { sampled } from '../../support/drawn';
import { CrmTenant } from './support/crmTenant';
import { closeTenant } from './support/openTenant';
import type { Furnished } from './support/script';
import { follow, furnished, watching } from './support/script';

/*
 * A trigger after a change of the base URL or the key: of the same company, it reports what happened in between; with
 * another company, it begins anew.
 */

afterEach(closeTenant);

type Follower = ReturnType<typeof follow>;

/** Changes of the credential. */
const CHANGES: Array<[what: string, change: (trigger: Follower['trigger']) => unknown]> = [
	['another key', ({ credential }) => (credential.apiKey += ' renewed')],
	['another host name', ({ credential }) => (credential.baseUrl = 'https://other.test')],
	[
		'another path in the base URL and in IRIs',
		({ credential, tenant }) => {
			credential.baseUrl += '/api';
			tenant.habits.prefix = '/api';
			tenant.switches.mountPath = '/api';
		},
	],
	[
		'another key and a restart of n8n',
		(trigger) => {
			trigger.credential.apiKey += ' renewed';
			trigger.kill();
		},
	],
];

/** Events, the change that causes each of 40, and the records before. */
const EVENTS: Array<[event: string, prepare: (on: Furnished) => () => string[]]> = [
	[
		'taskMoved',
		(on) => {
			const ids = on.many('/tasks', 50, { status: on.column('a') }, 1_000).slice(0, 40);
			return () => {
				for (const id of ids) on.tenant.change('/tasks', id, { status: on.column('b') });
				return ids;
			};
		},
	],
	[
		'personUpdated',
		(on) => {
			const ids = on.many('/people', 50, {}, 1_000).slice(0, 40);
			return () => {
				for (const id of ids) on.tenant.change('/people', id, { jobTitle: 'Chief' });
				return ids;
			};
		},
	],
	[
		'personCreated',
		(on) => {
			on.many('/people', 50, {}, 1_000);
			return () => on.many('/people', 40);
		},
	],
	[
		'personAddedToSegment',
		(on) => {
			on.many('/people', 50, on.inIt, 1_000);
			const ids = on.many('/people', 40, {}, 1_000);
			return () => {
				for (const id of ids) on.tenant.change('/people', id, on.inIt);
				return ids;
			};
		},
	],
];

/** Lets the key expire for half an hour, in which the changes happen. Returns the IDs of the changed records. */
async function expire({ tenant }: Furnished, { poll }: Follower, act: () => string[]) {
	tenant.failure = () => 401;
	await poll(15);
	const ids = act();
	await poll(15);
	tenant.failure = undefined;
	return ids;
}

describe.each(EVENTS)('a trigger on %s', (event, prepare) => {
	it.each(sampled(CHANGES))(
		'After refused polls and then %s, a trigger reports each change in between once',
		async (_, change) => {
			const on = furnished();
			const act = prepare(on);
			const followed = follow(on, watching(event)(on), { host: 'durableCursors' });
			const { trigger, ids, poll } = followed;
			await poll(10);
			const changed = await expire(on, followed, act);
			change(trigger);
			await poll(15);
			expect(ids().sort()).toEqual(changed.sort());
		},
	);

	it("With another company's key, a trigger reports no old record, but each later change", async () => {
		const on = furnished();
		const act = prepare(on);
		const { trigger, ids, poll } = follow(on, watching(event)(on));
		await poll(10);
		act();
		// The records of the other company have other IDs.
		const other = new CrmTenant();
		for (let count = 0; count < 500; count++) other.create('/workspaces');
		const segments = on.inIt.segments;
		const there = { ...on, tenant: other, inIt: { segments } };
		there.many = (path, count, fields = {}) =>
			Array.from({ length: count }, () => other.create(path, fields));
		const actThere = prepare(there);
		trigger.tenant = other;
		trigger.credential.apiKey += ' of another company';
		await poll(10);
		expect(ids()).toEqual([]);
		const changed = actThere();
		await poll(15);
		expect(ids().sort()).toEqual(changed.sort());
	});
});

it('While a new key shows empty lists, a trigger keeps all changes for later', async () => {
	const on = furnished();
	const act = EVENTS[0][1](on);
	const followed = follow(on, watching('taskMoved')(on));
	await followed.poll(10);
	const changed = await expire(on, followed, act);
	followed.trigger.credential.apiKey += ' renewed';
	on.tenant.shownPart = 0;
	await followed.poll(10);
	on.tenant.shownPart = 1;
	await followed.poll(10);
	expect(followed.ids().sort()).toEqual(changed.sort());
});

it('After a key change, a trigger does not report changes before its last poll', async () => {
	const on = furnished({ order: 'byTitle' });
	const ids = on.many('/tasks', 300, { status: on.column('a') });
	const given = { ...watching('taskMoved')(on), options: { maxRequestsPerPoll: 1 } };
	const { trigger, items, poll } = follow(on, given);
	// The list has eleven pages.
	await poll(14);
	const page = Number(/page=(\d+)$/.exec(on.tenant.requests.at(-1)!)?.[1] ?? 1);
	const [early, late] = [ids[30 * page - 15], ids[30 * page - 10]];
	on.tenant.change('/tasks', early, { status: on.column('b') });
	await poll(1);
	trigger.credential.apiKey += ' renewed';
	on.tenant.change('/tasks', late, { status: on.column('b') });
	await poll(25);
	expect(items.map(({ id }: IDataObject) => id)).toEqual([late]);
});
