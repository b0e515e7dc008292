import type { Answer, CrmTenant } from './support/crmTenant';
import { closeTenant } from './support/openTenant';
import { MINUTE_MS, WATCHED } from './support/schedule';
import { follow, furnished, watching } from './support/script';

afterEach(closeTenant);

const [, LEFT] = WATCHED.segment;

/** Has lists show a part of their records alone, with totals to match, while an index is rebuilt. */
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

describe.each([5, 20, 60, 200])('a segment of %d', (count) => {
	it.each([
		[2, 0, false],
		[3, 0, false],
		[5, 0, false],
		[5, 0, true],
		[5, 0.1, false],
	])(
		'a list that shows too few for %d minutes (a part of %d; somebody leaves: %s) tells nobody else as removed',
		async (minutes, part, isLeaving) => {
			const on = furnished();
			const { tenant, inIt, person } = on;
			const ids = on.many('/people', count, inIt, 1_000);
			const { poll, items, failures } = follow(on, watching(WATCHED.segment)(on));
			await poll(40);
			let until = 0;
			rebuilt(tenant, part, () => tenant.now < until);
			if (isLeaving) tenant.change('/people', ids[2], { segments: [] });
			until = tenant.now + minutes * MINUTE_MS;
			await poll(80);
			expect(items.map(({ event, id }) => [event, id])).toEqual(isLeaving ? [[LEFT, ids[2]]] : []);
			items.length = 0;
			tenant.change('/people', person, inIt);
			await poll(30);
			expect(items).toMatchObject([{ id: person }]);
			expect(failures).toEqual([]);
		},
	);

	it('four fifths of the members leave at once: all of them are told', async () => {
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
