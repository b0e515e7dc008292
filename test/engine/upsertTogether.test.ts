import type { SwitchChanges } from '../service';
import { items, useScene } from './support/scene';
import { PEOPLE, TAGS } from './support/seeded';

const EMAILS = PEOPLE.map(({ emailAddresses }) => emailAddresses[0]?.email ?? '').filter(Boolean);

describe('creating or updating many people', () => {
	const scene = useScene();
	const count = () => scene.service.store.people.size;
	const reads = () => scene.requests().filter(({ method }) => method === 'GET');
	const writes = () => scene.requests().filter(({ method }) => method !== 'GET');

	/** A file of people: every other one is there already. */
	const file = (rows: number) =>
		items(rows, (index) => ({
			email: index % 2 === 0 ? EMAILS[index / 2] : `new${index}@mail.example`,
			job: `Job ${index}`,
		}));
	const run = async (rows: ReturnType<typeof file>, more: Record<string, unknown> = {}) =>
		await scene.run({
			parameters: {
				resource: 'person',
				operation: 'upsert',
				matchBy: 'email',
				matchValue: '={{ $json.email }}',
				familyName: 'Jansen',
				additionalFields: { jobTitle: '={{ $json.job }}' },
				...more,
			},
			input: rows,
		});

	it('looks up thirty at a time, writes what differs, and nothing the second time', async () => {
		const rows = file(100);
		const first = await run(rows);
		expect(first.error).toBeUndefined();
		expect(count()).toBe(PEOPLE.length + 50);
		expect(first.items.map(({ json }) => json.result)).toEqual(
			rows.map((_, index) => (index % 2 === 0 ? 'updated' : 'created')),
		);
		expect(first.items.map(({ pairedItem }) => pairedItem)).toEqual(
			rows.map((_, item) => ({ item })),
		);
		expect(writes()).toHaveLength(100);
		expect(reads().length).toBeLessThanOrEqual(7);

		scene.clear();
		const second = await run(rows);
		expect(second.items.map(({ json }) => json.result)).toEqual(rows.map(() => 'unchanged'));
		expect(writes()).toEqual([]);
		expect(reads()).toHaveLength(4);
	});

	it.each<SwitchChanges>([
		{ severalValues: 'all' },
		{ severalValues: 'last' },
		{ severalValues: 'dropped' },
		{ severalValues: 'refused' },
		{ severalValues: 'more' },
	])(
		'comes to the same where the service understands several values otherwise: %j',
		async (switches) => {
			Object.assign(scene.service.switches, switches);
			const rows = file(60);
			const { error, items: given } = await run(rows);
			expect(error).toBeUndefined();
			expect(count()).toBe(PEOPLE.length + 30);
			expect(given.map(({ json }) => json.result)).toEqual(
				rows.map((_, index) => (index % 2 === 0 ? 'updated' : 'created')),
			);
			expect(reads().length).toBeLessThanOrEqual(60 + 5);
		},
	);

	it('adds to what an item before has written, though both were looked up together', async () => {
		const { people } = scene.service.store;
		const two = { email: 'first@mail.example', other: 'second@mail.example' };
		const emailAddresses = [{ email: two.email }, { email: two.other }];
		people.set(PEOPLE[0].id, { ...PEOPLE[0], emailAddresses, tags: [] });
		const others = items(8, (index) => ({ email: EMAILS[index + 5], tag: TAGS[0] }));
		const { error } = await run(
			[{ email: two.email, tag: TAGS[0] }, { email: two.other, tag: TAGS[1] }, ...others] as never,
			{ familyName: '', additionalFields: { tags: '={{ [$json.tag] }}' } },
		);
		expect(error).toBeUndefined();
		expect(people.get(PEOPLE[0].id)!.tags).toEqual([`/tags/${TAGS[0]}`, `/tags/${TAGS[1]}`]);
		expect(people.size).toBe(PEOPLE.length);
	});

	it('looks each up immediately before its write where the user wants that', async () => {
		await run(file(10), { options: { lookUp: 'each' } });
		const methods = scene.requests().map(({ method }) => method);
		expect(methods.filter((method) => method === 'GET')).toHaveLength(10);
		expect(count()).toBe(PEOPLE.length + 5);
	});

	it('meets those whom an item before has created, in any spelling and by any address', async () => {
		const rows = items(12, (index) => ({
			email: ['one@mail.example', 'ONE@mail.example', 'two@mail.example'][index % 3],
			job: `Job ${index}`,
		}));
		const { items: given } = await run(rows, {
			additionalFields: {
				jobTitle: '={{ $json.job }}',
				emailAddresses: ['two@mail.example'],
			},
		});
		expect(count()).toBe(PEOPLE.length + 1);
		expect(given[0].json.result).toBe('created');
		const [person] = [...scene.service.store.people.values()].slice(-1);
		expect(person).toMatchObject({
			jobTitle: 'Job 11',
			emailAddresses: [{ email: 'two@mail.example' }, { email: 'one@mail.example' }],
		});
	});

	it('names those who share an address, and does the others', async () => {
		for (const { id } of PEOPLE.slice(0, 3)) {
			const person = scene.service.store.people.get(id)!;
			scene.service.store.people.set(id, {
				...person,
				emailAddresses: [{ email: 'shared@mail.example' }],
			});
		}
		const rows = items(8, (index) => ({
			email: index === 3 ? 'shared@mail.example' : EMAILS[index + 10],
			job: 'Chef',
		}));
		const { items: given, errorItems } = await scene.run({
			parameters: {
				resource: 'person',
				operation: 'upsert',
				matchBy: 'email',
				matchValue: '={{ $json.email }}',
				additionalFields: { jobTitle: '={{ $json.job }}' },
			},
			input: rows,
			onError: 'continueErrorOutput',
		});
		expect(errorItems).toHaveLength(1);
		expect(errorItems[0].json.error).toMatch(/^3 people have the e-mail address "shared@mail/);
		expect(given).toHaveLength(7);
	});

	it('creates somebody who was removed between lookup and write', async () => {
		const rows = items(6, (index) => ({ email: EMAILS[index], job: 'Chef' }));
		scene.onRequest(2, () => scene.service.store.people.delete(PEOPLE[5].id));
		const { error } = await run(rows);
		expect(error).toBeUndefined();
		expect(count()).toBe(PEOPLE.length);
	});

	it('needs a family name where somebody is created, and only there', async () => {
		const rows = items(6, (index) => ({
			email: index < 5 ? EMAILS[index] : 'nobody@mail.example',
			job: 'Chef',
		}));
		const { items: given, error } = await run(rows.slice(0, 5), { familyName: '' });
		expect(error).toBeUndefined();
		expect(given).toHaveLength(5);
		const refused = await run(rows, { familyName: '={{ $json.nothing }}' });
		expect(refused.error?.message).toMatch(
			/^Family Name is empty, and nobody has the e-mail address "nobody@mail\.example"/,
		);
	});
});

describe('people addressed by e-mail', () => {
	const scene = useScene();
	const byEmail = (value: unknown) => ({ __rl: true, mode: 'email', value });
	const tag = `/tags/${TAGS[0]}`;

	it('get a tag for one write where they lack it, and a thirtieth of a read', async () => {
		const chosen = PEOPLE.slice(0, 40);
		chosen.forEach(({ id }, index) => {
			const person = scene.service.store.people.get(id)!;
			scene.service.store.people.set(id, {
				...person,
				emailAddresses: [{ email: `person${index}@mail.example` }],
				tags: index % 2 === 0 ? [tag] : [],
			});
		});
		const { items: given, error } = await scene.run({
			parameters: {
				resource: 'person',
				operation: 'addTags',
				personId: byEmail('={{ $json.email }}'),
				tags: [TAGS[0]],
			},
			input: items(40, (index) => ({ email: `person${index}@mail.example` })),
		});
		expect(error).toBeUndefined();
		expect(given.map(({ json }) => json.result)).toEqual(
			chosen.map((_, index) => (index % 2 === 0 ? 'unchanged' : 'updated')),
		);
		expect(chosen.every(({ id }) => scene.service.store.people.get(id)!.tags.includes(tag))).toBe(
			true,
		);
		expect(scene.requests()).toHaveLength(20 + 2);
	});

	it.each(['get', 'update', 'archive'])('are found for %s', async (operation) => {
		const { items: given, error } = await scene.run({
			parameters: {
				resource: 'person',
				operation,
				personId: byEmail(EMAILS[3]),
				updateFields: { jobTitle: 'Chef' },
				output: 'raw',
			},
		});
		expect(error).toBeUndefined();
		const [{ email }] = given[0].json.emailAddresses as Array<{ email: string }>;
		expect(email).toBe(EMAILS[3]);
	});

	it('are named where nobody has the address, and nothing is written', async () => {
		const { error } = await scene.run({
			parameters: {
				resource: 'person',
				operation: 'archive',
				personId: byEmail('nobody@mail.example'),
			},
		});
		expect(error?.message).toBe('Nobody has the e-mail address "nobody@mail.example"');
		expect(scene.requests().every(({ method }) => method === 'GET')).toBe(true);
	});
});

describe('the number of people', () => {
	const scene = useScene();

	it('comes from one request', async () => {
		const { items: given } = await scene.run({
			parameters: { resource: 'person', operation: 'getAll', output: 'count' },
		});
		expect(given.map(({ json }) => json)).toEqual([{ count: PEOPLE.length }]);
		expect(scene.requests()).toHaveLength(1);
	});

	it('is not guessed where the service does not say it', async () => {
		scene.service.switches.totalItems = false;
		const { error } = await scene.run({
			parameters: { resource: 'person', operation: 'getAll', output: 'count' },
		});
		expect(error?.message).toBe('The service does not say how many people there are');
	});
});

describe('a question that several items ask', () => {
	const scene = useScene();

	it('is asked once for the same person', async () => {
		const ids = PEOPLE.slice(0, 4).map(({ id }) => id);
		const { items: given } = await scene.run({
			parameters: {
				resource: 'person',
				operation: 'get',
				personId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
				output: 'raw',
			},
			input: items(20, (index) => ({ id: ids[index % 4] })),
		});
		expect(given.map(({ json }) => json.id)).toEqual(
			Array.from({ length: 20 }, (_, index) => ids[index % 4]),
		);
		expect(scene.requests()).toHaveLength(4);
	});

	it('is asked once for the same list', async () => {
		const { items: given } = await scene.run({
			parameters: { resource: 'segment', operation: 'getAll', limit: 2 },
			input: items(50, (index) => ({ index })),
		});
		expect(given).toHaveLength(100);
		expect(scene.requests()).toHaveLength(1);
	});
});
