import type { Fault, Switches } from '../service';
import { refusal } from './support/faults';
import { locator } from './support/fields';
import type { OperationName } from './support/requests';
import { ONCE_ONLY, OPERATIONS, REPEATABLE } from './support/requests';
import { useScene } from './support/scene';
import { COLUMNS, PEOPLE, TAGS, TASKS } from './support/seeded';

const [{ id }, second] = PEOPLE;
const RIGHTS_ADVICE =
	'Ask an administrator of the CRM for a key that may do this, and enter it in the credential. The service said: Forbidden';
const ID_ADVICE =
	'Check the ID: it may belong to another kind of record, or the record may have been removed. If every request ends like this, check the Base URL in the credential. The service said: Not Found';
const CHECK = 'Check the values given for this person and run again';
const unknown = (noun: string) =>
	`Whether it took effect is not known: look for the ${noun} before you run this item again`;
const ENTRY_1 = 'Email Addresses (entry 1): Email';
const listOf = (emails: string[]) => ({ emailAddresses: emails.map((email) => ({ email })) });
const unusable = (said: string) => `The service could not use the request (HTTP ${said}`;
const forbidden = (what: string) => `The API key has no permission to ${what}`;

/** What each status says to the user, for one operation. */
const refusals: ReadonlyArray<
	readonly [status: number, operation: OperationName, message: string, description: string]
> = [
	[400, 'PATCH', unusable('400): Bad Request'), CHECK],
	[403, 'GET', forbidden('read this person'), RIGHTS_ADVICE],
	[403, 'POST', forbidden('create this person'), RIGHTS_ADVICE],
	[403, 'PUT', forbidden('replace this person'), RIGHTS_ADVICE],
	[403, 'PATCH', forbidden('update this person'), RIGHTS_ADVICE],
	[403, 'command', forbidden('export this task'), RIGHTS_ADVICE],
	[404, 'GET', `The person "${id}" does not exist`, ID_ADVICE],
	[404, 'PATCH', `The person "${id}" does not exist`, ID_ADVICE],
	[404, 'command', `The task "${TASKS[0].id}" does not exist`, ID_ADVICE],
	[409, 'PUT', unusable('409): Conflict'), CHECK],
	[415, 'POST', unusable('415): Unsupported Media Type'), CHECK],
	[422, 'POST', unusable('422): Unprocessable Entity'), CHECK],
	[
		500,
		'POST',
		'The service could not create the person (HTTP 500): Internal Server Error',
		unknown('person'),
	],
	[
		500,
		'command',
		'The service could not export the task (HTTP 500): Internal Server Error',
		unknown('task'),
	],
];

describe('a refusal', () => {
	const scene = useScene();

	it.each(refusals)(
		'with %d of %s says what happened and how to go on',
		async (status, operation, message, description) => {
			scene.faults(refusal(status));
			const { error, items } = await scene.run({ parameters: OPERATIONS[operation] });
			expect(error).toMatchObject({
				name: 'NodeApiError',
				message,
				description,
				httpCode: String(status),
				context: { itemIndex: 0 },
			});
			expect(items).toEqual([]);
			expect(scene.requests()).toHaveLength(1);
		},
	);

	it('of the key points to the credential', async () => {
		const { error } = await scene.run({
			parameters: OPERATIONS.GET,
			credentials: { apiKey: 'no-such-key' },
		});
		expect(error).toMatchObject({
			message: 'The service did not accept the API key',
			description:
				'Open the credential and check API Key and Base URL; keys are created by an administrator of the CRM. The service said: Invalid API key',
			httpCode: '401',
			context: { itemIndex: 0 },
		});
		expect(scene.requests()).toHaveLength(1);
	});

	it.each(['negotiated', 'plain', 'jsonld', 'message-only'] as Array<Switches['problemForm']>)(
		'says what the service said, whatever the form of its problem (%s)',
		async (problemForm) => {
			scene.service.switches.problemForm = problemForm;
			const { error } = await scene.person('update', {
				personId: locator(id),
				inputMode: 'json',
				jsonBody: { owner: '/users/none' },
			});
			expect(error?.message).toBe(
				'The service could not use the request (HTTP 400): Item not found for "/users/none"',
			);
			expect(error?.httpCode).toBe('400');
		},
	);
});

