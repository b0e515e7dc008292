import { sampled } from '../../support/drawn';
import { closeTenant } from './support/openTenant';
import { MINUTE_MS } from './support/schedule';
import { follow, furnished, watching } from './support/script';

afterEach(closeTenant);

it.each(
	sampled(
		[
			[60, 1_000, undefined],
			[120, 1_000, undefined],
			[120, 1_000, 2],
			[120, 3_000, undefined],
		] as const,
		2,
	),
)(
	'A trigger reports %d moves among %d tasks within five minutes (Max Requests: %p)',
	async (count, tasks, maxRequestsPerPoll) => {
		const on = furnished({ order: 'changedFirst' });
		const { tenant, column } = on;
		const ids = on.many('/tasks', tasks, { status: column('a') }, 1_000);
		const options = maxRequestsPerPoll === undefined ? {} : { maxRequestsPerPoll };
		const { poll, found } = follow(on, watching('taskMoved', { options })(on));
		await poll(Math.ceil(tasks / 30) + 10);
		const moved = ids.filter((_, index) => index % 5 === 0).slice(0, count);
		for (const id of moved) {
			tenant.passTo(tenant.now + 100);
			tenant.change('/tasks', id, { status: column('b') });
		}
		const at = tenant.now;
		await poll(6);
		expect(found.map(({ item }) => item.id).sort()).toEqual(moved);
		expect(Math.max(...found.map((one) => one.at - at))).toBeLessThanOrEqual(5 * MINUTE_MS);
	},
);

it('A trigger finds a moved task on page two behind tasks renamed later', async () => {
	const on = furnished({ order: 'changedFirst' });
	const { tenant, column } = on;
	const ids = on.many('/tasks', 1_000, { status: column('a') }, 1_000);
	const { poll, items } = follow(on, watching('taskMoved')(on));
	await poll(50);
	const [moved, ...others] = ids.filter((_, index) => index % 20 === 10).slice(0, 45);
	tenant.change('/tasks', moved, { status: column('b') });
	for (const id of others) {
		tenant.passTo(tenant.now + 1_000);
		tenant.change('/tasks', id, { title: 'New' });
	}
	await poll(2);
	expect(items).toMatchObject([{ id: moved }]);
});
