/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- stands in the place of n8n's HTTP client */
import { createRequire } from 'node:module';
import type { IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';
import type { LoggedRequest } from '../../service';
import type { ServiceState } from '../../service/answer';
import type { Answer } from '../../service/wire';
import { answerWithoutSockets } from '../../service/withoutSockets';

/** Answers a signed request. Rejects if no answer comes. */
export type Answering = (request: IHttpRequestOptions) => Promise<IN8nHttpFullResponse>;

/** Two modules inside n8n-core: the container with its services, and the key of the service that sends HTTP requests. */
interface OfCore {
	Container: { get(type: unknown): object; set(type: unknown, instance: unknown): void };
	OutboundHttp: unknown;
}

/**
 * Passes n8n's HTTP requests to a function of this process, without sockets. A test of overlapping runs then takes
 * milliseconds, and every delay of the service passes in virtual time.
 */
export function useTransport(answering: Answering): void {
	const ofCore = createRequire(require.resolve('n8n-core'));
	const { Container } = ofCore('@n8n/di') as OfCore;
	const { OutboundHttp } = ofCore('@n8n/backend-network') as OfCore;
	Container.set(OutboundHttp, { requests: () => ({ request: answering }) });
}

const wait = async (ms: number) => await new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * Returns the answer of the stand-in to a request, after a delay.
 *
 * @param latencyMs time until the request takes effect, and from then until the answer
 * @param arrived runs when the request takes effect
 * @throws Error if the connection closes without an answer
 */
export async function answerFrom(
	state: ServiceState,
	{ url, method = 'GET', headers = {}, body = '' }: IHttpRequestOptions,
	[before, after]: readonly [number, number],
	arrived?: (entry: LoggedRequest, answer: Answer) => void,
): Promise<IN8nHttpFullResponse> {
	await wait(before);
	const sent = { url, method, headers, text: String(body) };
	const { entry, answer } = answerWithoutSockets(state, sent);
	arrived?.(entry, answer);
	await wait(after);
	if (answer.fault?.kind === 'reset') {
		throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
	}
	Object.assign(entry, { status: answer.status, answeredAt: Date.now() });
	const bytes = (async function* () {
		yield Buffer.from(answer.body ?? '');
	})();
	return { statusCode: answer.status, headers: answer.headers, body: bytes as never };
}

const turn = async () => await new Promise<void>((resolve) => setImmediate(resolve));

/** Longest virtual time of a test: more than any run needs with 30 minutes of waiting, and a wait for each request. */
const LONGEST_MS = 6 * 3_600_000;

/**
 * Lets virtual time pass from timer to timer until the work is done.
 *
 * @throws Error if nothing is under way and no timer is set
 */
export async function untilDone<T>(work: Promise<T>, longestMs = LONGEST_MS): Promise<T> {
	let isDone = false;
	const settle = () => {
		isDone = true;
	};
	work.then(settle, settle);
	for (const endsAt = Date.now() + longestMs; Date.now() < endsAt; ) {
		for (let turns = 0; turns < 3 && !isDone; turns++) await turn();
		if (isDone) return await work;
		if (jest.getTimerCount() === 0) throw new Error('A run does not end: it waits for nothing');
		jest.advanceTimersToNextTimer();
	}
	throw new Error(`A run does not end in ${longestMs / 3_600_000} hours`);
}
