import type { ApiRequest, Sending } from '../../../nodes/ContactTaskCrm/http/request';
import { isUsable, sendOnce } from '../../../nodes/ContactTaskCrm/http/send';
import type { ItemContextOptions } from '../../support/itemContext';
import { itemContext } from '../../support/itemContext';
import { VirtualClock } from '../../support/virtualClock';

const never = async () => await new Promise<never>(() => {});

/** Sends a request in virtual time. Returns its outcome, the time, and the options it was sent with. */
async function send(
	parts: Partial<ApiRequest & Sending>,
	options: ItemContextOptions = {},
	abortAt?: number,
) {
	const clock = new VirtualClock();
	const { context, requests } = itemContext(options);
	const execution = new AbortController();
	context.getExecutionCancelSignal = () => execution.signal;
	const request = { method: 'GET', path: '/people', subject: { noun: 'person' }, ...parts };
	const route = { context, baseUrl: 'https://crm.example.com/api', credential: {}, clock };
	const sending = sendOnce(request as ApiRequest, parts, route);
	if (abortAt !== undefined) void clock.sleep(abortAt).then(() => execution.abort());
	const outcome = await clock.run(sending);
	return { outcome, request: requests.at(0), at: clock.now(), timers: clock.waiting };
}

describe('the request that is sent', () => {
	it('A request encodes special characters in its query parameters, and keeps repeated parameters', async () => {
		const query: Array<[string, string]> = [
			['createdAt[after]', '2026-07-01T10:00:00+02:00'],
			['q', 'a&b=c #d'],
			['q', 'twice'],
		];
		expect((await send({ query })).request?.url).toBe(
			'https://crm.example.com/api/people?createdAt%5Bafter%5D=2026-07-01T10%3A00%3A00%2B02%3A00&q=a%26b%3Dc%20%23d&q=twice',
		);
	});

	it.each(['Eva \ud83d', '\ude00 Eva', 'Eva \ud83d\ud83d'])(
		'The node replaces half an emoji in a query by a replacement character: %j',
		async (text) => {
			const { outcome, request } = await send({ query: [['q', text]] });
			expect(outcome).toMatchObject({ kind: 'response', status: 200 });
			expect(decodeURIComponent(request!.url)).toMatch(/\?q=[Eva \ufffd]+$/);
		},
	);

	it.each([
		['PATCH', 'application/merge-patch+json'],
		['POST', 'application/ld+json'],
	] as const)(
		'A %s request has the content type of its method, and follows no redirect',
		async (method, type) => {
			const { request } = await send({ method, body: {} });
			expect(request?.headers).toEqual({ Accept: 'application/ld+json', 'Content-Type': type });
			expect(request).toMatchObject({
				body: '{}',
				disableFollowRedirect: true,
				encoding: 'stream',
			});
		},
	);
});

describe('one exchange', () => {
	it.each<[string, Partial<Sending>, number]>([
		['after a minute by default', {}, 60_000],
		['at the timeout that the user set', { timeout: 5_000 }, 5_000],
		['at the deadline that its caller set', { deadline: 7_000 }, 7_000],
		['at the timeout, if the deadline is later', { timeout: 5_000, deadline: 7_000 }, 5_000],
		['after a second, if the deadline is nearer', { deadline: 10 }, 1_000],
		['after a second, if the deadline has passed', { deadline: -1 }, 1_000],
	])('The node gives up a request without an answer %s', async (_, parts, ms) => {
		const { outcome, at, timers } = await send(parts, { answer: never });
		expect(outcome).toMatchObject({ code: 'ECONNABORTED' });
		expect(at).toBe(ms);
		expect(timers).toBe(0);
	});

	it('The node gives up an unanswered request 600 ms after the user cancels', async () => {
		const { outcome, at, timers } = await send({}, { answer: never }, 200);
		expect(outcome).toMatchObject({ code: 'ERR_CANCELED' });
		expect(at).toBe(800);
		expect(timers).toBe(0);
	});

	it('The node gives up an unanswered request 5 s after its run stops', async () => {
		const { outcome, at } = await send({ signal: AbortSignal.abort() }, { answer: never });
		expect(outcome).toMatchObject({ code: 'ERR_CANCELED' });
		expect(at).toBe(5_000);
	});

	it('A request answered in time keeps its answer despite a stop or cancellation', async () => {
		const { outcome } = await send({ signal: AbortSignal.abort() }, {}, 0);
		expect(outcome).toMatchObject({ kind: 'response', status: 200 });
	});

	it.each<[object, string, string]>([
		[{ message: 'wrapped', cause: { code: 'ECONNRESET' } }, 'ECONNRESET', 'wrapped'],
		[{ message: 'refused', httpCode: 'ECONNREFUSED' }, 'ECONNREFUSED', 'refused'],
		[{ message: 'outer', cause: { message: 'inner' } }, '', 'outer'],
		[{ message: 'not sent', code: 'E lower' }, '', 'not sent'],
		[{ message: 7, code: 12 }, '', ''],
	])('From the failure %j, the node reads code and message', async (failure, code, message) => {
		const answer = async () => await Promise.reject(failure as Error);
		const { outcome } = await send({}, { answer });
		expect(outcome).toEqual({ kind: 'networkError', code, message });
	});

	it('sendOnce returns a failure as outcome, and writes header names in small letters', async () => {
		const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
		const answer = async () =>
			await Promise.reject(Object.assign(new Error('wrapped'), { cause: reset }));
		expect((await send({}, { answer })).outcome).toEqual({
			kind: 'networkError',
			code: 'ECONNRESET',
			message: 'read ECONNRESET',
		});
		const refused = () => ({ statusCode: 429, headers: { 'Retry-After': '5' } });
		const { outcome } = await send({}, { answer: refused });
		expect(outcome).toMatchObject({ status: 429, headers: { 'retry-after': '5' } });
	});
});

it.each<[number, string | undefined, unknown, boolean]>([
	[200, 'application/ld+json; charset=utf-8', {}, true],
	[200, 'application/ld+json; charset=utf-8', '{"member": [{"id"', false],
	[200, 'application/json', '', true],
	[200, 'text/html', '<p>', true],
	[200, undefined, 'text', true],
	[299, undefined, {}, true],
	[300, undefined, {}, false],
	[199, undefined, {}, false],
])('In row %#, isUsable judges HTTP %d (%s) with body %j as %s', (...row) => {
	const [status, type, body, expected] = row;
	const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
	expect(isUsable({ status, headers, body })).toBe(expected);
});