describe('a validation failure', () => {
	const scene = useScene();

	it('lists each value under its label', async () => {
		scene.faults({
			kind: 'status',
			status: 422,
			body: {
				status: 422,
				title: 'An error occurred',
				violations: [
					{ propertyPath: 'emailAddresses[1].email', message: 'This is no e-mail address.' },
					{ propertyPath: 'familyName', message: 'This value is too long.' },
					{ propertyPath: 'customerId', message: 'Taken' },
					{ propertyPath: '', message: 'Not like this.' },
				],
			},
		});
		const { error } = await scene.run({ parameters: OPERATIONS.POST });
		expect(error?.message).toBe(
			'The service did not accept the person: Email Addresses (entry 2): Email: This is no e-mail address (and 3 more)',
		);
		expect(error?.description).toBe(
			'Correct and run again: Email Addresses (entry 2): Email: This is no e-mail address; Family Name: This value is too long; Customer ID: Taken; Not like this',
		);
		expect(error?.httpCode).toBe('422');
	});

	/** What the service finds fault with in a write, and how the message names it. */
	const told = async (
		path: string,
		run: () => Promise<{ items: Array<{ json: object }>; errorItems: Array<{ json: object }> }>,
	) => {
		const violations = [{ propertyPath: path, message: 'Not like this.' }];
		const body = { status: 422, violations };
		scene.faults(
			...(['POST', 'PATCH'] as const).map((method) => ({
				...{ kind: 'status' as const, status: 422, body, match: { method } },
			})),
		);
		const [{ json }] = (await run()).errorItems;
		return json as { error: string; details: { parameter?: string } };
	};
	const FIRST = 'emailAddresses[0].email';
	const THIRD = 'emailAddresses[2].email';
	const NUMBER = 'phoneNumbers[0].phoneNumber';
	const TYPE = 'phoneNumbers[0].phoneType';
	const AT = ['a', 'b', 'c'].map((name) => `${name}@new.example`);
	const more = { emailAddresses: AT.slice(1) };
	const columns = { inputMode: 'columns' };
	const byHand = (value: object) => ({
		...columns,
		columns: { mappingMode: 'defineBelow', value },
	});
	const json = { inputMode: 'json', jsonBody: { familyName: 'x', ...listOf(AT) } };

	it.each([
		['create', { email: AT[0] }, {}, FIRST, 'Email'],
		['create', { email: AT[0] }, {}, 'emailAddresses', 'Email'],
		['create', { email: AT[0], additionalFields: more }, {}, FIRST, 'Email'],
		['create', { email: AT[0], additionalFields: more }, {}, 'emailAddresses', 'Email Addresses'],
		...[['create', { email: AT[0], additionalFields: more }, {}, THIRD] as const].map(
			(one) => [...one, 'Email Addresses (entry 2): Email'] as const,
		),
		['create', { phone: '+31 6 12345678' }, {}, NUMBER, 'Phone'],
		['create', { phone: '+31 6 12345678' }, {}, TYPE, 'Phone: Phone Type'],
		['create', { additionalFields: { givenName: 'x' } }, {}, 'givenName', 'Given Name'],
		[
			'create',
			{ additionalFields: { address: { city: 'x' } } },
			{},
			'address.city',
			'Address: City',
		],
		['create', columns, { Name: 'x', Mail: AT[0] }, FIRST, 'Email (column Mail)'],
		['create', columns, { 'E-mail Address': AT[0] }, FIRST, 'Email (column E-mail Address)'],
		['create', columns, { town: 'x', city: 'y' }, 'address.city', 'City'],
		['create', columns, { surname: 'x' }, 'familyName', 'Family Name (column surname)'],
		[
			'create',
			columns,
			{ tag: TAGS[0], tagsMode: 'add' },
			'tags[0]',
			'Tags (column tag) (entry 1)',
		],
		[
			'create',
			byHand({ familyName: 'x', mobile: '={{ $json.tel }}' }),
			{ tel: '0612345678' },
			NUMBER,
			'Mobile',
		],
		['create', json, {}, THIRD, 'Email Addresses (entry 3): Email'],
		['update', { updateFields: more }, {}, FIRST, 'Email Addresses (entry 1): Email'],
		['update', columns, { mail: AT[0] }, THIRD, 'Email (column mail)'],
		['addEmailAddress', { email: AT[0] }, {}, THIRD, 'Email'],
		['addPhoneNumber', { phoneNumber: '0612345678', phoneType: 'fax' }, {}, NUMBER, 'Phone Number'],
		['addPhoneNumber', { phoneNumber: '0612345678', phoneType: 'fax' }, {}, TYPE, 'Phone Type'],
		['upsert', { matchValue: AT[0] }, {}, FIRST, 'Email'],
		[
			'upsert',
			{ options: { matchBy: 'identifier' }, matchValue: 'eva-1' },
			{},
			'networkId',
			'Identifier',
		],
		['upsert', { matchValue: `ME@new.example`, additionalFields: more }, {}, THIRD, ENTRY_1],
	] as Array<[string, object, object, string, string]>)(
		'is told under the label on the screen: %s %j of %j, at %s',
		async (operation, parameters, row, path, label) => {
			const mine = ['me@new.example', 'mine@new.example'].map((email) => ({ email }));
			scene.change('people', id, { emailAddresses: mine, phoneNumbers: [] });
			const own = operation.startsWith('add') || operation === 'update';
			const given = {
				...(own ? { personId: locator(id) } : { familyName: 'x' }),
				...parameters,
			};
			const input = [{ ...('surname' in row ? {} : { familyName: 'x' }), ...row }];
			const { error, details } = await told(
				path,
				async () => await scene.person(operation, given, { input, onError: 'continueErrorOutput' }),
			);
			expect(error).toBe(`The service did not accept the person: ${label}: Not like this`);
			expect(details.parameter).toBe(label);
		},
	);

	it('is told under the label of the person to whom a task is linked', async () => {
		const given = {
			...{ title: 'x', status: locator(COLUMNS[0]), person: locator(id) },
			additionalFields: { people: [locator(second.id)] },
		};
		const ofPerson = async (index: number) => {
			const path = `people[${index}].familyName`;
			const onError = 'continueErrorOutput';
			return await told(path, async () => await scene.task('create', given, { onError }));
		};
		expect((await ofPerson(0)).details.parameter).toBe('Person: Family Name');
		expect((await ofPerson(1)).details.parameter).toBe('People (entry 1): Family Name');
	});

	it('of the service itself says what is missing', async () => {
		const { error } = await scene.task('create', {
			inputMode: 'json',
			jsonBody: { title: 'x', status: COLUMNS[0], people: [{ givenName: 'Eva' }] },
		});
		expect(error?.message).toBe(
			'The service did not accept the task: People (entry 1): Family Name: This value should not be blank',
		);
		expect(scene.requests()).toHaveLength(1);
	});
});

