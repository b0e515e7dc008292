import { Cancelled } from '../../../nodes/ContactTaskCrm/http/errors';
import type { Asked, SendOptions } from '../../../nodes/ContactTaskCrm/tenant/client';
import { Client, openAccount } from '../../../nodes/ContactTaskCrm/tenant/client';
import type { Answer, ItemContextOptions } from '../../support/itemContext';
import { previewAccount } from '../../../nodes/ContactTaskCrm/tenant/tenant';
import { itemContext } from '../../support/itemContext';

const SUBJECT = { noun: 'person' };
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
});

describe('the client of a preview', () => {
	it.each(['POST', 'PUT', 'PATCH', 'DELETE'] as const)(
		'sends no %s, whoever asks, and notes what it would have sent',
		async (method) => {
			const { context, requests } = itemContext({ answer: () => ({ statusCode: 200 }) });
			const account = previewAccount(await openAccount(context));
			const client = new Client(context, account, { lane: {}, item: 7 });
			await client.with({ isUrgent: true }).request({ method, path: '/people', subject: SUBJECT });
			expect(requests).toEqual([]);
			expect(account.preview?.unknownOf(7)).toEqual({ method, path: '/people' });
		},
	);
});
