import type { Fault } from '../service';
import { startService } from '../service';
import { itInCi, sampled } from '../support/drawn';
import type { OperationName } from './support/requests';
import { ONCE_ONLY, OPERATIONS, REPEATABLE } from './support/requests';
import { useScene } from './support/scene';
import { PEOPLE } from './support/seeded';

const CLOSED = 'the connection was closed before the answer was complete (ECONNRESET)';
const CREATED = 'so the person may have been created';
const LOOK_FOR = 'Look for the person before you run this item again';

describe('an answer that does not come', () => {
	const scene = useScene();

	it.each([
		['a reset before the service stored it', { kind: 'reset' }, 0],
		['a reset after the service stored it', { kind: 'reset', stored: true }, 1],
		['a truncated answer', { kind: 'truncated' }, 1],
	] as const)('The node does not send a POST again after %s', async (_, fault, stored) => {
		scene.faults(fault);
		const { error, items } = await scene.run({ parameters: OPERATIONS.POST });
		expect(scene.requests()).toHaveLength(1);
		expect(scene.service.store.people.size).toBe(PEOPLE.length + stored);
		expect(items).toEqual([]);
		expect(error).toMatchObject({
			message: `The service did not answer, ${CREATED}`,
			description: `${LOOK_FOR}. Cause: ${CLOSED}`,
			context: { itemIndex: 0 },
		});
	});

	const passing: ReadonlyArray<readonly [name: string, requests: number, faults: Fault[]]> = [
		[
			'a reset and a cut answer',
			3,
			[
				{ kind: 'reset', match: { nth: 1 } },
				{ kind: 'truncated', match: { nth: 2 } },
			],
		],
		[
			'an answer shorter than it says',
			2,
			[{ kind: 'broken', how: 'wrong-length', match: { nth: 1 } }],
		],
		[
			'an answer with an invalid chunk',
			2,
			[{ kind: 'broken', how: 'bad-chunk', match: { nth: 1 } }],
		],
		['HTTP 503 five times', 6, [{ kind: 'status', status: 503, match: { first: 5 } }]],
	];

	it.each(
		sampled(
			REPEATABLE.flatMap((name) => passing.map((fault) => [name, ...fault] as const)),
			3,
		),
	)(
		'The node retries a %s request, and succeeds, after %s',
		async (name, _, requests, faultsFirst) => {
			scene.faults(...faultsFirst);
			const { items, error } = await scene.run({ parameters: { ...OPERATIONS[name], limit: 1 } });
			expect(error).toBeUndefined();
			expect(items).toHaveLength(1);
			// After a lost answer, a write reads what the service shows before it is sent again.
			const isChange = name === 'PATCH' || name === 'PUT';
			const counts = isChange ? [requests, requests + 1] : [requests];
			expect(counts).toContain(scene.requests().length);
		},
	);
});

describe('an update or replacement that is never answered', () => {
	const scene = useScene();

	it.each([
		['PATCH', 'update', '[row 1]'],
		['PUT', 'replace', '[row 1: Jansen]'],
	] as const)(
		'The error of an unanswered %s says that it may have taken effect',
		async (name, verb, row) => {
			scene.faults({ kind: 'reset', match: { method: name } });
			const { error } = await scene.run({ parameters: OPERATIONS[name], input: [{}, {}] });
			expect(error).toMatchObject({
				message: `The service did not answer, so the person may have been ${verb}d ${row} (0 of 2 items done, 1 not sent, 1 may have taken effect)`,
				description: `Run this item again: to ${verb} the person twice does no harm. Cause: ${CLOSED}. It was tried 6 times`,
			});
		},
	);

	it('If later tries cannot connect, the error says the first may have taken effect', async () => {
		const service = await startService();
		service.requests.push = () => {
			void service.close();
			return 1;
		};
		const { error } = await scene.run({
			parameters: OPERATIONS.PATCH,
			credentials: { baseUrl: service.url, apiKey: 'demo-key' },
			input: [{}, {}],
		});
		expect(error?.message).toBe(
			'The service did not answer, so the person may have been updated [row 1] (0 of 2 items done, 1 not sent, 1 may have taken effect)',
		);
		expect(error?.description).toMatch(
			/^Run this item again: to update the person twice does no harm\. Cause: .*\(ECONNRESET\)/,
		);
	});

	it('The error of a refused retry does not suggest that the update took effect', async () => {
		scene.faults(
			{ kind: 'reset', match: { method: 'PATCH', nth: 1 } },
			{ kind: 'status', status: 409, body: 'json', match: { method: 'PATCH', nth: 2 } },
		);
		const { error } = await scene.run({ parameters: OPERATIONS.PATCH, input: [{}, {}] });
		expect(error?.message).toBe(
			'The service could not use the request (HTTP 409): Conflict [row 1] (0 of 2 items done, 1 not sent)',
		);
	});
});

