import { itInCi, sampled } from '../../support/drawn';
import { closeTenant } from './support/openTenant';
import { MINUTE_MS } from './support/schedule';
import { follow, furnished, watching } from './support/script';

/* People whom Person Created alone sees late: the service ignores time filters, or shows no creation times. */

afterEach(closeTenant);

itInCi(
	'If the service ignores order and time filters, Person Created reports each imported person',
	async () => {
		const on = furnished({
			ignoresTime: true,
			order: 'newestFirst',
			mostPerPage: 5,
			latencyMs: 100,
			seed: 2,
		});
		const given = { options: { maxRequestsPerPoll: 10 } };
		const { ids, poll } = follow(on, watching('personCreated', given)(on));
		await poll(1);
		const imported: string[] = [];
		await poll(10, MINUTE_MS, () => imported.push(...on.many('/people', 40, {}, 50)));
		await poll(60);
		expect(ids().sort()).toEqual(imported.sort());
	},
);

describe('people without a creation time (undated people)', () => {
	it.each(
		sampled(
			[
				[0.5, 100, true],
				[0.5, 100, false],
				[0.05, 300, false],
			] as const,
			2,
		),
	)(
		'Person Created reports newcomers once (undated fraction: %d of %d; service ignores filters: %s)',
		async (undated, count, ignoresTime) => {
			const on = furnished({ undated, ignoresTime, order: 'byTitle' });
			on.many('/people', count, {}, 1_000);
			const given = { options: { maxRequestsPerPoll: 4 } };
			const { ids, poll } = follow(on, watching('personCreated', given)(on));
			await poll(30);
			const added: string[] = [];
			await poll(40, MINUTE_MS, () => added.push(...on.many('/people', 1)));
			await poll(15);
			expect(ids().sort()).toEqual(added.sort());
		},
	);

	it('While people arrive every minute, Person Created reports those without a creation time, too', async () => {
		const on = furnished({ undated: 0.5, order: 'byTitle' });
		on.many('/people', 600, {}, 1_000);
		const { ids, poll } = follow(on, watching('personCreated')(on));
		const added: string[] = [];
		await poll(60, MINUTE_MS, () => added.push(...on.many('/people', 1)));
		expect(ids()).toEqual(expect.arrayContaining(added.slice(30, 55)));
	});

	it('Beside undated people, Person Created reports people with a creation time within a minute', async () => {
		const on = furnished({ undated: 0.02, order: 'byTitle', seed: 3 });
		on.many('/people', 600, {}, 1_000);
		const { found, poll } = follow(on, watching('personCreated')(on));
		await poll(60);
		const at = new Map<string, number>();
		await poll(60, MINUTE_MS, () => at.set(on.tenant.create('/people'), on.tenant.now));
		const delays = found
			.filter(({ item }) => item.createdAt !== null)
			.map(({ at: then, item }) => then - at.get(String(item.id))!);
		expect(delays.length).toBeGreaterThan(50);
		expect(Math.max(...delays)).toBeLessThanOrEqual(MINUTE_MS);
	});

	it('A trigger reports an undated person as created, and updated only after a change', async () => {
		const on = furnished({ undated: 1 });
		on.many('/people', 10, {}, 1_000);
		const { items, poll } = follow(on, watching(['personCreated', 'personUpdated'])(on));
		await poll(5);
		const id = on.tenant.create('/people');
		await poll(5);
		on.tenant.change('/people', id, { jobTitle: 'Chief' });
		await poll(5);
		expect(items.map((item) => [item.id, item.event])).toEqual([
			[id, 'personCreated'],
			[id, 'personUpdated'],
		]);
	});
});
