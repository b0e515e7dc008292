import { sampled } from '../../support/drawn';
import type { Answer, CrmTenant } from './support/crmTenant';
import { closeTenant } from './support/openTenant';
import { MINUTE_MS, WATCHED } from './support/schedule';
import { follow, furnished, watching } from './support/script';

/** Simulates hours of many runs or triggers. */
jest.setTimeout(600_000);

afterEach(closeTenant);

const [, LEFT] = WATCHED.segment;

/** Makes lists show only a part of their records, with matching totals, like a service that rebuilds its index. */
function rebuilt(tenant: CrmTenant, part: number, isUnderWay: () => boolean) {
	const answer = tenant.answer.bind(tenant);
	tenant.answer = async (path, query) => {
		if (path !== '/people' || !isUnderWay()) return await answer(path, query);
		const shown = Math.floor(part * tenant.present('/people').length);
		const whole = (await answer(path, new URLSearchParams({ itemsPerPage: '30' }))) as Answer;
		const { member } = whole.body as { member: unknown[] };
		const isFirst = !query.has('page') && !query.has('createdAt[after]');
		const rest = query.has('exists[archivedAt]') || !isFirst ? [] : member.slice(0, shown);
		return { status: 200, body: { member: rest, totalItems: rest.length, view: {} } };
	};
}

describe.each(sampled([60, 5, 20, 200]))('a segment of %d people', (count) => {
	it.each(
		sampled<[minutes: number, part: number, isLeaving: boolean]>([
			[2, 0, false],
			[3, 0, false],
			[5, 0, false],
			[5, 0, true],
			[5, 0.1, false],
			[5, 0.5, false],
			[5, 0.8, false],
		]),
	)(
		'With lists incomplete for %d minutes (shown fraction: %d), a trigger invents no leaver',
		async (minutes, part, isLeaving) => {
			const on = furnished();
			const { tenant, inIt, person } = on;
			const ids = on.many('/people', count, inIt, 1_000);
			const { poll, items, failures } = follow(on, watching(WATCHED.segment)(on));
			await poll(20);
			let until = 0;
			rebuilt(tenant, part, () => tenant.now < until);
			if (isLeaving) tenant.change('/people', ids[2], { segments: [] });
			until = tenant.now + minutes * MINUTE_MS;
			await poll(40);
			expect(items.map(({ event, id }) => [event, id])).toEqual(isLeaving ? [[LEFT, ids[2]]] : []);
			items.length = 0;
			tenant.change('/people', person, inIt);
			await poll(30);
			expect(items).toMatchObject([{ id: person }]);
			expect(failures).toEqual([]);
		},
	);

	it('A trigger reports each leaver if four fifths of a segment leave together', async () => {
		const on = furnished();
		const { tenant, inIt } = on;
		const ids = on.many('/people', count, inIt, 1_000);
		const { poll, items } = follow(on, watching(LEFT)(on));
		await poll(40);
		const leavers = ids.slice(0, 0.8 * count);
		for (const id of leavers) tenant.change('/people', id, { segments: [] });
		await poll(30);
		expect(items.map(({ id }) => id).sort()).toEqual(leavers.sort());
	});
});

describe.each(sampled([60, 1, 5, 200]))('a deleted segment of %d people', (count) => {
	it.each(sampled([true, false]))(
		'A trigger on a deleted segment reports nobody, and fails once (members change: %s)',
		async (areChanged) => {
			const on = furnished();
			const { tenant, inIt, segment } = on;
			const ids = on.many('/people', count, inIt, 1_000);
			const { poll, items, failures } = follow(on, watching(WATCHED.segment)(on));
			await poll(40);
			let isDeleted = false;
			rebuilt(tenant, 0, () => isDeleted);
			// This time may lie in the middle of a scan. Even then, the trigger must report nobody.
			tenant.schedule(tenant.now + 63_700, () => {
				isDeleted = true;
				tenant.remove('/segments', segment);
				if (areChanged) for (const id of ids) tenant.change('/people', id, { segments: [] });
			});
			await poll(60);
			await poll(22 * 6, 10 * MINUTE_MS);
			expect(items).toEqual([]);
			expect(failures).toEqual([
				`The segment "${segment}" no longer exists, or the key may no longer see it`,
			]);
		},
	);
});

