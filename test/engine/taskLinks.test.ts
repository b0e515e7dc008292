import type { IDataObject } from 'n8n-workflow';
import { itInCi } from '../support/drawn';
import { locator } from './support/fields';
import { useScene } from './support/scene';
import { COLUMNS, ORGANIZATIONS, PEOPLE, TAGS, TASKS } from './support/seeded';

const [eva, amber, jan] = PEOPLE;
const emailOf = (person: (typeof PEOPLE)[number]) =>
	String((person.emailAddresses as Array<{ email: string }>)[0].email);
const byEmail = (value: unknown) => ({ ...locator(value), mode: 'email' });
const given = { title: 'Call', status: locator(COLUMNS[1], 'list') };

const VALUE = '={{ $json.value }}';
const inputOf = (value: IDataObject) => ({ input: [{ value }] });
const linkOf = ({ id }: { id: string }) => ({ '@id': `/people/${id}`, id });
describe('a new task', () => {
	const scene = useScene();

	const create = async (additionalFields: Record<string, unknown>, input = [{}]) =>
		await scene.task('create', { ...given, additionalFields }, { input });
	const bodies = () =>
		scene
			.requests()
			.filter(({ method }) => method === 'POST')
			.map(({ body }) => body as Record<string, unknown>);
	const linked = () => [...scene.service.store.tasks.values()].at(-1)?.people;

	it.each([
		['picked from the list', [locator(eva.id, 'list'), locator(amber.id, 'list')]],
		['given by ID and IRI', [locator(eva.id), locator(`/people/${amber.id}`)]],
		['given as text with commas', `${eva.id}, /people/${amber.id}`],
		['given by an expression', '={{ $json.ids }}'],
	])('Create links a task to people %s, and sends only IDs and IRIs', async (_, people) => {
		const { error } = await create({ people }, [{ ids: [eva.id, amber.id] }]);
		expect(error).toBeUndefined();
		expect(bodies()).toEqual([expect.objectContaining({ people: [linkOf(eva), linkOf(amber)] })]);
		expect(scene.requests().map(({ method }) => method)).toEqual(['POST']);
		expect(linked()).toEqual([`/people/${eva.id}`, `/people/${amber.id}`]);
		expect(scene.service.store.people.size).toBe(PEOPLE.length);
	});

	it('Create links a task by IRIs that include the path of the base URL', async () => {
		scene.service.switches.mountPath = '/api';
		const { error } = await scene.run({
			parameters: {
				resource: 'task',
				operation: 'create',
				...given,
				additionalFields: { people: [locator(eva.id)] },
			},
		});
		expect(error).toBeUndefined();
		const link = { '@id': `/api/people/${eva.id}`, id: eva.id };
		expect(bodies()).toEqual([expect.objectContaining({ people: [link] })]);
	});

	it.each([
		['in the mode By Email', [byEmail(emailOf(eva)), byEmail(` ${emailOf(amber).toUpperCase()} `)]],
		['as text', [emailOf(eva), emailOf(amber)]],
		['as text with commas', `${emailOf(eva)}, ${emailOf(amber)}`],
		['beside a blank entry', [byEmail(emailOf(eva)), locator(''), byEmail(emailOf(amber))]],
	])(
		'Create links a task to people by e-mail address, %s, through IDs and IRIs',
		async (_, people) => {
			const { error } = await create({ people });
			expect(error).toBeUndefined();
			expect(bodies()).toEqual([expect.objectContaining({ people: [linkOf(eva), linkOf(amber)] })]);
			expect(linked()).toEqual([`/people/${eva.id}`, `/people/${amber.id}`]);
		},
	);

	it.each([
		['picked from the list', locator(eva.id, 'list'), linkOf(eva)],
		['given by e-mail address', byEmail(emailOf(eva)), linkOf(eva)],
		['given by an expression', byEmail('={{ $json.email }}'), linkOf(eva)],
	])(
		'Create puts the link to Person, %s, before the entries of People',
		async (_, person, link) => {
			const additionalFields = { people: [locator(amber.id)] };
			const input = [{ email: emailOf(eva) }];
			const { error } = await scene.task(
				'create',
				{ ...given, person, additionalFields },
				{ input },
			);
			expect(error).toBeUndefined();
			expect(bodies()[0].people).toEqual([link, linkOf(amber)]);
			expect(bodies()[0]).not.toHaveProperty('person');
		},
	);

	it.each([
		...[locator('', 'list'), byEmail(''), byEmail('={{ $json.nothing }}')].map((person) => ({
			person,
		})),
		...[[locator('')], [], '={{ $json.none }}'].map((people) => ({ additionalFields: { people } })),
	])('Create links a task to nobody if Person or People is blank: %j', async (nobody) => {
		const { error } = await scene.task('create', { ...given, ...nobody });
		expect(error).toBeUndefined();
		expect(bodies()[0]).not.toHaveProperty('people');
	});

	it('Create does not change a person record that it links to a task', async () => {
		const { error } = await create({ people: '={{ [$json] }}' }, [
			{ id: eva.id, name: 'Eva', familyName: 'Jansen', tags: 'a, b', email: 'x' },
		]);
		expect(error).toBeUndefined();
		expect(bodies()[0].people).toEqual([linkOf(eva)]);
		expect(scene.service.store.people.get(eva.id)).toEqual(eva);
	});

	it.each([
		['nobody@example.com', 'Nobody has the e-mail address "nobody@example.com"'],
		['eva', 'People (entry 1): expected an e-mail address, got "eva"'],
	])(
		'Create refuses a task with an unknown or invalid e-mail address: %s',
		async (email, message) => {
			const { error } = await create({ people: [byEmail(email)] });
			expect(error?.message).toBe(message);
			expect(bodies()).toEqual([]);
		},
	);

	itInCi('Creating 25 tasks linked by e-mail address needs at most five lookups', async () => {
		const wanted = PEOPLE.filter(({ emailAddresses }) => emailAddresses.length > 0).slice(0, 25);
		const input = wanted.map((person) => ({ email: emailOf(person) }));
		const { items, error } = await create({ people: [byEmail('={{ $json.email }}')] }, input);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(25);
		expect(bodies()).toHaveLength(25);
		expect(scene.requests().length).toBeLessThanOrEqual(25 + 5);
	});

	itInCi(
		'Duplicate links the people given by e-mail address to the copy of each item',
		async () => {
			const [task] = TASKS;
			const { items, error } = await scene.task(
				'duplicate',
				{ taskId: locator(task.id), additionalFields: { people: '={{ $json.emails }}' } },
				{ input: Array.from({ length: 20 }, () => ({ emails: [eva, amber, jan].map(emailOf) })) },
			);
			expect(error).toBeUndefined();
			expect(items).toHaveLength(20);
			for (const { people } of bodies()) {
				expect(people).toEqual([linkOf(eva), linkOf(amber), linkOf(jan)]);
			}
		},
	);

	it('Create sends tags and organizations of a task as links with ID and IRI', async () => {
		const { error } = await create({
			tags: [TAGS[0], `/tags/${TAGS[1]}`],
			organizations: [ORGANIZATIONS[0], `/organizations/${ORGANIZATIONS[1]}`],
		});
		expect(error).toBeUndefined();
		expect(bodies()).toEqual([
			expect.objectContaining({
				tags: [TAGS[0], TAGS[1]].map((id) => ({ '@id': `/tags/${id}`, id })),
				organizations: ORGANIZATIONS.slice(0, 2).map((id) => ({
					'@id': `/organizations/${id}`,
					id,
				})),
			}),
		]);
	});

	const tables = ['people', 'organizations', 'tags'] as const;
	const ids = { people: eva.id, organizations: ORGANIZATIONS[0], tags: TAGS[0] };
	const formsOf = (name: (typeof tables)[number]) =>
		name === 'people' ? [{ person: locator(VALUE) }, listed(name)] : [listed(name)];
	const listed = (name: string) => ({ additionalFields: { [name]: VALUE } });
	const counts = () => tables.map((name) => scene.service.store[name].size);

	it.each<[(typeof tables)[number], object, IDataObject]>(
		tables.flatMap((name) => {
			const other = { title: 'Other', familyName: 'Other' };
			const records = [{ id: ids[name] }, { '@id': `/${name}/${ids[name]}`, '@type': 'Any' }];
			return formsOf(name).flatMap((parameters) =>
				records.map((record): [typeof name, object, IDataObject] => [
					name,
					parameters,
					{ ...record, ...other },
				]),
			);
		}),
	)('From a record of %s, a new task takes only the ID: %j', async (name, parameters, value) => {
		const before = counts();
		const { error } = await scene.task('create', { ...given, ...parameters }, inputOf(value));
		expect(error).toBeUndefined();
		const link = { '@id': `/${name}/${ids[name]}`, id: ids[name] };
		expect(bodies()).toEqual([expect.objectContaining({ [name]: [link] })]);
		expect(counts()).toEqual(before);
	});

	it.each(tables.flatMap((name) => formsOf(name).map((parameters) => [name, parameters] as const)))(
		'A new task refuses a record of %s without an ID: %j',
		async (_name, parameters) => {
			const value = { title: 'New', familyName: 'New' };
			const { error } = await scene.task('create', { ...given, ...parameters }, inputOf(value));
			expect(error?.message).toMatch(/ got a record without an ID$/);
			expect(scene.requests()).toEqual([]);
		},
	);

	it('Duplicate refuses an organization without an ID', async () => {
		const parameters = { taskId: locator(TASKS[0].id), ...listed('organizations') };
		const { error } = await scene.task('duplicate', parameters, inputOf({ title: 'New' }));
		expect(error?.message).toMatch(/^Organizations .* got a record without an ID$/);
		expect(scene.requests()).toEqual([]);
	});
});
