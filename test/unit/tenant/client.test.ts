import { Cancelled, ServiceError } from '../../../nodes/ContactTaskCrm/http/errors';
import type { Asked, SendOptions } from '../../../nodes/ContactTaskCrm/tenant/client';
import { Client, openAccount } from '../../../nodes/ContactTaskCrm/tenant/client';
import { ExplainedError } from '../../../nodes/ContactTaskCrm/util/errors';
import type { Answer, ItemContextOptions } from '../../support/itemContext';
import { itemContext } from '../../support/itemContext';

const SUBJECT = { noun: 'person' };
const reset = async () =>
	await Promise.reject(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }));
const refused = async () =>
	await Promise.reject(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }));

/** Sends a request with a client of its own, while time passes; says what came of it and how often it went out. */
async function request(
	method: Asked['method'],
	options: ItemContextOptions,
	sendOptions: Partial<SendOptions> = {},
) {
	jest.useFakeTimers();
	const { context, requests } = itemContext(options);
	const sending = (async () => {
		const client = new Client(context, await openAccount(context), { lane: {}, ...sendOptions });
		return await client.request({ method, path: '/people', subject: SUBJECT });
	})().catch((error: unknown) => error);
	await jest.advanceTimersByTimeAsync(600_000);
	jest.useRealTimers();
	return { end: await sending, tries: requests.length };
}

describe('a request', () => {
	const failing = { answer: (): Answer => ({ statusCode: 503 }) };

	it.each<[Asked['method'], string, ItemContextOptions, number]>([
		['GET', '503', failing, 6],
		['PATCH', '503', failing, 6],
		['POST', '503', failing, 1],
		['GET', 'a reset', { answer: reset }, 6],
		['POST', 'a reset', { answer: reset }, 1],
		['POST', 'a connection that was refused, since it never left', { answer: refused }, 6],
		['GET', '400', { answer: () => ({ statusCode: 400 }) }, 1],
	])('that is a %s and always ends with %s is sent %d times', async (method, _, options, times) => {
		const { end, tries } = await request(method, options);
		expect(end).toBeInstanceOf(ServiceError);
		expect(tries).toBe(times);
	});

	it('gives the first success, and is sent again after a 429 whatever its method', async () => {
		let nth = 0;
		const answer = () => ({ statusCode: nth++ < 2 ? 429 : 201, headers: { 'retry-after': '1' } });
		const { end, tries } = await request('POST', { answer });
		expect(end).toMatchObject({ status: 201 });
		expect(tries).toBe(3);
	});

	it('is not sent again behind its deadline', async () => {
		// The next tries would be after a second and after three.
		expect((await request('GET', failing, { deadline: 2_500 })).tries).toBe(2);
	});

	it.each([
		['GET', false],
		['PATCH', true],
	] as const)(
		'that is a %s and is stopped while it waits to be sent again may have taken effect: %p',
		async (method, mayHaveTakenEffect) => {
			const stop = new AbortController();
			const answer = () => {
				stop.abort();
				return { statusCode: 503 };
			};
			const { end, tries } = await request(method, { answer }, { signal: stop.signal });
			expect(end).toBeInstanceOf(Cancelled);
			expect(end).toMatchObject({ mayHaveTakenEffect });
			expect(tries).toBe(1);
		},
	);

	it('shows the key in nothing that the service says, and is not spent where there is none', async () => {
		const detail = 'The key secret-key is none; use another one than secret-key';
		const answer = () => ({ statusCode: 400, body: { detail } });
		const { end } = await request('GET', { apiKey: '  secret-key\n', answer });
		expect((end as ExplainedError).text).toContain('The key … is none');
		expect((end as ExplainedError).text).not.toContain('secret-key');
		const keyless = await request('GET', { apiKey: '   ' });
		expect(keyless.end).toMatchObject({ message: 'The API Key is empty' });
		expect(keyless.tries).toBe(0);
	});
});
