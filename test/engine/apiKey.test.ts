import { answer } from './support/faults';
import { printed } from './support/printed';
import { labelOf } from '../../nodes/ContactTaskCrm/schema/label';
import type { Fault } from '../service';
import { sampled } from '../support/drawn';
import { everyText } from './support/everyText';
import { locator } from './support/fields';
import { OPERATIONS } from './support/requests';
import type { NodeResult, NodeSetup } from './support/runNode';
import { useScene } from './support/scene';
import { PEOPLE, TAGS } from './support/seeded';

const DISTINCTIVE = 'kR7+distinctive/key==9d2f';
const FORMS = [
	DISTINCTIVE,
	encodeURIComponent(DISTINCTIVE),
	Buffer.from(DISTINCTIVE).toString('base64').replace(/=+$/, ''),
	DISTINCTIVE.split('').reverse().join(''),
];

/** Parts of the key that remain if the node makes a label of the key, or cuts a text with the key. */
const TRACES = [...FORMS.slice(0, 3).map(labelOf), DISTINCTIVE.slice(0, 8)];

/** Returns an answer with the key in every place that a service or proxy could use. */
const echo = (status: number): Fault => ({
	kind: 'status',
	status,
	body: {
		title: `Key ${DISTINCTIVE} ${FORMS[1]} ${FORMS[2]}`,
		detail: `The key ${DISTINCTIVE} (${FORMS[1]}, ${FORMS[2]}) was used. ${'x'.repeat(460)} ${DISTINCTIVE}`,
		message: DISTINCTIVE,
		status,
		violations: [
			{ propertyPath: FORMS[1], message: `${DISTINCTIVE} ${FORMS[2]}.` },
			...FORMS.slice(0, 3).map((form) => ({
				propertyPath: `names[0].${form}`,
				message: `${'x'.repeat(490)}${form}`,
			})),
		],
	},
	headers: { 'x-echo': DISTINCTIVE, location: `https://elsewhere.example/?key=${DISTINCTIVE}` },
});

const faults: ReadonlyArray<readonly [name: string, fault: Fault | undefined]> = [
	['a normal answer', undefined],
	...[302, 400, 401, 403, 404, 409, 422, 500, 503].map(
		(status) => [`HTTP ${status} that repeats the key`, echo(status)] as const,
	),
	['HTTP 429 that repeats the key', { ...echo(429), match: { first: 2 } }],
	['a page of HTML', { kind: 'status', status: 200 }],
	['a connection reset', { kind: 'reset' }],
	['a truncated answer', { kind: 'truncated' }],
];

const upsert = { operation: 'upsert', email: 'a@mail.example', familyName: 'x' };
const addTags = { operation: 'addTags', personId: locator(PEOPLE[0].id), tags: [TAGS[6]] };
const ownRequest = { resource: 'apiRequest', operation: 'send', path: '/people' };
const few = [OPERATIONS.list, OPERATIONS.POST, { resource: 'person', ...upsert }, ownRequest];
const { GET, PATCH, command } = OPERATIONS;
const all = [...few, GET, PATCH, command, { resource: 'person', ...addTags }];

describe('the API key', () => {
	const scene = useScene({ apiKey: DISTINCTIVE });

	beforeEach(() => {
		printed.length = 0;
	});

	const run = async (setup: NodeSetup): Promise<NodeResult> =>
		await scene.run({ ...setup, credentials: { apiKey: DISTINCTIVE, ...setup.credentials } });

	/** Checks everything that an execution leaves behind: the saved data of n8n, and objects in memory. */
	const expectNoKeyIn = (result: NodeResult) => {
		const left = [JSON.stringify(result.run), ...everyText(result), ...printed];
		for (const form of [...FORMS, ...TRACES]) {
			expect(left.filter((text) => text.includes(form))).toEqual([]);
		}
	};

	it.each(
		sampled(
			(
				[
					['stopWorkflow', all],
					['continueErrorOutput', few],
					['continueRegularOutput', few],
				] as const
			).flatMap(([onError, operations]) =>
				faults.map(([name, fault]) => [name, onError, fault, operations] as const),
			),
			16,
		),
	)(
		'No output, error or log shows the API key after %s (On Error: %s)',
		async (_, onError, fault, operations) => {
			for (const parameters of operations) {
				scene.service.switches.faults = fault ? [structuredClone(fault)] : [];
				const result = await run({ parameters, onError, input: [{}, {}] });
				expect(scene.requests().length).toBeGreaterThan(0);
				scene.clear();
				expectNoKeyIn(result);
			}
			expect(printed.length).toBeGreaterThan(0);
		},
	);

	it.each([
		['a host that is not there', 'http://127.0.0.1:9'],
		[
			'a URL that carries the key',
			`https://crm.example.com/?key=${encodeURIComponent(DISTINCTIVE)}`,
		],
		[
			'a URL that carries the key as password',
			`https://eva:${encodeURIComponent(DISTINCTIVE)}@crm.example.com`,
		],
		['plain HTTP', 'http://crm.example.com'],
		['no URL', ''],
	])('No output, error or log shows the API key with %s as Base URL', async (_, baseUrl) => {
		const result = await run({ parameters: OPERATIONS.GET, credentials: { baseUrl } });
		expect(result.error).toBeDefined();
		expectNoKeyIn(result);
	});

	it('No output, error or log shows an API key entered with spaces around it', async () => {
		scene.faults(echo(400));
		const result = await run({
			parameters: OPERATIONS.POST,
			credentials: { apiKey: ` ${DISTINCTIVE}\n` },
		});
		expect(result.error?.httpCode).toBe('400');
		expectNoKeyIn(result);
	});

	it('Get Many follows no link to a next page on another host', async () => {
		scene.faults(
			answer(
				{
					member: Array.from({ length: 30 }, (_, index) => ({ id: `p${index}` })),
					view: { next: 'https://elsewhere.example/people?page=2' },
				},
				{ nth: 1 },
			),
		);
		await run({ parameters: { ...OPERATIONS.list, limit: 31 } });
		expect(scene.requests().map(({ rawUrl }) => rawUrl)).toEqual([
			'/people?itemsPerPage=30',
			'/people?itemsPerPage=30&page=2',
		]);
	});
});
