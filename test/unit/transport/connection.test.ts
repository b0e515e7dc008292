import type { IHttpRequestOptions } from 'n8n-workflow';
import { ExplainedError } from '../../../nodes/ContactTaskCrm/common/errors';
import { systemClock } from '../../../nodes/ContactTaskCrm/transport/clock';
import { Connection } from '../../../nodes/ContactTaskCrm/transport/connection';
import type { ServiceRequest } from '../../../nodes/ContactTaskCrm/transport/http';
import type { Exchange } from '../../../nodes/ContactTaskCrm/transport/send';
import { sendOnce } from '../../../nodes/ContactTaskCrm/transport/send';
import type { ItemContextOptions } from '../../support/itemContext';
import { itemContext } from '../../support/itemContext';
import { VirtualClock } from '../../support/virtualClock';

const waitLimits = { slotMs: 0, throttledMs: 0 };
const sender = () => ({ queueKey: {}, item: 0, urgent: false, waitLimits, connection: {} });
const GET = { method: 'GET' as const, path: '/people' };

async function failureOf(options: ItemContextOptions): Promise<ExplainedError> {
	const { context } = itemContext(options);
	const opened = Connection.open(context, sender());
	const failure: unknown = await opened
		.then(async (connection) => await connection.request(GET, { noun: 'person' }))
		.catch((error: unknown) => error);
	if (failure instanceof ExplainedError) return failure;
	throw new Error('Expected an error in words');
}

describe('the key', () => {
	it.each(['secret-key', '  secret-key\n'])(
		'never shows in what the service says: %j',
		async (apiKey) => {
			const detail = 'The key secret-key is none; use another one than secret-key';
			const error = await failureOf({
				apiKey,
				answer: () => ({ statusCode: 400, body: { detail } }),
			});
			expect(error.text).not.toContain('secret-key');
			expect(error.message).toContain('The key … is none');
		},
	);

	it.each(['', '   '])('that is empty is asked for before a request is spent', async (apiKey) => {
		const answer = jest.fn(() => ({}));
		const error = await failureOf({ apiKey, answer });
		expect(error.message).toBe('The API Key is empty');
		expect(error.advice).toMatch(/^Open the credential/);
		expect(answer).not.toHaveBeenCalled();
	});
});

describe('sending', () => {
	const exchange = (context: Exchange['context'], request: ServiceRequest, options = {}) => ({
		context,
		baseUrl: 'https://crm.example.com/api',
		request,
		options,
		credential: {},
		clock: systemClock,
	});
	const sent = async (request: ServiceRequest) => {
		const { context, requests } = itemContext();
		const outcome = await sendOnce(exchange(context, request));
		return { outcome, request: requests[0] as IHttpRequestOptions | undefined };
	};

	it('writes query parameters so that nothing in them is read as something else', async () => {
		const query = [
			['createdAt[after]', '2026-07-01T10:00:00+02:00'],
			['q', 'a&b=c #d'],
			['q', 'twice'],
		] as Array<[string, string]>;
		const { request } = await sent({ ...GET, query });
		expect(request?.url).toBe(
			'https://crm.example.com/api/people?createdAt%5Bafter%5D=2026-07-01T10%3A00%3A00%2B02%3A00&q=a%26b%3Dc%20%23d&q=twice',
		);
	});

	it.each([
		['PATCH' as const, 'application/merge-patch+json'],
		['PUT' as const, 'application/ld+json'],
		['POST' as const, 'application/ld+json'],
	])('names the content type of a %s', async (method, type) => {
		const { request } = await sent({ method, path: '/people', body: {} });
		expect(request?.headers).toEqual({ Accept: 'application/ld+json', 'Content-Type': type });
		expect(request?.body).toBe('{}');
	});

	it('follows no redirect, and asks for a stream, whose size it can limit', async () => {
		const { request } = await sent(GET);
		expect(request).toMatchObject({ disableFollowRedirect: true, encoding: 'stream' });
		expect(request).not.toHaveProperty('body');
	});

	it.each([
		[60_000, {}],
		[5_000, { timeout: 5_000 }],
	])('ends after %d ms where the host never gives an answer (%j)', async (ms, options) => {
		const clock = new VirtualClock();
		const { context } = itemContext({ answer: async () => await new Promise(() => {}) });
		const outcome = sendOnce({ ...exchange(context, GET, options), clock });
		expect(await clock.run(outcome)).toMatchObject({ code: 'ECONNABORTED' });
		expect(clock.now()).toBe(ms);
		expect(clock.waiting).toBe(0);
	});

	it('never rejects: text that is no valid Unicode is told like any other failure', async () => {
		const { outcome, request } = await sent({ ...GET, query: [['q', '\ud800']] });
		expect(outcome).toMatchObject({ kind: 'networkError', message: 'URI malformed' });
		expect(request).toBeUndefined();
	});

	it('finds the code of a failure in its causes, and reads header names in any case', async () => {
		const failing = itemContext({
			answer: () => {
				throw Object.assign(new Error('wrapped'), {
					cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
				});
			},
		});
		expect(await sendOnce(exchange(failing.context, GET))).toEqual({
			kind: 'networkError',
			code: 'ECONNRESET',
			message: 'read ECONNRESET',
		});
		const answering = itemContext({
			answer: () => ({ statusCode: 429, headers: { 'Retry-After': '5' } }),
		});
		expect(await sendOnce(exchange(answering.context, GET))).toMatchObject({
			status: 429,
			headers: { 'retry-after': '5' },
		});
	});
});
