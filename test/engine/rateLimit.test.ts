import { itInCi } from '../support/drawn';
import { GivenCredentials } from './support/credentials';
import { items, useScene } from './support/scene';

const create = { resource: 'person', operation: 'create', familyName: '={{ $json.name }}' };
const people = (count: number) => items(count, (index) => ({ name: `Person ${index}` }));

describe('a service that allows 20 requests in 60 s', () => {
	const scene = useScene();

	itInCi('At 20 requests a minute, 30 creates succeed in order, and none is refused', async () => {
		const { items: results, error } = await scene.run({ parameters: create, input: people(30) });
		expect(error).toBeUndefined();
		expect(results.map(({ json }) => json.familyName)).toEqual(people(30).map(({ name }) => name));
		expect(results.map(({ pairedItem }) => pairedItem)).toEqual(items(30, (item) => ({ item })));
		expect(scene.requests().map(({ status }) => status)).toEqual(Array(30).fill(201));
		const names = scene.requests().map(({ body }) => (body as { familyName: string }).familyName);
		expect(names).toEqual(people(30).map(({ name }) => name));
	});

	it('A run keeps to the Requests per Minute of its credential', async () => {
		await scene.run({
			parameters: create,
			input: people(12),
			credentials: { requestsPerMinute: 5 },
		});
		const times = scene.requests().map(({ at }) => at);
		expect(times[5] - times[0]).toBeGreaterThanOrEqual(60_000);
		expect(times[10] - times[5]).toBeGreaterThanOrEqual(60_000);
	});

	itInCi(
		'Two executions in one process share the rate limit, and the service refuses nothing',
		async () => {
			await Promise.all([
				scene.run({ parameters: create, input: people(15) }),
				scene.run({ parameters: create, input: people(15) }),
			]);
			expect(scene.requests().map(({ status }) => status)).toEqual(Array(30).fill(201));
		},
	);

	itInCi(
		'Beside a 60-item execution, a one-item execution sends among the first six requests',
		async () => {
			const many = scene.run({ parameters: create, input: people(60) });
			const one = scene.run({ parameters: create, input: [{ name: 'The one' }] });
			await Promise.all([many, one]);
			const names = scene.requests().map(({ body }) => (body as { familyName: string }).familyName);
			expect(names.indexOf('The one')).toBeLessThanOrEqual(5);
		},
	);

	itInCi('The node decrypts the credential once for a run of 500 items', async () => {
		const decrypted = jest.spyOn(GivenCredentials.prototype, 'getDecrypted');
		await scene.run({
			parameters: { ...create, options: { whenRateLimited: 'fail' } },
			input: people(500),
			onError: 'continueRegularOutput',
		});
		expect(decrypted).toHaveBeenCalledTimes(2);
		decrypted.mockRestore();
	});

	it('With When Rate Limited: Fail, items beyond the limit fail with the waiting time', async () => {
		const { items: results, errorItems } = await scene.run({
			parameters: { ...create, options: { whenRateLimited: 'fail' } },
			input: people(25),
			onError: 'continueErrorOutput',
		});
		expect(results).toHaveLength(20);
		expect(errorItems).toHaveLength(5);
		expect(errorItems[0].json.error).toMatch(/the next one is possible in (59|60|61) seconds/);
		expect(errorItems.map(({ pairedItem }) => pairedItem)).toEqual(
			items(5, (index) => ({ item: index + 20 })),
		);
	});
});

describe('a failed request without a free slot for its retry', () => {
	const scene = useScene();

	it.each([
		[{ kind: 'status', status: 503 }, 'The service could not read the list of people (HTTP 503)'],
		[{ kind: 'reset' }, 'The service did not answer'],
	] as const)(
		'With When Rate Limited: Fail, the error tells of the failure: %j',
		async (...row) => {
			const [fault, message] = row;
			scene.faults(fault);
			const parameters = { resource: 'person', operation: 'getAll', limit: 1 };
			const { error } = await scene.run({
				parameters: { ...parameters, options: { whenRateLimited: 'fail' } },
				credentials: { requestsPerMinute: 1 },
			});
			expect(error?.message).toBe(message);
			expect(error?.description).not.toContain('It was tried');
			expect(scene.requests()).toHaveLength(1);
		},
	);
});

describe('a service that refuses everything', () => {
	const scene = useScene({
		switches: { faults: [{ kind: 'status', status: 429, body: 'json' }] },
	});

	it('If every answer is 429, a run retries within the maximum wait, then fails', async () => {
		const { error } = await scene.run({
			parameters: { ...create, options: { maxWaitMinutes: 3 } },
			input: people(1),
		});
		expect(error?.message).toMatch(/The service refuses requests for now \(HTTP 429\)/);
		expect(error?.httpCode).toBe('429');
		const times = scene.requests().map(({ at }) => at);
		expect(times.at(-1)! - times[0]).toBeLessThanOrEqual(180_000);
		expect(times.length).toBeGreaterThan(2);
	});

	itInCi.each([
		[0, 1],
		['', 20],
		[undefined, 20],
	])(
		'With Max Wait (Minutes) %j, a run meeting 429 sends %d requests or more',
		async (maxWaitMinutes, least) => {
			const { error } = await scene.run({
				parameters: { ...create, options: { maxWaitMinutes } },
				input: people(1),
			});
			expect(error?.httpCode).toBe('429');
			const times = scene.requests().map(({ at }) => at);
			expect(times.length).toBeGreaterThanOrEqual(least);
			if (maxWaitMinutes === 0) expect(times).toHaveLength(1);
		},
	);

	it.each([-1, 'soon'])(
		'A run refuses %j as Max Wait (Minutes), and sends nothing',
		async (given) => {
			const { error } = await scene.run({
				parameters: { ...create, options: { maxWaitMinutes: given } },
				input: people(1),
			});
			expect(error?.message).toMatch(/^Max Wait \(Minutes\): expected a number from 0, got /);
			expect(scene.requests()).toEqual([]);
		},
	);

	it.each([[['7', '90']], [['90', '7']]])(
		'If a 429 has two Retry-After headers, the wait lies between them: %j',
		async (waits) => {
			const headers = { 'retry-after': waits };
			scene.faults({ kind: 'status', status: 429, body: 'json', headers, match: { nth: 1 } });
			const { error } = await scene.run({ parameters: create, input: people(1) });
			expect(error).toBeUndefined();
			const [first, second] = scene.requests().map(({ at }) => at);
			expect(second - first).toBeGreaterThanOrEqual(7_000);
			expect(second - first).toBeLessThanOrEqual(91_000);
		},
	);

	it('With When Rate Limited: Fail, a 429 fails the run with the waiting time', async () => {
		scene.faults({ kind: 'status', status: 429, body: 'json', headers: { 'retry-after': '42' } });
		const { error } = await scene.run({
			parameters: { ...create, options: { whenRateLimited: 'fail' } },
			input: people(1),
		});
		expect(scene.requests()).toHaveLength(1);
		expect(error?.message).toMatch(/the next try is possible in 4[34] seconds/);
		expect(error?.failure).toMatchObject({ cause: 'rate-limited' });
	});
});