describe('a service that is down for a moment', () => {
	const scene = useScene();
	const statuses = [500, 503];

	const each = (names: OperationName[]) =>
		statuses.flatMap((status) => names.map((name) => [status, name] as const));

	it.each(each(REPEATABLE))(
		'with %d is asked again for %s, five times at most',
		async (status, name) => {
			scene.faults({ kind: 'status', status });
			const { error } = await scene.run({ parameters: OPERATIONS[name] });
			expect(scene.requests()).toHaveLength(6);
			const [first] = scene.sent();
			expect(scene.sent()).toEqual(Array(6).fill(first));
			expect(error?.message).toMatch(
				/^The service could not (read|replace|update) the .*\(HTTP 50\d\)$/,
			);
			expect(error?.description).toBe(
				'The service may be down for a moment. Try again later. It was tried 6 times',
			);
			expect(error?.httpCode).toBe(String(status));
		},
	);

	it.each(each(ONCE_ONLY))('with %d is not asked again for %s', async (status, name) => {
		scene.faults({ kind: 'status', status });
		const { error } = await scene.run({ parameters: OPERATIONS[name] });
		expect(scene.requests()).toHaveLength(1);
		expect(error?.httpCode).toBe(String(status));
		expect(error?.description).toMatch(/^Whether it took effect is not known: /);
	});

	it.each(REPEATABLE)('and up again answers %s as if nothing had been', async (name) => {
		scene.faults({ kind: 'status', status: 503, match: { first: 5 } });
		const { items, error } = await scene.run({ parameters: { ...OPERATIONS[name], limit: 1 } });
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
		const times = scene.requests().map(({ at }) => at);
		const waits = times.slice(1).map((at, index) => at - times[index]);
		for (const [index, wait] of waits.entries()) {
			expect(wait).toBeGreaterThanOrEqual(1_000 * 2 ** index);
			expect(wait).toBeLessThanOrEqual(1_500 * 2 ** index + 300);
		}
	});

	it('is asked again when it says so', async () => {
		scene.faults({
			kind: 'status',
			status: 503,
			headers: { 'retry-after': '100' },
			match: { first: 1 },
		});
		await scene.run({ parameters: OPERATIONS.GET });
		const [first, second] = scene.requests().map(({ at }) => at);
		expect(second - first).toBeGreaterThanOrEqual(100_000);
	});
});

