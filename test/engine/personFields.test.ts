import type { Field } from './support/fields';
import { dates, locator, numbers, PICKED, PICKED_SENT, texts } from './support/fields';
import { useScene } from './support/scene';
import { FILES, ORGANIZATIONS, PEOPLE, SEGMENTS, TAGS, USERS } from './support/seeded';
import { patch, post, put } from './support/wire';

const [{ id }] = PEOPLE;
const path = `/people/${id}`;
const personId = locator(id);

const ADDRESS = { city: 'Utrecht', country: 'BE', postalCode: '3511 AB', street: 'Oudegracht 1' };
const EMAILS = [{ email: 'a@mail.example' }, { email: 'b@mail.example' }];
const PHONES = [
	{ phoneNumber: '+31 6 1', phoneType: 'mobile' },
	{ phoneNumber: '2', phoneType: 'fax' },
];

/** Every field that a person is written by, besides the family name (interface, section 2.3). */
const fields: Field[] = [
	...texts('givenName', 'additionalName', 'initials', 'customerId', 'honorificPrefix'),
	...texts('jobTitle', 'externalSource', 'networkId'),
	...numbers('dealSize', 'totalDeals', 'totalLostDeals', 'totalWonDeals'),
	...dates('archivedAt'),
	['isTracked', false, false],
	['owner', USERS[1], `/users/${USERS[1]}`],
	['avatar', FILES[0], `/media_objects/${FILES[0]}`],
	['tags', [TAGS[0], `/tags/${TAGS[1]}`], [`/tags/${TAGS[0]}`, `/tags/${TAGS[1]}`]],
	['segments', [SEGMENTS[0]], [`/segments/${SEGMENTS[0]}`]],
	['organizations', [ORGANIZATIONS[0]], [`/organizations/${ORGANIZATIONS[0]}`]],
	['emailAddresses', EMAILS.map(({ email }) => email), EMAILS],
	['emailAddresses', EMAILS, EMAILS],
	['phoneNumbers', PHONES, PHONES],
	['address', ADDRESS, ADDRESS],
];

/** What only the service sets (interface, section 2.3), and the id, which is for JSON alone. */
const READ_ONLY = {
	id: 'x',
	createdAt: '2026-01-01T00:00:00Z',
	updatedAt: '2026-01-01T00:00:00Z',
	importedAt: '2026-01-01T00:00:00Z',
	avatarUrl: 'https://files.example/x.png',
	_organizations: [],
	networkEnrichment: [],
};

describe('each field of a person', () => {
	const scene = useScene();

	it.each(fields)('is sent on create: %s', async (name, given, sent) => {
		const { items } = await scene.run({
			parameters: {
				resource: 'person',
				operation: 'create',
				familyName: 'Jansen',
				additionalFields: { [name]: given },
			},
		});
		expect(scene.sent()).toEqual([post('/people', { familyName: 'Jansen', [name]: sent })]);
		const created = await scene.record(String(items[0]?.json['@id']));
		expect(items).toEqual([{ json: created, pairedItem: { item: 0 } }]);
	});

	it.each(fields)('is sent on replace: %s', async (name, given, sent) => {
		const { items } = await scene.run({
			parameters: {
				resource: 'person',
				operation: 'replace',
				personId,
				familyName: 'Jansen',
				additionalFields: { [name]: given },
			},
		});
		expect(scene.sent()).toEqual([put(path, { familyName: 'Jansen', [name]: sent })]);
		expect(items).toEqual([{ json: await scene.record(path), pairedItem: { item: 0 } }]);
	});

	it.each([...fields, ...texts('familyName')])(
		'is sent alone on update: %s',
		async (name, given, sent) => {
			const { items } = await scene.run({
				parameters: {
					resource: 'person',
					operation: 'update',
					personId,
					updateFields: { [name]: given },
				},
			});
			expect(scene.sent()).toEqual([patch(path, { [name]: sent })]);
			expect(items).toEqual([{ json: await scene.record(path), pairedItem: { item: 0 } }]);
		},
	);
});

