import { sampled } from '../support/drawn';
import { refusal } from './support/faults';
import { locator } from './support/fields';
import type { OperationName } from './support/requests';
import { OPERATIONS } from './support/requests';
import { useScene } from './support/scene';
import { COLUMNS, PEOPLE, TAGS, TASKS } from './support/seeded';

const [{ id }, second] = PEOPLE;
const RIGHTS_ADVICE =
	'Ask an administrator of the CRM for a key that may do this, and enter it in the credential. The service said: Forbidden';
const idAdvice = (more = '') =>
	`Check the ID: it may belong to another kind of record, or the record may have been removed. ${more}If every request ends like this, check the Base URL in the credential. The service said: Not Found`;
const BY_SEARCH = 'Get Many with the filter Search finds people. ';
const CHECK = 'Check the values given for this person and run again';
const ENTRY_1 = 'Email Addresses (entry 1): Email';
const listOf = (emails: string[]) => ({ emailAddresses: emails.map((email) => ({ email })) });
const FORBIDDEN = 'The API key has no permission to';

/** Message for each status, for one operation. */
const refusals: ReadonlyArray<
	readonly [status: number, operation: OperationName, message: string, description: string]
> = [
	[400, 'PATCH', 'The service could not use the request (HTTP 400): Bad Request', CHECK],
	[403, 'PATCH', `${FORBIDDEN} update this person`, RIGHTS_ADVICE],
	[403, 'command', `${FORBIDDEN} export this task`, RIGHTS_ADVICE],
	[404, 'GET', `The person "${id}" does not exist`, idAdvice(BY_SEARCH)],
	[404, 'command', `The task "${TASKS[0].id}" does not exist`, idAdvice()],
];

