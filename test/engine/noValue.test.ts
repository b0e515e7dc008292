import type { IDataObject } from 'n8n-workflow';
import { locator } from './support/fields';
import { useScene } from './support/scene';
import { PEOPLE, TASKS } from './support/seeded';

const scene = useScene();
const isTool = true;
const given = (name: string) => `={{ $json["${name}"] }}`;
const [{ id }] = PEOPLE;
const OBJECT = '[object Object]';

describe('a tool of an AI agent', () => {
	const FIELDS = [
		'jobTitle',
		'givenName',
		'customerId',
		'externalSource',
		'additionalName',
		'owner',
	];
	const WORDS = ['null', 'None', 'none', 'string', 'N/A', 'undefined', 'NULL', '-'];
	const updateFields = {
		...Object.fromEntries(FIELDS.map((name) => [name, given(name)])),
		owner: locator(given('owner')),
		address: given('address'),
		phoneNumbers: given('phoneNumbers'),
		tags: given('tags'),
		initials: 'K.A.',
	};

	it.each(WORDS)(
		'As an agent tool, Update leaves out each field with the word %s',
		async (word) => {
			const row = {
				...Object.fromEntries(FIELDS.map((name) => [name, word])),
				address: { street: word, postalCode: word },
				phoneNumbers: word,
				tags: [word],
			};
			const parameters = { personId: locator(id), updateFields };
			const { error } = await scene.person('update', parameters, { isTool, input: [row] });
			expect(error?.message).toBeUndefined();
			expect(scene.writes().map(({ body }) => body)).toEqual([{ initials: 'K.A.' }]);
			scene.clear();
			// The words are values in a workflow that no model fills in.
			await scene.person('update', {
				personId: locator(id),
				updateFields: { jobTitle: word, initials: 'K.A.' },
			});
			expect(scene.writes().map(({ body }) => body)).toEqual([
				{ initials: 'K.A.', jobTitle: word },
			]);
		},
	);

	it.each(WORDS)(
		'As an agent tool, Update of a task leaves out numbers given as %s',
		async (word) => {
			const numbers = ['dealSizeEstimation', 'storyPointEstimation', 'timeEstimation'];
			const parameters = {
				taskId: locator(TASKS[0].id),
				updateFields: {
					title: 'Call',
					...Object.fromEntries(numbers.map((name) => [name, given(name)])),
				},
			};
			const input = [Object.fromEntries(numbers.map((name) => [name, word]))];
			const { error } = await scene.task('update', parameters, { isTool, input });
			expect(error?.message).toBeUndefined();
			expect(scene.writes().map(({ body }) => body)).toEqual([{ title: 'Call' }]);
			scene.clear();
			const refused = await scene.task('update', parameters, { input });
			expect(refused.error?.message).toMatch(
				/^Estimated Deal Size: expected an amount such as 1500/,
			);
			expect(scene.writes()).toEqual([]);
		},
	);

	it('As an agent tool, Update writes names that look like placeholders, such as "Geen"', async () => {
		const names = { familyName: 'Geen', givenName: 'Na', additionalName: 'Ka' };
		const address = { city: 'None', country: 'NL' };
		const parameters = {
			personId: locator(id),
			updateFields: { ...names, initials: 'N.A.', address },
		};
		const { error } = await scene.person('update', parameters, { isTool });
		expect(error?.message).toBeUndefined();
		expect(scene.writes()[0].body).toMatchObject({ ...names, initials: 'N.A.', address });
	});

	it.each(['null', 'None'])(
		'If an agent gives %j as Completed or Archived At, the present time counts',
		async (word) => {
			const time = { completedAt: word, archivedAt: word };
			for (const operation of ['complete', 'archive'] as const) {
				const parameters = { taskId: locator(TASKS[0].id), ...time };
				const { error } = await scene.task(operation, parameters, { isTool });
				expect(error?.message).toBeUndefined();
				const outside = await scene.task(operation, parameters);
				expect(outside.error?.message).toContain('expected a date');
			}
			const present = expect.stringMatching(/^20\d\d-/) as string;
			expect(scene.writes().map(({ body }) => body)).toEqual([
				{ completedAt: present },
				{ archivedAt: present },
			]);
		},
	);

	it('If an agent gives "null" as Phone Type, the node sends no type', async () => {
		const parameters = {
			personId: locator(id),
			phoneNumber: '+31 20 1234567',
			phoneType: 'null',
		};
		const { error } = await scene.person('addPhoneNumber', parameters, { isTool });
		expect(error?.message).toBeUndefined();
		const [{ body }] = scene.writes();
		const { phoneNumbers } = body as { phoneNumbers: unknown[] };
		expect(phoneNumbers.at(-1)).toEqual({ phoneNumber: '+31 20 1234567', phoneType: null });
		const none = { ...parameters, phoneNumber: 'null' };
		const refused = await scene.person('addPhoneNumber', none, { isTool });
		expect(refused.error?.message).toMatch(/^Phone Number is empty\./);
	});

	it('As an agent tool, Create keeps "Null" in required fields, and notes omitted fields', async () => {
		const parameters = {
			familyName: 'Null',
			additionalFields: { jobTitle: 'null' },
			options: { output: 'simplified' },
		};
		const { items } = await scene.person('create', parameters, { isTool });
		expect(scene.writes()[0].body).toEqual({ familyName: 'Null' });
		expect(items[0].json.note).toBe('Job Title "null" counts as blank');
	});

	it.each([
		['a JSON Body', ['none', { email: 'N/A' }, { email: 'b@bos.example' }]],
		['Additional Fields', ['none', { email: 'N/A' }, { email: 'b@bos.example' }]],
		['Additional Fields', ['none', 'N/A', 'b@bos.example']],
	])(
		'As an agent tool, Create drops words for none from lists in %s: %j',
		async (place, emails) => {
			const fields = {
				emailAddresses: emails,
				phoneNumbers: ['null', { phoneNumber: '020 1234567', phoneType: 'None' }],
			};
			const parameters =
				place === 'a JSON Body'
					? { inputMode: 'json', jsonBody: JSON.stringify({ familyName: 'Bos', ...fields }) }
					: {
							familyName: 'Bos',
							additionalFields: {
								emailAddresses: given('emailAddresses'),
								phoneNumbers: given('phoneNumbers'),
							},
						};
			const { error } = await scene.person('create', parameters, { isTool, input: [fields] });
			expect(error?.message).toBeUndefined();
			expect(scene.writes()[0].body).toEqual({
				familyName: 'Bos',
				emailAddresses: [{ email: 'b@bos.example' }],
				phoneNumbers: [{ phoneNumber: '020 1234567', phoneType: null }],
			});
		},
	);

	it('As an agent tool, Create drops no address that stands as text in JSON', async () => {
		const emailAddresses = ['none', 'b@bos.example'];
		const jsonBody = JSON.stringify({ familyName: 'Bos', emailAddresses });
		const { error } = await scene.person('create', { inputMode: 'json', jsonBody }, { isTool });
		expect(error?.message).toMatch(
			/^Email Addresses \(entry 1\): expected an object, got "b@bos\.example"/,
		);
		expect(scene.writes()).toEqual([]);
	});

	it('In an agent tool, the node ignores a filter with "null" or "None"', async () => {
		const parameters = { limit: 1, filters: { q: 'null', ownerId: 'None' } };
		const { error } = await scene.person('getAll', parameters, { isTool });
		expect(error?.message).toBeUndefined();
		expect(scene.requests()[0].query).toEqual({ itemsPerPage: '1' });
	});
});

