import { sampled } from '../../support/drawn';
import { closeTenant } from './support/openTenant';
import { MINUTE_MS, WATCHED } from './support/schedule';
import { follow, furnished, watching } from './support/script';

afterEach(closeTenant);

const HOUR_MS = 60 * MINUTE_MS;
const AHEAD = [
	['a day', 24 * HOUR_MS],
	['a year', 365 * 24 * HOUR_MS],
] as const;

describe.each(sampled(AHEAD, 2))(
	'a time of change %s ahead of the clock of the service',
	(_, ms) => {
		it.each([
			['taskUpdated', '/tasks'],
			['personUpdated', '/people'],
		])(
			'After an updatedAt in the future, a trigger reports each later change once: %s',
			async (event, path) => {
				const on = furnished();
				const { tenant } = on;
				const [id] = on.many(path, 50);
				const { poll, items } = follow(on, watching(event)(on));
				tenant.change(path, id, { title: 'Ahead', familyName: 'Ahead' }, ms);
				await poll(10);
				expect(items).toEqual([]);
				for (let count = 1; count <= 3; count++) {
					tenant.change(path, id, { title: `Change ${count}`, familyName: `Change ${count}` });
					await poll(10);
					expect(items.map((item) => item.id)).toEqual(Array(count).fill(id));
				}
			},
		);
	},
);

it.each([
	['taskUpdated', '/tasks'],
	['personUpdated', '/people'],
])(
	'A trigger reports a change once although its updatedAt lies in the future: %s',
	async (event, path) => {
		const on = furnished();
		const { tenant } = on;
		const [id] = on.many(path, 20);
		const { poll, items } = follow(on, watching(event)(on));
		await poll(5, HOUR_MS);
		tenant.change(path, id, { title: 'Ahead', familyName: 'Ahead' }, 1.5 * HOUR_MS);
		await poll(1, HOUR_MS);
		expect(items.map((item) => item.id)).toEqual([id]);
		tenant.change(path, id, { title: 'Later', familyName: 'Later' }, 600_000);
		await poll(2, HOUR_MS);
		expect(items.map((item) => item.id)).toEqual([id, id]);
		await poll(3, HOUR_MS);
		expect(items).toHaveLength(2);
	},
);

describe.each(sampled(AHEAD, 2))(
	'a creation time %s ahead of the clock of the service',
	(_, ms) => {
		it.each([
			['personCreated', '/people'],
			[WATCHED.people, '/people'],
			['taskCreated', '/tasks'],
			[WATCHED.tasks, '/tasks'],
		])(
			'For %j, a trigger reports no record from before publishing, even with future createdAt',
			async (event, path) => {
				const on = furnished();
				const { tenant } = on;
				for (let count = 0; count < 100; count++) {
					tenant.create(
						path,
						{ title: `${count}`, familyName: `${count}` },
						count % 33 === 0 ? -ms : 0,
					);
				}
				const { poll, ids: told } = follow(on, watching(event)(on));
				await poll(20);
				expect(told()).toEqual([]);
				const created = tenant.create(path, { title: 'New', familyName: 'New' });
				await poll(10);
				expect(told()).toEqual([created]);
			},
		);
	},
);
