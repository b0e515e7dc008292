import { startService } from '../service';
import type { OperationName } from './support/requests';
import { ONCE_ONLY, OPERATIONS, REPEATABLE } from './support/requests';
import { useScene } from './support/scene';
import { PEOPLE } from './support/seeded';
import { useVirtualTimeouts } from './support/socketTimeouts';

const CLOSED = 'the connection was closed before the answer was complete (ECONNRESET)';
const CUT = 'the answer broke off (ERR_BAD_RESPONSE)';
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
	useVirtualTimeouts();

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
