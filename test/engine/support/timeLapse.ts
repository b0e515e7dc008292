/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- drives the clock of a test and watches its sockets */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';

/**
 * Longest wait for the answer to a request, before virtual time goes on without the answer. The wait begins whenever a
 * request leaves or ends. It first lasts `workedMs` of processor time, which leaves the sockets time on a busy machine.
 * It then lasts `turns` of the event loop. Client and service share this process, so each turn moves all requests on.
 * Without the turns, one long pause, such as a garbage collection, would look like a silent service. A delay of the
 * stand-in passes in real time. If it is longer than this wait, virtual time goes on meanwhile.
 */
const LONGEST_EXCHANGE = { turns: 20_000, workedMs: 400 };

/** Turns of the event loop between two looks at the processor time. A look takes longer than a turn. */
const LOOK_EVERY = 20;

/** Every request ends within this time, answered or not. */
const LONGEST_DEADLINE_MS = 65_000;

/** One step of virtual time. Events within a step are noticed at its end. */
const STEP_MS = 100;

const workedMs = () => {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1000;
};
const turn = async () => await new Promise<void>((resolve) => setImmediate(resolve));

/** Requests without a complete answer. */
const inFlight = new Set<unknown>();
/** Number of requests in flight that had no answer within `LONGEST_EXCHANGE`. Their answers may need virtual time. */
let unanswered = 0;
/** Time of the last sent or ended request: in virtual time, and in processor time of this process. */
let lastExchangeAt = 0;
let workedAtLastExchange = 0;
/** Turns of the event loop since the processor time of `LONGEST_EXCHANGE` was used up. */
let turnsAfterWork = 0;

type Exchange = { request: ClientRequest; response: IncomingMessage };
const note = () => {
	lastExchangeAt = Date.now();
	workedAtLastExchange = workedMs();
	turnsAfterWork = 0;
};
const end = (request: ClientRequest) => {
	inFlight.delete(request);
	note();
	unanswered = Math.min(unanswered, inFlight.size);
};
const WATCHED: Record<string, (message: unknown) => void> = {
	'http.client.request.start': (message) => {
		inFlight.add((message as Exchange).request);
		note();
	},
	'http.client.request.error': (message) => end((message as Exchange).request),
	// Node.js names this event after the end of the response, but sends it when the headers arrive. The body follows.
	'http.client.response.finish': (message) => {
		const { request, response } = message as Exchange;
		response.once('close', () => end(request));
	},
};

/** Makes time pass only in `lapse`. An hour of waiting then takes a moment. */
export function useVirtualTime(): void {
	useRealTime();
	jest.useFakeTimers({
		doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'clearImmediate'],
	});
	for (const [channel, watch] of Object.entries(WATCHED)) subscribe(channel, watch);
}

/**
 * Lets two minutes pass, because lookups use the write log for that long. Entries from before a reset of the service
 * then affect no lookup.
 */
export function letWritesGrowOld(): void {
	jest.advanceTimersByTime(121_000);
}

export function useRealTime(): void {
	for (const [channel, watch] of Object.entries(WATCHED)) unsubscribe(channel, watch);
	inFlight.clear();
	unanswered = 0;
	jest.useRealTimers();
}

/** Lets virtual time pass until the work is done. Sockets stay real. */
export async function lapse<T>(work: Promise<T>): Promise<T> {
	let isDone = false;
	const settle = () => {
		isDone = true;
	};
	work.then(settle, settle);
	for (;;) {
		for (let turns = 0; turns < 10 || inFlight.size > unanswered; turns++) {
			await turn();
			if (isDone) return await work;
			if (turns % LOOK_EVERY !== 0) continue;
			if (workedMs() - workedAtLastExchange < LONGEST_EXCHANGE.workedMs) continue;
			turnsAfterWork += LOOK_EVERY;
			if (turnsAfterWork > LONGEST_EXCHANGE.turns) unanswered = inFlight.size;
		}
		passOneStep();
	}
}

/**
 * Lets one step of virtual time pass. Time jumps to the next timer if no request left or ended for
 * `LONGEST_DEADLINE_MS`: no deadline is then near. Before that, time passes in small steps. Real work, such as the
 * decompression of an answer, then ends before the deadline of its request.
 */
function passOneStep(): void {
	const startedAt = Date.now();
	if (startedAt - lastExchangeAt > LONGEST_DEADLINE_MS) jest.advanceTimersToNextTimer();
	jest.advanceTimersByTime(Math.max(0, STEP_MS - (Date.now() - startedAt)));
}