const read = {
	resource: 'person',
	operation: 'get',
	personId: locator('={{ $json.id }}'),
	output: 'selectedFields',
};
const input = [{ id }, { id: 'gone' }, { id: second.id }, { id: 'a/b' }];
/** What is added to a row: what happened, and beside it how to go on. */
const GONE = {
	error: 'The person "gone" does not exist',
	details: {
		howToGoOn: expect.stringMatching(/^Check the ID: .* The service said: Not Found$/),
		httpStatus: 404,
	},
};
const BAD_ID = {
	error: 'Person: expected an ID, or /people/{id}, got "a/b"',
	details: {
		howToGoOn:
			'Give the ID of the person as the service shows it, without any other part of an address',
		parameter: 'Person',
	},
};

describe('an item that fails', () => {
	const scene = useScene();
	const linked = (json: object, item: number) => ({ json, pairedItem: { item } });

	it('goes to the error output with its row, linked, while the others go on', async () => {
		const result = await scene.run({ parameters: read, input, onError: 'continueErrorOutput' });
		expect(result.error).toBeUndefined();
		expect(result.items).toEqual([linked({ id }, 0), linked({ id: second.id }, 2)]);
		expect(result.errorItems).toEqual([
			linked({ id: 'gone', ...GONE }, 1),
			linked({ id: 'a/b', ...BAD_ID }, 3),
		]);
	});

	it('stays in its place on the regular output, linked, while the others go on', async () => {
		const result = await scene.run({ parameters: read, input, onError: 'continueRegularOutput' });
		expect(result.error).toBeUndefined();
		expect(result.errorItems).toEqual([]);
		expect(result.items.map(({ json, pairedItem }) => ({ json, pairedItem }))).toEqual([
			linked({ id }, 0),
			linked(GONE, 1),
			linked({ id: second.id }, 2),
			linked(BAD_ID, 3),
		]);
	});

	it('stops the execution where nothing else is said, and says how far it came', async () => {
		const result = await scene.run({ parameters: read, input: input.slice(0, 3) });
		expect(result.items).toEqual([]);
		expect(result.errorItems).toEqual([]);
		expect(result.error).toMatchObject({
			name: 'NodeApiError',
			message: expect.stringMatching(
				/^The person "gone" does not exist \([12] of 3 items done, [01] not sent\)$/,
			),
			httpCode: '404',
			context: { itemIndex: 1 },
			node: { name: 'CRM' },
		});
	});

	const faults: ReadonlyArray<readonly [name: string, fault: Fault, message: RegExp]> = [
		['400', refusal(400), /^The service could not use the request/],
		['401', refusal(401), /^The service did not accept the API key$/],
		['403', refusal(403), /^The API key has no permission/],
		['422', refusal(422), /\(HTTP 422\)/],
		['500', refusal(500), /^The service could not create/],
		['a redirect', { kind: 'status', status: 307, headers: { location: '/x' } }, /redirects/],
		['a page of HTML', { kind: 'status', status: 200 }, /cannot be read/],
		['a reset', { kind: 'reset' }, /^The service did not answer$/],
		['a truncated answer', { kind: 'truncated' }, /^The service did not answer$/],
	];

	it.each(
		(['continueErrorOutput', 'continueRegularOutput'] as const).flatMap((onError) =>
			faults.map((fault) => [onError, ...fault] as const),
		),
	)('meets its fault alone, the second of three (%s): %s', async (onError, _, fault, message) => {
		scene.faults({ ...fault, match: { nth: 2 } });
		const { items, errorItems, error } = await scene.person(
			'create',
			{ familyName: '={{ $json.name }}' },
			{ input: ['A', 'B', 'C'].map((name) => ({ name })), onError },
		);
		expect(error).toBeUndefined();
		const failed = onError === 'continueErrorOutput' ? errorItems : [items[1]];
		expect(failed).toHaveLength(1);
		expect(failed[0].json).toMatchObject({
			...(onError === 'continueErrorOutput' ? { name: 'B' } : {}),
			error: expect.stringMatching(message),
			details: { howToGoOn: expect.stringMatching(/\w/) },
		});
		expect(failed[0].pairedItem).toEqual({ item: 1 });
		const done = items.filter(({ json }) => json.error === undefined);
		expect(done.map(({ json, pairedItem }) => [json.familyName, pairedItem])).toEqual([
			['A', { item: 0 }],
			['C', { item: 2 }],
		]);
	});
});
