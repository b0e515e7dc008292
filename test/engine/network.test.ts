import { startService } from '../service';
import type { OperationName } from './support/requests';
import { ONCE_ONLY, OPERATIONS, REPEATABLE } from './support/requests';
import { useScene } from './support/scene';
import { PEOPLE } from './support/seeded';

const CLOSED = 'the connection was closed before the answer was complete (ECONNRESET)';
const CUT = CLOSED;
const NOT_KNOWN =
	'Whether it took effect is not known: look for the person before you run this item again';

describe('an answer that does not come', () => {
	const scene = useScene();

	it.each([
		['a reset before it was stored', { kind: 'reset' }, CLOSED, 0],
		['a reset after it was stored', { kind: 'reset', stored: true }, CLOSED, 1],
		['an answer that is cut', { kind: 'truncated' }, CUT, 1],
	] as const)('never has a POST sent twice: %s', async (_, fault, cause, stored) => {
		scene.service.switches.faults = [fault];
		const { error, items } = await scene.run({ parameters: OPERATIONS.POST });
		expect(scene.requests()).toHaveLength(1);
		expect(scene.service.store.people.size).toBe(PEOPLE.length + stored);
		expect(items).toEqual([]);
		expect(error).toMatchObject({
			message: 'The service did not answer',
			description: `${NOT_KNOWN}. Cause: ${cause}`,
			context: { itemIndex: 0 },
		});
	});

	it.each([
		...REPEATABLE.map((name) => [name, { kind: 'reset' }, CLOSED] as const),
		...REPEATABLE.map((name) => [name, { kind: 'reset', stored: true }, CLOSED] as const),
		...REPEATABLE.map((name) => [name, { kind: 'truncated' }, CUT] as const),
	])('is asked for again by %s after %j, five times at most', async (name, fault, cause) => {
		scene.service.switches.faults = [fault];
		const { error } = await scene.run({ parameters: OPERATIONS[name] });
		expect(scene.requests()).toHaveLength(6);
		expect(error).toMatchObject({
			message: 'The service did not answer',
			description: `Try again later. Cause: ${cause}. It was tried 6 times`,
		});
	});

	it.each(REPEATABLE)('costs %s nothing where the next one comes', async (name) => {
		scene.service.switches.faults = [
			{ kind: 'reset', match: { nth: 1 } },
			{ kind: 'truncated', match: { nth: 2 } },
		];
		const { items, error } = await scene.run({ parameters: { ...OPERATIONS[name], limit: 1 } });
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
		expect(scene.requests()).toHaveLength(3);
	});
});

describe('an answer that takes too long', () => {
	const scene = useScene();

	it('is waited for 60 s, and asked for again', async () => {
		scene.service.switches.faults = [{ kind: 'slow', match: { nth: 1 } }];
		const { items, error } = await scene.run({ parameters: OPERATIONS.GET });
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
		const [first, second] = scene.requests().map(({ at }) => at);
		expect(second - first).toBeGreaterThanOrEqual(61_000);
		expect(second - first).toBeLessThanOrEqual(62_000);
	});

	it('is waited for as long as the user said', async () => {
		scene.service.switches.faults = [{ kind: 'slow', match: { nth: 1 } }];
		await scene.run({ parameters: { ...OPERATIONS.GET, requestOptions: { timeout: 5_000 } } });
		const [first, second] = scene.requests().map(({ at }) => at);
		expect(second - first).toBeGreaterThanOrEqual(6_000);
		expect(second - first).toBeLessThanOrEqual(7_000);
	});

	it('leaves it open whether a POST took effect, and sends no second one', async () => {
		scene.service.switches.faults = [{ kind: 'slow' }];
		const { error } = await scene.run({ parameters: OPERATIONS.POST });
		expect(scene.requests()).toHaveLength(1);
		expect(scene.service.store.people.size).toBe(PEOPLE.length + 1);
		expect(error).toMatchObject({
			message: 'The service did not answer',
			description: `${NOT_KNOWN}. Cause: the answer took too long (ECONNABORTED)`,
		});
	});

	it('frees its slot at the deadline where it drips for ever', async () => {
		scene.service.switches.faults = [{ kind: 'broken', how: 'dripping' }];
		const startedAt = Date.now();
		const { error } = await scene.run({ parameters: OPERATIONS.POST });
		expect(Date.now() - startedAt).toBeLessThanOrEqual(62_000);
		expect(error).toMatchObject({
			message: 'The service did not answer',
			description: `${NOT_KNOWN}. Cause: the answer took too long (ECONNABORTED)`,
		});
	});

	it('frees its slot where the service switches to another protocol', async () => {
		scene.service.switches.faults = [{ kind: 'broken', how: 'switching-protocols' }];
		const startedAt = Date.now();
		const { error } = await scene.run({ parameters: OPERATIONS.POST });
		expect(Date.now() - startedAt).toBeLessThanOrEqual(62_000);
		expect(error?.message).toBe('The answer of the service cannot be read (HTTP 101)');
		expect(error?.description).toBe(NOT_KNOWN);
	});

	it('lets others go on once four that drip have ended', async () => {
		scene.service.switches.faults = [{ kind: 'broken', how: 'dripping', match: { first: 4 } }];
		const dripping = scene.run({
			parameters: { ...OPERATIONS.POST, requestOptions: { timeout: 5_000 } },
			input: Array.from({ length: 4 }, () => ({})),
			onError: 'continueRegularOutput',
		});
		const { items, error } = await scene.run({ parameters: OPERATIONS.GET });
		await dripping;
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
	});
});

