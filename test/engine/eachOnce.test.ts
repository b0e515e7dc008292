import { sampled } from '../support/drawn';
import { locator } from './support/fields';
import { useScene } from './support/scene';
import { COLUMNS, PEOPLE, SEGMENT_TITLES, SEGMENTS, TAGS, TASKS, USERS } from './support/seeded';

/* A write sends each tag, segment, person, e-mail address and phone number once. */

const scene = useScene();
const [{ id, emailAddresses }] = PEOPLE;
const [{ id: taskId }] = TASKS;
const address = emailAddresses[0]!.email!;
const [tag, otherTag] = TAGS;
const [segment] = SEGMENTS;
const title = SEGMENT_TITLES[`/segments/${segment}`]!;
const [user, otherUser] = USERS;
const link = { '@id': `/people/${id}`, id };
const status = locator(COLUMNS[0]);

/** Returns the list that the only write sent. */
const sent = (field: string) => {
	const [{ body }, ...others] = scene.writes();
	expect(others).toEqual([]);
	return (body as Record<string, unknown>)[field];
};

/** Takes the addresses back that the test has given to people, and clears the requests. */
const startAgain = (own: object[] = emailAddresses) => {
	const { people } = scene.service.store;
	const seeded = new Set(PEOPLE.map((person) => person.id));
	for (const one of people.keys()) if (!seeded.has(one)) people.delete(one);
	scene.change('people', id, { emailAddresses: own });
	scene.clear();
};

const mobile = (phoneNumber: string) => ({ phoneNumber, phoneType: 'mobile' });
const untyped = (phoneNumber: string) => ({ phoneNumber, phoneType: null });

/** Lists with doubles that a field takes, and the entries that a write sends. */
const GIVEN: Array<[string, unknown, unknown[]]> = [
	['tags', [tag, tag], [`/tags/${tag}`]],
	['tags', `${tag}, ${tag}`, [`/tags/${tag}`]],
	['tags', `${tag};/tags/${tag};${otherTag}`, [`/tags/${tag}`, `/tags/${otherTag}`]],
	['tags', [tag.toUpperCase(), `/tags/${tag}`], [`/tags/${tag.toUpperCase()}`]],
	['tags', [{ id: tag }, { '@id': `/tags/${tag}` }], [`/tags/${tag}`]],
	['emailAddresses', 'q@x.nl, Q@x.nl', [{ email: 'q@x.nl' }]],
	['emailAddresses', ['q@x.nl', ' Q@X.NL ', 'mailto:q@x.nl'], [{ email: 'q@x.nl' }]],
	['emailAddresses', 'q@x.nl; Q Jansen <Q@x.nl>', [{ email: 'q@x.nl' }]],
	['emailAddresses', [{ email: 'q@x.nl' }, { email: 'q@x.\u200Bnl' }], [{ email: 'q@x.nl' }]],
	['phoneNumbers', '06 12345678, +31 6 12345678', [untyped('06 12345678')]],
	['phoneNumbers', ['06 12345678', mobile('+31612345678')], [mobile('06 12345678')]],
	['phoneNumbers', [untyped('0031612345678'), mobile('06·12345678')], [mobile('0031612345678')]],
	['phoneNumbers', [mobile('0612345678'), { phoneNumber: '06-12345678' }], [mobile('0612345678')]],
	['phoneNumbers', '020 1234567 x12, 0201234567x12', [untyped('020 1234567 x12')]],
	['segments', [title, segment], [`/segments/${segment}`]],
	['segments', `${segment}, ${title.toUpperCase()}`, [`/segments/${segment}`]],
	['segments', [`/segments/${segment}`, ` ${title} `], [`/segments/${segment}`]],
];

