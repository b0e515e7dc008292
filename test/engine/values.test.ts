/* eslint-disable @n8n/community-nodes/no-restricted-globals -- measures the work of this process, because virtual time does not show it */
import { changeSwitches } from '../service/switches';
import { itInCi, sampled } from '../support/drawn';
import { locator } from './support/fields';
import { excuse } from './support/recordExchanges';
import { useScene } from './support/scene';
import { COLUMNS, PEOPLE, SEGMENTS, TASKS, USERS } from './support/seeded';

const scene = useScene();
const [{ id: personId }, { id: otherId }] = PEOPLE;
const [{ id: taskId }] = TASKS;
const store = () => scene.service.store;

describe('a filter that the node applies', () => {
	const listed = async (filters: object) => {
		const read = await scene.task('getAll', { returnAll: true, filters, output: 'raw' });
		expect(read.error?.message).toBeUndefined();
		return read.items.map(({ json }) => json.id);
	};

	it.each(
		sampled(
			[
				['updatedAt', { updatedAtAfter: '2000-01-01' }],
				['status', { status: COLUMNS[0] }],
			],
			2,
		),
	)('A filter of tasks leaves out tasks whose %s is null', async (field, filters) => {
		const shown = await listed(filters);
		for (const { id } of TASKS.slice(-30)) scene.change('tasks', id, { [field]: null });
		const without = new Set(TASKS.slice(-30).map(({ id }) => id));
		expect(await listed(filters)).toEqual(shown.filter((id) => !without.has(String(id))));
	});

	it.each([
		['assignees', `/users/${USERS[0]}`, USERS[0]],
		['people', `/people/${personId}`, personId],
	])('A filter of tasks by %s finds tasks by an ID in capital letters', async (field, iri, id) => {
		scene.change('tasks', taskId, { [field]: [iri] });
		expect(await listed({ [field]: id.toUpperCase() })).toContain(taskId);
	});
});

describe('a value to find a person by', () => {
	const hold = (more: object) => scene.change('people', personId, more);
	const upsert = async (matchBy: string, value: string) =>
		await scene.person('upsert', {
			...{ email: value, matchValue: value, familyName: 'Jansen', options: { matchBy } },
			additionalFields: { jobTitle: 'Chef' },
		});

	const address = { emailAddresses: [{ email: 'eva@crm.example' }] };
	const number = { phoneNumbers: [{ phoneNumber: '+31611112222', phoneType: 'mobile' }] };

	it.each([
		['e-mail address', 'a zero-width space', address, 'eva\u200B@crm.example'],
		['e-mail address', 'a soft hyphen', address, 'eva@crm\u00AD.example'],
		['e-mail address', '"mailto:" before it', address, 'mailto:eva@crm.example'],
		['e-mail address', 'a name and angle brackets', address, 'Eva Bos <Eva@crm.example>'],
		['e-mail address', 'direction marks', address, '\u202Aeva@crm.example\u202C'],
		['phone number', 'direction marks', number, '\u202A+31 6 1111 2222\u202C'],
		['phone number', 'non-breaking hyphens', number, '06\u201111112222'],
		['phone number', 'dashes', number, '06\u201311\u201311\u201322\u201322'],
		[
			'phone number',
			'full-width digits',
			number,
			'\uFF10\uFF16 \uFF11\uFF11\uFF11\uFF11\uFF12\uFF12\uFF12\uFF12',
		],
		['phone number', '"tel:" before it', number, 'tel:+31611112222'],
	])('Create or Update finds a person by the %s written with %s', async (_, __, held, value) => {
		for (const matchBy of held === address ? ['email', 'identifier'] : ['identifier']) {
			hold(held);
			const { error } = await upsert(matchBy, value);
			expect(error?.message).toBeUndefined();
			expect(store().people.size).toBe(PEOPLE.length);
			expect(store().people.get(personId)!.jobTitle).toBe('Chef');
		}
	});

	it('Create stores e-mail addresses and phone numbers without invisible characters, also from JSON', async () => {
		const emailAddresses = ['mailto:new\u200B@crm.example'];
		const phoneNumbers = [{ phoneNumber: '\u202A06\u20111234 5678', phoneType: 'mobile' }];
		const fields = { familyName: 'Bos', emailAddresses, phoneNumbers };
		const entries = emailAddresses.map((email) => ({ email }));
		const jsonBody = JSON.stringify({ ...fields, emailAddresses: entries });
		for (const given of [
			{ familyName: 'Bos', additionalFields: { emailAddresses, phoneNumbers } },
			{ inputMode: 'json', jsonBody },
		]) {
			const { items, error } = await scene.person('create', given);
			expect(error?.message).toBeUndefined();
			expect(items[0].json).toMatchObject({
				emailAddresses: [{ email: 'new@crm.example' }],
				phoneNumbers: [{ phoneNumber: '06-1234 5678' }],
			});
		}
	});
});