describe('fields of a person', () => {
	const scene = useScene();

	const update = async (parameters: Record<string, unknown>, json = {}) =>
		await scene.run({
			parameters: { resource: 'person', operation: 'update', personId, ...parameters },
			input: [json],
		});

	it('are sent together', async () => {
		await update({
			updateFields: Object.fromEntries(fields.map(([name, given]) => [name, given])),
		});
		const body = Object.fromEntries(fields.map(([name, , sent]) => [name, sent]));
		expect(scene.sent()).toEqual([patch(path, body)]);
	});

	it.each([
		['create', post('/people', { familyName: 'Jansen' }), 'additionalFields'],
		['replace', put(path, { familyName: 'Jansen' }), 'additionalFields'],
		['update', patch(path, { jobTitle: 'x' }), 'updateFields'],
	])('that only the service sets are not sent on %s', async (operation, sent, collection) => {
		const given = operation === 'update' ? { ...READ_ONLY, jobTitle: 'x' } : READ_ONLY;
		await scene.run({
			parameters: {
				resource: 'person',
				operation,
				personId,
				familyName: 'Jansen',
				[collection]: given,
			},
		});
		expect(scene.sent()).toEqual([sent]);
	});

	it('of an address are sent one by one', async () => {
		await update({ updateFields: { address: { city: 'Delft' } } });
		expect(scene.sent()).toEqual([patch(path, { address: { city: 'Delft' } })]);
	});

	it.each([
		...['givenName', 'additionalName', 'initials', 'customerId', 'honorificPrefix', 'jobTitle'],
		...['externalSource', 'networkId', 'isTracked', 'archivedAt', 'owner', 'avatar'],
		...['dealSize', 'totalDeals', 'totalLostDeals', 'totalWonDeals'],
	])('are cleared with null: %s', async (name) => {
		const { items } = await update({ clearFields: [name] });
		expect(scene.sent()).toEqual([patch(path, { [name]: null })]);
		expect(items).toEqual([{ json: await scene.record(path), pairedItem: { item: 0 } }]);
	});

	it.each(['tags', 'segments', 'organizations', 'emailAddresses', 'phoneNumbers'])(
		'are cleared with an empty list: %s',
		async (name) => {
			const { items } = await update({ clearFields: [name], updateFields: { jobTitle: 'x' } });
			expect(scene.sent()).toEqual([patch(path, { jobTitle: 'x', [name]: [] })]);
			expect(items[0].json[name]).toEqual([]);
		},
	);

	it.each([
		['a number for a text', 'customerId', 1042, '1042'],
		['a text for a number', 'dealSize', ' 2500 ', 2500],
		['a text for a yes or no', 'isTracked', 'true', true],
		['a record for a reference', 'owner', { id: USERS[2], name: 'x' }, `/users/${USERS[2]}`],
		['a text with commas for a list', 'tags', `${TAGS[0]}, /tags/${TAGS[1]}`, TAGS.slice(0, 2)],
		['one record for a list', 'tags', { '@id': `/tags/${TAGS[0]}` }, [TAGS[0]]],
		['a list of records for a list', 'tags', [{ id: TAGS[0] }, { id: TAGS[1] }], TAGS.slice(0, 2)],
		['a date', 'archivedAt', '2026-12-31', '2026-12-31T00:00:00+01:00'],
		['a time with its zone', 'archivedAt', '2026-12-31T17:00:00Z', '2026-12-31T17:00:00Z'],
		['a time of a database', 'archivedAt', '2026-12-31 17:00:00', PICKED_SENT],
	])('take %s from an expression', async (_, name, value, sent) => {
		const { error } = await update(
			{ updateFields: { [name]: '={{ $json.value }}' } },
			{ value: value as never },
		);
		expect(error).toBeUndefined();
		const expected = name === 'tags' ? (sent as string[]).map((tag) => `/tags/${tag}`) : sent;
		expect(scene.sent()).toEqual([patch(path, { [name]: expected })]);
	});

	it.each([
		["={{ DateTime.fromISO('2026-12-31T17:00:00', { zone: 'Asia/Tokyo' }) }}", '+09:00'],
		["={{ new Date('2026-12-31T16:00:00Z') }}", '+01:00'],
	])('take a time as an object: %s', async (expression, zone) => {
		await update({ updateFields: { archivedAt: expression } });
		expect(scene.sent()).toEqual([patch(path, { archivedAt: `2026-12-31T17:00:00.000${zone}` })]);
	});

	it('take a time without a zone in that of the workflow', async () => {
		await scene.run({
			parameters: {
				resource: 'person',
				operation: 'update',
				personId,
				updateFields: { archivedAt: PICKED },
			},
			timezone: 'Asia/Tokyo',
		});
		expect(scene.sent()).toEqual([patch(path, { archivedAt: `${PICKED}+09:00` })]);
	});

	it('take the time of the run', async () => {
		await update({ updateFields: { archivedAt: '={{ $now }}' } });
		const { archivedAt } = scene.request().body as { archivedAt: string };
		expect(archivedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+0[12]:00$/);
		expect(Math.abs(Date.parse(archivedAt) - scene.request().at)).toBeLessThan(1_000);
	});

	it('leave out what was added and not filled in', async () => {
		const blank = [...texts('givenName', 'customerId'), ...dates('archivedAt')].map(
			([name]) => name,
		);
		await update({
			updateFields: {
				...Object.fromEntries(blank.map((name) => [name, ''])),
				owner: '',
				emailAddresses: [''],
				address: {},
				jobTitle: 'x',
			},
		});
		expect(scene.sent()).toEqual([patch(path, { jobTitle: 'x' })]);
	});

	it('leave out what an expression gave nothing for', async () => {
		await update({
			updateFields: {
				owner: '={{ $json.nothing }}',
				archivedAt: '={{ $json.nothing }}',
				tags: '={{ $json.nothing }}',
				emailAddresses: ['={{ $json.nothing }}'],
				phoneNumbers: [{ phoneNumber: '', phoneType: 'mobile' }],
				address: {},
				jobTitle: 'x',
			},
		});
		expect(scene.sent()).toEqual([patch(path, { jobTitle: 'x' })]);
	});
});