it.each(sampled([60, 200, 600]))(
	'After one leaver, the deletion of a %d-person segment makes its trigger fail once',
	async (count) => {
		const on = furnished();
		const { tenant, inIt, segment } = on;
		const ids = on.many('/people', count, inIt, 1_000);
		const { poll, items, failures } = follow(on, watching(LEFT)(on));
		await poll(count / 15 + 40);
		tenant.change('/people', ids[5], { segments: [] });
		for (let polls = 0; items.length === 0 && polls < 200; polls++) await poll();
		expect(items.map(({ id }) => id)).toEqual([ids[5]]);
		tenant.remove('/segments', segment);
		for (const id of ids.slice(6)) tenant.change('/people', id, { segments: [] });
		await poll(count / 15 + 120);
		expect(items).toHaveLength(1);
		expect(failures).toEqual([
			`The segment "${segment}" no longer exists, or the key may no longer see it`,
		]);
	},
);

/** Makes the list of a segment show only its newest nine records, as if there were no others. */
function hideMost(tenant: CrmTenant) {
	const answer = tenant.answer.bind(tenant);
	tenant.answer = async (path, query) => {
		if (path !== '/people') return await answer(path, query);
		const newest = new URLSearchParams({ itemsPerPage: '9', 'order[createdAt]': 'desc' });
		newest.set('segments.uuid', query.get('segments.uuid')!);
		const { body } = (await answer(path, newest)) as Answer;
		const { member } = body as { member: unknown[] };
		const shown = query.has('exists[archivedAt]') ? [] : member.reverse();
		return { status: 200, body: { member: shown, totalItems: shown.length, view: {} } };
	};
}

it('If a list hides most members for hours, a trigger reports only who joins', async () => {
	const on = furnished();
	const { tenant, inIt } = on;
	on.many('/people', 60, inIt, 1_000);
	const { poll, items, failures } = follow(on, watching(WATCHED.segment)(on));
	await poll(40);
	hideMost(tenant);
	await poll(100);
	expect(items).toEqual([]);
	const join = tenant.create('/people', inIt);
	await poll(60);
	expect(items.map(({ id }) => id)).toEqual([join]);
	expect(failures).toEqual([]);
});

it.each([
	[2, 1],
	[5, 3],
	[10, 5],
])(
	'A poll of %d requests spends the first %d on checking missing members',
	async (maxRequestsPerPoll, most) => {
		const on = furnished();
		const { tenant, inIt } = on;
		on.many('/people', 60, inIt, 1_000);
		const parameters = watching(LEFT, { options: { maxRequestsPerPoll } })(on);
		const { poll } = follow(on, parameters, { requestsPerMinute: 100 });
		await poll(60);
		hideMost(tenant);
		// The trigger needs some scans to find that members are missing.
		await poll(20);
		for (let count = 0; count < 10; count++) {
			const { length } = tenant.requests;
			await poll();
			const areLists = tenant.requests.slice(length).map((request) => request.includes('?'));
			expect(areLists.indexOf(true)).toBe(most);
			expect(areLists.lastIndexOf(false)).toBe(most - 1);
		}
	},
);

it('If the first scan misses an archived member, the trigger ignores its unarchiving', async () => {
	const on = furnished({ ignoresTime: true, showsArchived: false, order: 'byTitle' });
	const { tenant, inIt } = on;
	const archived = { ...inIt, archivedAt: '2026-01-05T08:00:00Z' };
	const ids = on.many('/people', 70, archived);
	// After the second page of the archive was read, its first person is deleted, so that the last page moves up by one.
	const answer = tenant.answer.bind(tenant);
	let removed = false;
	tenant.answer = async (path, query) => {
		const given = await answer(path, query);
		if (!removed && query.has('exists[archivedAt]') && query.get('page') === '2') {
			removed = true;
			tenant.remove('/people', ids[0]);
		}
		return given;
	};
	const { items, poll } = follow(on, watching('personAddedToSegment')(on));
	await poll(30);
	expect(removed).toBe(true);
	for (const id of ids.slice(1)) tenant.change('/people', id, { archivedAt: null });
	await poll(30);
	expect(items).toEqual([]);
});