describe('the text "[object Object]" of an object', () => {
	const columns = (value: object) => ({
		inputMode: 'columns',
		columns: { mappingMode: 'defineBelow', value, matchingColumns: [], schema: [] },
	});
	const automatic = {
		inputMode: 'columns',
		columns: { mappingMode: 'autoMapInputData', value: null, matchingColumns: [], schema: [] },
	};
	const name = { familyName: 'Bos' };
	const person = (more: object) => ({ ...name, additionalFields: more });

	it.each<[string, string, 'person' | 'task', string, object, IDataObject?]>([
		['a field', 'Job Title', 'person', 'create', person({ jobTitle: OBJECT })],
		['a required field', 'Family Name', 'person', 'create', { familyName: OBJECT }],
		['an e-mail address', 'Email', 'person', 'create', { ...name, email: OBJECT }],
		[
			'a list of phone numbers',
			'Phone Numbers',
			'person',
			'create',
			person({ phoneNumbers: [OBJECT] }),
		],
		['a list of tags as text', 'Tags', 'person', 'create', person({ tags: `${OBJECT},${OBJECT}` })],
		['a part of an address', 'Address', 'person', 'create', person({ address: { city: OBJECT } })],
		['a column', 'City', 'person', 'create', columns({ ...name, city: OBJECT })],
		['a column of phone numbers', 'Phone', 'person', 'create', columns({ ...name, phone: OBJECT })],
		[
			'a column of names',
			'Family Name (from "Full name")',
			'person',
			'create',
			automatic,
			{ 'Full name': OBJECT },
		],
		[
			'a JSON Body',
			'Job Title',
			'person',
			'create',
			{ inputMode: 'json', jsonBody: { ...name, jobTitle: OBJECT } },
		],
		['the e-mail address to find by', 'Email', 'person', 'upsert', { ...name, email: OBJECT }],
		['a locator', 'Person', 'person', 'get', { personId: locator(OBJECT) }],
		['a filter', 'Search', 'person', 'getAll', { filters: { q: OBJECT } }],
		[
			'a field of a task',
			'Description',
			'task',
			'update',
			{ taskId: locator(TASKS[0].id), updateFields: { description: OBJECT } },
		],
	])(
		'The node refuses the text "[object Object]" in %s',
		async (_, label, resource, operation, own, row = {}) => {
			for (const tool of [false, true]) {
				const { error } = await scene[resource](operation, own, { input: [row], isTool: tool });
				expect(error?.message.split('; ')[0].split('. Correct')[0]).toBe(
					`${label}: expected a value, got "${OBJECT}", because an expression gave an object`,
				);
			}
			const { items } = await scene[resource](operation, own, {
				input: [row],
				onError: 'continueRegularOutput',
			});
			expect(items[0]?.json.details).toMatchObject({ code: 'unusable-value', parameter: label });
			expect(scene.requests()).toEqual([]);
		},
	);

	it('The node writes a longer text that contains "[object Object]"', async () => {
		const description = `The mail shows ${OBJECT} in place of a name`;
		const parameters = { taskId: locator(TASKS[0].id), updateFields: { description } };
		await scene.task('update', parameters);
		expect(scene.writes()[0].body).toEqual({ description });
	});
});