describe('an answer that takes too long', () => {
	const scene = useScene();

	itInCi.each([
		['60 s', {}, 61_000],
		['as long as the user said', { requestOptions: { timeout: 5_000 } }, 6_000],
	])('The node waits %s for an answer, and then retries the request', async (_, options, ms) => {
		scene.faults({ kind: 'slow', match: { nth: 1 } });
		const parameters = { ...OPERATIONS.GET, ...options };
		const { items, error } = await scene.run({ parameters });
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
		const [first, second] = scene.requests().map(({ at }) => at);
		expect(second - first).toBeGreaterThanOrEqual(ms);
		expect(second - first).toBeLessThanOrEqual(ms + 1_000);
	});

	itInCi.each([
		['never comes', { kind: 'slow' }],
		['never ends', { kind: 'broken', how: 'dripping' }],
	] as const)('If the answer of a POST %s, the POST fails within 62 s', async (_, fault) => {
		scene.faults(fault);
		const startedAt = Date.now();
		const { error } = await scene.run({ parameters: OPERATIONS.POST });
		expect(Date.now() - startedAt).toBeLessThanOrEqual(62_000);
		expect(scene.requests()).toHaveLength(1);
		expect(scene.service.store.people.size).toBe(PEOPLE.length + 1);
		expect(error).toMatchObject({
			message: `The service did not answer, ${CREATED}`,
			description: `${LOOK_FOR}. Cause: the answer took too long (ECONNABORTED)`,
		});
	});

	it('If the service switches protocols, a POST fails within 62 s with the reason', async () => {
		scene.faults({ kind: 'broken', how: 'switching-protocols' });
		const startedAt = Date.now();
		const { error } = await scene.run({ parameters: OPERATIONS.POST });
		expect(Date.now() - startedAt).toBeLessThanOrEqual(62_000);
		expect(error?.message).toBe(`The answer of the service cannot be read (HTTP 101), ${CREATED}`);
		expect(error?.description).toMatch(
			/^Check the Base URL.*\. Look for the person before you run this item again\. The answer was empty$/,
		);
	});
});

describe('an answer that is broken or hostile', () => {
	const scene = useScene();

	it.each([
		['huge', 'the answer is larger than 20 MB (ANSWER_TOO_LARGE)', 1],
		[
			'huge-headers',
			'the other side does not speak HTTPS as this n8n does (HPE_HEADER_OVERFLOW)',
			1,
		],
		['bad-gzip', 'the answer is compressed in a wrong way (Z_DATA_ERROR)', 6],
	] as const)(
		'The node explains a broken answer (%s), and the possible effect of a POST',
		async (how, cause, tries) => {
			scene.faults({ kind: 'broken', how });
			const { error } = await scene.run({ parameters: OPERATIONS.list });
			expect(error?.message).toBe('The answer of the service cannot be read');
			expect(error?.description).toContain(`Cause: ${cause}`);
			expect(scene.requests()).toHaveLength(tries);

			// A POST may have taken effect, and is not sent again.
			scene.clear();
			const { error: open } = await scene.run({ parameters: OPERATIONS.POST });
			expect(open?.message).toBe(`The answer of the service cannot be read, ${CREATED}`);
			expect(open?.description).toContain(LOOK_FOR);
			expect(scene.requests()).toHaveLength(1);
		},
	);
});

describe('an answer that does not come from the service', () => {
	const scene = useScene();

	it.each([...REPEATABLE, ...ONCE_ONLY])(
		'A %s request fails if the answer is a web page with HTTP 200',
		async (name) => {
			scene.faults({ kind: 'status', status: 200 });
			const { error, items } = await scene.run({ parameters: OPERATIONS[name] });
			expect(items).toEqual([]);
			expect(error?.message).toMatch(
				/^The answer of the service cannot be read \(HTTP 200, text\/html\)(, so the (person|task) may have been \w+ed)?$/,
			);
			expect(error?.description).toMatch(
				/^Check the Base URL in the credential, and its path: .* The answer was a web page$/,
			);
			expect(error?.httpCode).toBe('200');
			expect(scene.requests()).toHaveLength(1);
		},
	);

	it.each([301, 302, 307, 308])(
		'The node does not follow a redirect with HTTP %d',
		async (status) => {
			const elsewhere = await startService();
			try {
				const location = `${elsewhere.url}/people?page=2`;
				scene.faults({ kind: 'status', status, headers: { location } });
				for (const name of ['GET', 'POST', 'PATCH'] as OperationName[]) {
					const { error } = await scene.run({ parameters: OPERATIONS[name] });
					expect(error).toMatchObject({
						message: 'The service redirects to another address, which is not followed',
						description: `Enter the final address as Base URL in the credential. It was redirected to ${elsewhere.url}`,
						httpCode: String(status),
					});
				}
				expect(elsewhere.requests).toEqual([]);
				expect(scene.requests()).toHaveLength(3);
			} finally {
				await elsewhere.close();
			}
		},
	);
});

describe('a service that is not there', () => {
	const scene = useScene();
	let closedUrl = '';

	beforeAll(async () => {
		const closed = await startService();
		closedUrl = closed.url;
		await closed.close();
	});

	it.each([...REPEATABLE, ...ONCE_ONLY])(
		'If the service is unreachable, a %s request fails after six tries',
		async (name) => {
			const { error } = await scene.run({
				parameters: OPERATIONS[name],
				credentials: { baseUrl: closedUrl },
			});
			expect(error).toMatchObject({
				message: `The service at ${closedUrl} cannot be reached`,
				description:
					'Check the Base URL and its port; the service may be down, or closed to this n8n. Cause: the connection was refused (ECONNREFUSED). It was tried 6 times',
				context: { itemIndex: 0 },
			});
		},
	);

	it('A POST succeeds if an unreachable service returns between two tries', async () => {
		const port = Number(new URL(closedUrl).port);
		const running = scene.run({
			parameters: OPERATIONS.POST,
			credentials: { baseUrl: closedUrl, apiKey: 'demo-key' },
		});
		const back = await startService({ port });
		const { items, error } = await running;
		await back.close();
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
		expect(back.requests).toHaveLength(1);
	});
});