describe('a request that the service refuses', () => {
	const scene = useScene();

	it.each(refusals)(
		'After HTTP %d for a %s request, the error gives the cause and advice',
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

	it('The error for an unknown ID in capitals advises small letters', async () => {
		const { error } = await scene.person('get', { personId: locator(id.toUpperCase()) });
		expect(error?.description).toMatch(/^Write the ID in small letters\. Check the ID/);
	});

	it('The error for a refused API key tells the user to check the credential', async () => {
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
});

describe('a validation failure', () => {
	const scene = useScene();

	/** Runs a write that the service refuses with a violation of `path`. Returns the error item. */
	const told = async (
		path: string,
		run: () => Promise<{ items: Array<{ json: object }>; errorItems: Array<{ json: object }> }>,
		status = 422,
	) => {
		const violations = [{ propertyPath: path, message: 'Not like this.' }];
		const body = { status, violations };
		scene.faults(
			...(['POST', 'PATCH'] as const).map((method) => ({
				...{ kind: 'status' as const, status, body, match: { method } },
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

	it.each(
		sampled(
			[
				['create', { email: AT[0] }, {}, FIRST, 'Email'],
				['create', { email: AT[0] }, {}, 'emailAddresses', 'Email'],
				['create', { email: AT[0], additionalFields: more }, {}, FIRST, 'Email'],
				[
					'create',
					{ email: AT[0], additionalFields: more },
					{},
					'emailAddresses',
					'Email Addresses',
				],
				...[['create', { email: AT[0], additionalFields: more }, {}, THIRD] as const].map(
					(one) => [...one, 'Email Addresses (entry 2): Email'] as const,
				),
				['create', { phone: '+31 6 12345678' }, {}, NUMBER, 'Phone'],
				['create', { phone: '+31 6 12345678' }, {}, TYPE, 'Phone: Phone Type'],
				['create', columns, { Name: 'x', Mail: AT[0] }, FIRST, 'Email (from "Mail")'],
				['create', columns, { town: 'x', city: 'y' }, 'address.city', 'City'],
				['create', columns, { surname: 'x' }, 'familyName', 'Family Name (from "surname")'],
				['create', columns, { tag: TAGS[0] }, 'tags[0]', 'Tags (from "tag") (entry 1)'],
				[
					'create',
					byHand({ familyName: 'x', mobile: '={{ $json.tel }}' }),
					{ tel: '0612345678' },
					NUMBER,
					'Mobile',
				],
				['create', json, {}, THIRD, 'Email Addresses (entry 3): Email'],
				['update', { updateFields: more }, {}, FIRST, 'Email Addresses (entry 1): Email'],
				['update', columns, { mail: AT[0] }, THIRD, 'Email (from "mail")'],
				['addEmailAddress', { email: AT[0] }, {}, THIRD, 'Email'],
				[
					'addPhoneNumber',
					{ phoneNumber: '0612345678', phoneType: 'fax' },
					{},
					NUMBER,
					'Phone Number',
				],
				['upsert', { email: AT[0] }, {}, FIRST, 'Email'],
				[
					'upsert',
					{ options: { matchBy: 'identifier' }, matchValue: 'eva-1' },
					{},
					'networkId',
					'Identifier',
				],
				['upsert', { email: `ME@new.example`, additionalFields: more }, {}, THIRD, ENTRY_1],
			] as Array<[string, object, object, string, string]>,
			4,
		),
	)(
		'A validation error names parameters by label: operation %s %j, row %j, path %s',
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

	it('A validation error with HTTP 400 names the parameter by its label', async () => {
		const given = { familyName: 'x', ...listOf(AT) };
		const parameters = { inputMode: 'json', jsonBody: given };
		const onError = 'continueErrorOutput';
		const { error, details } = await told(
			'emailAddresses[1].email',
			async () => await scene.person('create', parameters, { onError }),
			400,
		);
		const label = 'Email Addresses (entry 2): Email';
		expect(error).toBe(`The service did not accept the person: ${label}: Not like this`);
		expect(details).toMatchObject({ parameter: label, httpStatus: 400 });
	});

	it.each([
		['1,000 violations', 1_000, 'title', 'Not like this.'],
		['a text of 100 kB', 1, 'title', 'not like this '.repeat(7_000)],
		['a text of 100 kB without a blank', 1, 'title', 'x'.repeat(100_000)],
		['a path of 100 kB', 20, 'a1[2].'.repeat(17_000), 'No.'],
	])(
		'After a refusal with %s, the execution data take less than 50 kB',
		async (_, count, propertyPath, message) => {
			const violations = Array.from({ length: count }, (__, index) => ({
				propertyPath,
				message: count === 1 ? message : `${index}: ${message}`,
			}));
			scene.faults({ kind: 'status', status: 422, body: { status: 422, violations } });
			const { error, run } = await scene.run({ parameters: OPERATIONS.PATCH });
			expect(error?.message).toMatch(/^The service did not accept the person: \w/);
			expect(JSON.stringify(run).length).toBeLessThan(50_000);
			if (count < 1_000) return;
			const listed = violations.slice(0, 10).map((__, index) => `Title: ${index}: Not like this`);
			expect(error?.message).toMatch(/: Title: 0: Not like this \(and 999 more\)$/);
			expect(error?.description).toBe(`Correct and run again: ${listed.join('; ')}; and 990 more`);
		},
	);

	it('A validation error about a linked person names the parameter of the link', async () => {
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
});

describe('a service that is down for a moment', () => {
	const scene = useScene();

	it('The node waits as long as Retry-After says before it retries a request', async () => {
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
	fields: ['id'],
};
const input = [{ id }, { id: 'gone' }, { id: second.id }, { id: 'a/b' }];
/** Fields of an error row: the problem, and the advice beside it. */
const GONE = {
	error: 'The person "gone" does not exist',
	details: {
		code: 'not-found',
		howToGoOn: expect.stringMatching(/^Check the ID: .* The service said: Not Found$/),
		httpStatus: 404,
	},
};
const BAD_ID = {
	error: 'Person: expected an ID, or /people/{id}, got "a/b"',
	details: {
		code: 'unusable-value',
		howToGoOn: 'Choose from the list, or give the ID as the service shows it',
		parameter: 'Person',
	},
};

describe('an item that fails', () => {
	const scene = useScene();
	const linked = (json: object, item: number) => ({ json, pairedItem: { item } });

	it('On the error output, a failed item keeps its input fields and paired item', async () => {
		const result = await scene.run({ parameters: read, input, onError: 'continueErrorOutput' });
		expect(result.error).toBeUndefined();
		expect(result.items).toEqual([linked({ id }, 0), linked({ id: second.id }, 2)]);
		expect(result.errorItems).toEqual([
			linked({ id: 'gone', ...GONE }, 1),
			linked({ id: 'a/b', ...BAD_ID }, 3),
		]);
	});

	it('On the regular output, a failed item keeps its position and paired item', async () => {
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

	it('On the regular output, a failed write begins with result, name and summary', async () => {
		const rows = [
			{ email: 'eva@crm.example', familyName: 'Dam' },
			{ email: 'n/a', familyName: 'Bos' },
		];
		const parameters = {
			...{ resource: 'person', operation: 'upsert', inputMode: 'columns' },
			columns: { mappingMode: 'autoMapInputData', value: null, schema: [] },
		};
		const { items } = await scene.run({
			parameters,
			input: rows,
			onError: 'continueRegularOutput',
		});
		const [written, refused] = items.map(({ json }) => json);
		expect(written).toMatchObject({ result: 'created', name: 'Dam' });
		expect(Object.keys(refused)).toEqual(['result', 'name', 'summary', 'error', 'details']);
		expect(refused).toMatchObject({
			...{ result: 'failed', name: 'Bos', summary: `Not written: ${String(refused.error)}` },
			details: { code: 'unusable-value' },
		});
	});

	it('If a failed item stops the run, the error counts the finished items', async () => {
		const result = await scene.run({ parameters: read, input: input.slice(0, 3) });
		expect(result.items).toEqual([]);
		expect(result.errorItems).toEqual([]);
		expect(result.error).toMatchObject({
			name: 'NodeApiError',
			message: expect.stringMatching(
				/^The person "gone" does not exist \[row 2\] \([12] of 3 items done, [01] not sent\)$/,
			),
			httpCode: '404',
			node: { name: 'CRM' },
		});
	});
});