describe('text', () => {
	const written = () => scene.requests().at(-1)?.body as Record<string, unknown>;
	const TYPED = {
		familyName: ' Jansen\t',
		givenName: '\u00A0Eva ',
		jobTitle: '  Head  of Sales\n',
	};
	const MEANT = { familyName: 'Jansen', givenName: 'Eva', jobTitle: 'Head  of Sales' };
	const inputMode = 'columns';

	it.each([
		[
			'Additional Fields',
			({ familyName, ...additionalFields }) => ({ familyName, additionalFields }),
		],
		['an expression', ({ familyName, ...rest }) => ({ familyName, additionalFields: rest })],
		['the columns of the input', () => ({ inputMode })],
		[
			'columns mapped by hand',
			(value) => ({ inputMode, columns: { mappingMode: 'defineBelow', value } }),
		],
	] as Array<[string, (typed: Record<string, string>) => object]>)(
		'Create trims blanks around text from %s',
		async (from, parameters) => {
			const names = Object.keys(TYPED);
			const cells = Object.fromEntries(names.map((name) => [name, `={{ $json.${name} }}`]));
			const typed = from === 'Additional Fields' ? TYPED : cells;
			const { error } = await scene.person('create', parameters(typed), { input: [TYPED] });
			expect(error?.message).toBeUndefined();
			expect(written()).toEqual(MEANT);
		},
	);

	it('Create trims blanks around the parts of an address, phone number and e-mail address', async () => {
		const additionalFields = {
			address: { city: ' Den  Haag ', country: 'NL ' },
			phoneNumbers: [{ phoneNumber: ' +31 6 12345678 ', phoneType: ' work ' }],
			emailAddresses: [' eva@crm.example '],
		};
		await scene.person('create', { familyName: 'Bos', additionalFields });
		expect(written()).toMatchObject({
			address: { city: 'Den  Haag', country: 'NL' },
			phoneNumbers: [{ phoneNumber: '+31 6 12345678', phoneType: 'work' }],
			emailAddresses: [{ email: 'eva@crm.example' }],
		});
	});

	it('The node removes NUL characters and half emojis from text', async () => {
		const cut = 'Head 👩‍💻 of Sales 👍'.slice(0, -1);
		const additionalFields = { jobTitle: `\0${cut}\0`, address: { city: `Delft${cut.at(-1)!}` } };
		const { error } = await scene.person('create', { familyName: 'Bos', additionalFields });
		expect(error?.message).toBeUndefined();
		const address = { city: 'Delft' };
		expect(written()).toMatchObject({ jobTitle: 'Head 👩‍💻 of Sales', address });
		const { error: blank } = await scene.person('create', { familyName: '\0\ud800' });
		expect(blank?.message).toBe('Family Name is empty');
	});

	it('The node keeps line breaks within text, and trims blanks around it', async () => {
		const description = '\n Said:\n\n  call back\r\nnext week \n';
		const updateFields = { description, title: ' Call ' };
		await scene.task('update', { taskId: locator(taskId), updateFields });
		const meant = 'Said:\n\n  call back\r\nnext week';
		expect(written()).toEqual({ title: 'Call', description: meant });
		await scene.comment('create', { taskId: locator(taskId), description });
		expect(written()).toEqual({ description: meant });
		await scene.segment('create', { title: ' March ', icon: ' star ' });
		expect(written()).toEqual({ title: 'March', icon: 'star' });
	});

	it('Create keeps blanks around text in JSON', async () => {
		const jsonBody = '{ "familyName": " Bos " }';
		await scene.person('create', { inputMode: 'json', jsonBody });
		expect(written()).toEqual({ familyName: ' Bos ' });
		const additionalFields = { participants: '[" Eva "]' };
		const status = locator(COLUMNS[0]);
		await scene.task('create', { title: 'x', status, additionalFields });
		expect(written()).toMatchObject({ participants: [' Eva '] });
	});
});

itInCi('The node processes values with 60,000 blanks in less than six seconds', async () => {
	const long = `a${' '.repeat(60_000)}b`;
	const began = process.cpuUsage().user;
	const segments = locator(long);
	scene.change('people', personId, { familyName: long, jobTitle: long });
	for (const segment of store().segments.values()) segment.title = long;
	scene.change('people', personId, { segments: [`/segments/${SEGMENTS[0]}`] });
	await scene.person('get', { personId: locator(personId) });
	await scene.person('addToSegments', { personId: locator(personId), segments: long });
	await scene.person('update', { personId: locator(personId), updateFields: { segments } });
	await scene.task('move', { taskId: locator(taskId), status: locator(long) });
	for (const value of [long, `+31${long}`, `<${long}`, `0${' '.repeat(60_000)}1`]) {
		await scene.person('upsert', {
			...{ matchValue: value, familyName: value, options: { matchBy: 'identifier' } },
			additionalFields: { emailAddresses: [value], archivedAt: value, dealSize: value },
		});
		await scene.person('getAll', { filters: { q: value, createdAtAfter: value } });
	}
	const seconds = (process.cpuUsage().user - began) / 1e6;
	expect(seconds).toBeLessThan(6);
});

it('Create converts a time in the JSON input to UTC, written with Z', async () => {
	const jsonBody = '{ "familyName": "Bos", "archivedAt": "2026-12-31T10:00:00-05:00" }';
	await scene.person('create', { inputMode: 'json', jsonBody });
	expect(scene.writes()).toMatchObject([{ body: { archivedAt: '2026-12-31T15:00:00Z' } }]);
});

it.each(['none', 'embedded'] as const)(
	'Create makes a new person from raw output of Get (generated IDs: %s)',
	async (generatedIds) => {
		excuse('requests', 'a user writes fields that the interface only shows');
		changeSwitches(scene.service.switches, { generatedIds });
		const { items } = await scene.person('get', { personId: locator(otherId), output: 'raw' });
		const jsonBody = JSON.stringify(items[0].json);
		scene.clear();
		const { items: created, error } = await scene.person('create', { inputMode: 'json', jsonBody });
		expect(error?.message).toBeUndefined();
		expect(created[0].json).toMatchObject({ familyName: items[0].json.familyName });
		expect(created[0].json.id).not.toBe(otherId);
		expect(JSON.stringify(scene.writes()[0].body)).not.toMatch(/@(id|type|context)/);
	},
);