describe('an answer that is broken or hostile', () => {
	const scene = useScene();

	it.each([
		['huge', 'the answer is larger than 20 MB (ANSWER_TOO_LARGE)', 1],
		['deeply-nested', 'the answer is nested over 500 levels deep (ANSWER_TOO_DEEP)', 1],
		['huge-headers', 'the headers of the answer are too large (HPE_HEADER_OVERFLOW)', 1],
		['bad-gzip', 'the answer is compressed in a wrong way (Z_DATA_ERROR)', 6],
	] as const)('is told in words to whoever reads: %s', async (how, cause, tries) => {
		scene.service.switches.faults = [{ kind: 'broken', how }];
		const { error } = await scene.run({ parameters: OPERATIONS.list });
		expect(error?.message).toBe('The answer of the service cannot be read');
		expect(error?.description).toContain(`Cause: ${cause}`);
		expect(scene.requests()).toHaveLength(tries);
	});

	it.each(['huge', 'deeply-nested', 'huge-headers', 'bad-gzip'] as const)(
		'leaves it open whether a POST took effect, and sends no second one: %s',
		async (how) => {
			scene.service.switches.faults = [{ kind: 'broken', how }];
			const { error } = await scene.run({ parameters: OPERATIONS.POST });
			expect(error?.message).toBe('The answer of the service cannot be read');
			expect(error?.description).toContain(NOT_KNOWN);
			expect(scene.requests()).toHaveLength(1);
		},
	);

	it.each([
		['is shorter than it says', 'wrong-length'],
		['is cut into pieces in a wrong way', 'bad-chunk'],
	] as const)('is asked for again where it %s', async (_, how) => {
		scene.service.switches.faults = [{ kind: 'broken', how, match: { nth: 1 } }];
		const { items } = await scene.run({ parameters: OPERATIONS.GET });
		expect(items).toHaveLength(1);
		expect(scene.requests()).toHaveLength(2);
	});

	it.each([408, 425, 522])('is asked for again after HTTP %d', async (status) => {
		scene.service.switches.faults = [{ kind: 'status', status, match: { first: 2 } }];
		const { items, error } = await scene.run({ parameters: OPERATIONS.GET });
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
		expect(scene.requests()).toHaveLength(3);
	});
});

describe('an answer that is none of the service', () => {
	const scene = useScene();

	it.each([...REPEATABLE, ...ONCE_ONLY])('is not taken for success by %s', async (name) => {
		scene.service.switches.faults = [{ kind: 'status', status: 200 }];
		const { error, items } = await scene.run({ parameters: OPERATIONS[name] });
		expect(items).toEqual([]);
		expect(error?.message).toBe('The answer of the service cannot be read (HTTP 200)');
		expect(error?.httpCode).toBe('200');
		expect(scene.requests()).toHaveLength(1);
	});

	it.each([301, 302, 307, 308])('is not followed where it redirects with %d', async (status) => {
		const elsewhere = await startService();
		try {
			const location = `${elsewhere.url}/people?page=2`;
			scene.service.switches.faults = [{ kind: 'status', status, headers: { location } }];
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
	});

	it('is not read as a record where it is a list', async () => {
		scene.service.switches.faults = [{ kind: 'status', status: 200, body: [] as never }];
		const { error } = await scene.run({ parameters: OPERATIONS.GET });
		expect(error?.message).toBe('The answer of the service cannot be read (HTTP 200)');
	});

	it('is not read as a list where it is a record', async () => {
		scene.service.switches.faults = [{ kind: 'status', status: 200, body: { id: 'x' } }];
		const { error } = await scene.run({ parameters: OPERATIONS.list });
		expect(error?.message).toBe('The answer of the service cannot be read (HTTP 200)');
	});
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
		'is tried six times by %s, which never left',
		async (name) => {
			const { error } = await scene.run({
				parameters: OPERATIONS[name],
				credentials: { baseUrl: closedUrl },
			});
			expect(error).toMatchObject({
				message: `The service at ${closedUrl} cannot be reached`,
				description:
					'Check the Base URL in the credential, and the network of this n8n. Cause: the connection was refused (ECONNREFUSED). It was tried 6 times',
				context: { itemIndex: 0 },
			});
		},
	);

	it('costs a POST nothing where it comes back in the meantime', async () => {
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