describe('a write of a person', () => {
	it.each(sampled(GIVEN, 6))(
		'A write of a person sends each entry of the list %s once: %j',
		async (field, value, wanted) => {
			const named = { familyName: 'Jansen' };
			await scene.person('create', { ...named, additionalFields: { [field]: value } });
			expect(sent(field)).toEqual(wanted);
			startAgain();
			await scene.person('update', { personId: locator(id), updateFields: { [field]: value } });
			expect(sent(field)).toEqual(wanted);
			startAgain();
			await scene.person('upsert', {
				...named,
				email: 'new@x.nl',
				additionalFields: { [field]: value },
			});
			const added = field === 'emailAddresses' ? [{ email: 'new@x.nl' }] : [];
			expect(sent(field)).toEqual([...added, ...wanted]);
		},
	);

	it.each(sampled(GIVEN, 4))(
		'From the column %s with %j, Create and Update send each entry once',
		async (field, value, wanted) => {
			scene.change('people', id, { tags: [], segments: [], phoneNumbers: [], emailAddresses: [] });
			const input = [{ [field]: value as string, familyName: 'Jansen' }];
			await scene.person('create', { inputMode: 'columns' }, { input });
			expect(sent(field)).toEqual(wanted);
			startAgain([]);
			const personId = locator(id);
			await scene.person('update', { personId, inputMode: 'columns' }, { input });
			expect(sent(field)).toEqual(wanted);
		},
	);

	const JSON_GIVEN = GIVEN.filter(
		([field, value]) =>
			Array.isArray(value) && (/^(tags|segments)/.test(field) || typeof value[0] === 'object'),
	).filter(([, value]) =>
		(value as unknown[]).every((one) => typeof one !== 'object' || !('id' in (one as object))),
	);

	it.each(sampled(JSON_GIVEN, 4))(
		'From JSON with %s as %j, Create and Update send each entry once',
		async (field, value, wanted) => {
			const jsonBody = JSON.stringify({ familyName: 'Jansen', [field]: value });
			for (const [operation, more] of [
				['create', {}],
				['update', { personId: locator(id) }],
			] as const) {
				startAgain();
				await scene.person(operation, { ...more, inputMode: 'json', jsonBody });
				expect(sent(field)).toEqual(wanted);
			}
		},
	);

	it('Create sends a number under both Phone and Mobile once, as mobile number', async () => {
		const input = [{ phone: '06 12345678', mobile: '+31 6 12345678', familyName: 'Jansen' }];
		await scene.person('create', { inputMode: 'columns' }, { input });
		expect(sent('phoneNumbers')).toEqual([mobile('06 12345678')]);
	});

	it("If a list contains the lookup value, Create or Update sends the list's spelling", async () => {
		const additionalFields = { emailAddresses: 'Q@x.nl', phoneNumbers: [mobile('+31612345678')] };
		const given = {
			familyName: 'Jansen',
			additionalFields,
			email: 'q@x.nl',
			matchValue: '06·12345678',
		};
		await scene.person('upsert', given);
		expect(sent('emailAddresses')).toEqual([{ email: 'Q@x.nl' }]);
		scene.clear();
		scene.service.reset();
		await scene.person('upsert', { ...given, options: { matchBy: 'identifier' } });
		expect(sent('phoneNumbers')).toEqual([mobile('+31612345678')]);
	});
});

describe('a write of a task', () => {
	const ASSIGNEES = [
		[user, user],
		`${user}, /users/${user}`,
		[user.toUpperCase(), `/users/${user}`],
		[{ id: user }, user],
	];

	it.each(ASSIGNEES.map((value) => [value]))(
		'Create and Update send an assignee given twice, as %j, only once',
		async (value) => {
			const named = { title: 'Call', status };
			await scene.task('create', { ...named, additionalFields: { assignees: value } });
			expect(sent('assignees')).toHaveLength(1);
			scene.clear();
			const input = [{ assignees: value as string, title: 'Call', status: COLUMNS[0]! }];
			await scene.task('create', { inputMode: 'columns' }, { input });
			expect(sent('assignees')).toHaveLength(1);
			scene.clear();
			scene.change('tasks', taskId, { assignees: [] });
			const updateFields = { assignees: value, observers: [otherUser, otherUser] };
			await scene.task('update', { taskId: locator(taskId), updateFields });
			expect(sent('assignees')).toHaveLength(1);
			expect(sent('observers')).toEqual([`/users/${otherUser}`]);
		},
	);

	const byEmail = { ...locator(address), mode: 'email' };
	const PERSON = [
		[id, address, `/people/${id}`],
		[byEmail, locator(id), locator(`/people/${id}`)],
		`${address.toUpperCase()}, /people/${id}, ${id}`,
		[`/people/${id}`, ` ${address} `, id.toUpperCase()],
		[{ id }, address],
		[`Eva <${address}>`, id],
		[id, `mailto:${address}`],
	];

	it.each(
		sampled(
			PERSON.map((value) => [value]),
			4,
		),
	)('Create and Duplicate link a person given twice, as %j, only once', async (people) => {
		await scene.task('create', { title: 'Call', status, additionalFields: { people } });
		expect(sent('people')).toEqual([link]);
		scene.clear();
		await scene.task('duplicate', { taskId: locator(taskId), additionalFields: { people } });
		expect(sent('people')).toEqual([link]);
	});

	it('Create links a person once from the columns Person and People', async () => {
		const input = [
			{ title: 'Call', status: COLUMNS[0]!, person: address, people: [id, `/people/${id}`] },
		];
		await scene.task('create', { inputMode: 'columns' }, { input });
		expect(sent('people')).toEqual([link]);
	});

	it('Create sends a tag given by both ID and IRI only once', async () => {
		const tags = `${tag}, /tags/${tag}, ${tag.toUpperCase()}`;
		await scene.task('create', { title: 'Call', status, additionalFields: { tags } });
		expect(sent('tags')).toEqual([{ '@id': `/tags/${tag}`, id: tag }]);
	});

	it('From JSON, Create and Update send each assignee of a task once', async () => {
		const assignees = [user, `/users/${user}`];
		const jsonBody = JSON.stringify({ title: 'Call', status: COLUMNS[0], assignees });
		await scene.task('create', { inputMode: 'json', jsonBody });
		expect(sent('assignees')).toEqual([`/users/${user}`]);
		scene.clear();
		await scene.task('update', { taskId: locator(taskId), inputMode: 'json', jsonBody });
		expect(sent('assignees')).toEqual([`/users/${user}`]);
	});
});
