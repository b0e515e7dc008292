import { locator } from './support/fields';
import type { OperationName } from './support/requests';
import { ONCE_ONLY, OPERATIONS, REPEATABLE } from './support/requests';
import { useScene } from './support/scene';
import { COLUMNS, PEOPLE, TASKS } from './support/seeded';
import type { Switches } from '../service';

const [{ id }] = PEOPLE;
const KEY_ADVICE =
	'Open the credential and check API Key and Base URL; keys are created by an administrator of the CRM';
const RIGHTS_ADVICE =
	'Ask an administrator of the CRM for a key that may do this, and enter it in the credential. The service said: Forbidden';
const ID_ADVICE =
	'Check the ID: it may belong to another kind of record, or the record may have been removed. If every request ends like this, check the Base URL in the credential. The service said: Not Found';

/** What each status says to the user, for one operation. */
const refusals: ReadonlyArray<
	readonly [status: number, operation: OperationName, message: string, description: string]
> = [
	[
		400,
		'PATCH',
		'The service could not use the request (HTTP 400): Bad Request',
		'Check the values given for this person and run again',
	],
	[403, 'GET', 'The API key has no permission to read this person', RIGHTS_ADVICE],
	[403, 'POST', 'The API key has no permission to create this person', RIGHTS_ADVICE],
	[403, 'PUT', 'The API key has no permission to replace this person', RIGHTS_ADVICE],
	[403, 'PATCH', 'The API key has no permission to update this person', RIGHTS_ADVICE],
	[403, 'command', 'The API key has no permission to export this task', RIGHTS_ADVICE],
	[404, 'GET', `The person "${id}" does not exist`, ID_ADVICE],
	[404, 'PATCH', `The person "${id}" does not exist`, ID_ADVICE],
	[404, 'command', `The task "${TASKS[0].id}" does not exist`, ID_ADVICE],
	[
		409,
		'PUT',
		'The service could not use the request (HTTP 409): Conflict',
		'Check the values given for this person and run again',
	],
	[
		415,
		'POST',
		'The service could not use the request (HTTP 415): Unsupported Media Type',
		'Check the values given for this person and run again',
	],
	[
		422,
		'POST',
		'The service could not use the request (HTTP 422): Unprocessable Entity',
		'Check the values given for this person and run again',
	],
	[
		500,
		'POST',
		'The service could not create the person (HTTP 500): Internal Server Error',
		'Whether it took effect is not known: look for the person before you run this item again',
	],
	[
		500,
		'command',
		'The service could not export the task (HTTP 500): Internal Server Error',
		'Whether it took effect is not known: look for the task before you run this item again',
	],
];

describe('a refusal', () => {
	const scene = useScene();

	it.each(refusals)(
		'with %d of %s says what happened and how to go on',
		async (status, operation, message, description) => {
			scene.service.switches.faults = [{ kind: 'status', status, body: 'json' }];
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
			description: `${KEY_ADVICE}. The service said: Invalid API key`,
			httpCode: '401',
			context: { itemIndex: 0 },
		});
		expect(scene.requests()).toHaveLength(1);
	});

	it.each(['negotiated', 'plain', 'jsonld', 'message-only'] as Array<Switches['problemForm']>)(
		'says what the service said, whatever the form of its problem (%s)',
		async (problemForm) => {
			scene.service.switches.problemForm = problemForm;
			const { error } = await scene.run({
				parameters: {
					resource: 'person',
					operation: 'update',
					personId: locator(id),
					inputMode: 'json',
					jsonBody: { owner: '/users/none' },
				},
			});
			expect(error?.message).toBe(
				'The service could not use the request (HTTP 400): Item not found for "/users/none"',
			);
			expect(error?.httpCode).toBe('400');
		},
	);

	it.each([
		[{ title: 'Only a title' }, ': Only a title'],
		[{ message: 'Only a message' }, ': Only a message'],
		[{ title: 'Title', detail: 'Detail', message: 'Message' }, ': Detail'],
		[{ 'hydra:title': 'An error occurred', 'hydra:description': 'Described' }, ': Described'],
		[{}, ''],
	])('says the most telling of %j', async (body, said) => {
		scene.service.switches.faults = [{ kind: 'status', status: 400, body }];
		const { error } = await scene.run({ parameters: OPERATIONS.GET });
		expect(error?.message).toBe(`The service could not use the request (HTTP 400)${said}`);
	});
});

describe('a validation failure', () => {
	const scene = useScene();

	it('lists each value under its label', async () => {
		scene.service.switches.faults = [
			{
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
			},
		];
		const { error } = await scene.run({ parameters: OPERATIONS.POST });
		expect(error?.message).toBe(
			'The service did not accept the person: Email Addresses (entry 2): Email: This is no e-mail address (and 3 more)',
		);
		expect(error?.description).toBe(
			'Correct and run again: Email Addresses (entry 2): Email: This is no e-mail address; Family Name: This value is too long; Customer ID: Taken; Not like this',
		);
		expect(error?.httpCode).toBe('422');
	});

	it('of the service itself says what is missing', async () => {
		const { error } = await scene.run({
			parameters: {
				resource: 'task',
				operation: 'create',
				inputMode: 'json',
				jsonBody: { title: 'x', status: COLUMNS[0], people: [{ givenName: 'Eva' }] },
			},
		});
		expect(error?.message).toBe(
			'The service did not accept the task: People (entry 1): Family Name: This value should not be blank',
		);
		expect(scene.requests()).toHaveLength(1);
	});
});

describe('a service that is down for a moment', () => {
	const scene = useScene();
	const statuses = [500, 502, 503, 504];

	it.each(statuses.flatMap((status) => REPEATABLE.map((name) => [status, name] as const)))(
		'with %d is asked again for %s, five times at most',
		async (status, name) => {
			scene.service.switches.faults = [{ kind: 'status', status }];
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

	it.each(statuses.flatMap((status) => ONCE_ONLY.map((name) => [status, name] as const)))(
		'with %d is not asked again for %s',
		async (status, name) => {
			scene.service.switches.faults = [{ kind: 'status', status }];
			const { error } = await scene.run({ parameters: OPERATIONS[name] });
			expect(scene.requests()).toHaveLength(1);
			expect(error?.httpCode).toBe(String(status));
			expect(error?.description).toMatch(/^Whether it took effect is not known: /);
		},
	);

	it.each(REPEATABLE)('and up again answers %s as if nothing had been', async (name) => {
		scene.service.switches.faults = [{ kind: 'status', status: 503, match: { first: 5 } }];
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
		scene.service.switches.faults = [
			{ kind: 'status', status: 503, headers: { 'retry-after': '100' }, match: { first: 1 } },
		];
		await scene.run({ parameters: OPERATIONS.GET });
		const [first, second] = scene.requests().map(({ at }) => at);
		expect(second - first).toBeGreaterThanOrEqual(100_000);
	});
});
