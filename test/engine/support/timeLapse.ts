/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- drives the clock of a test and watches its sockets */
import { subscribe } from 'node:diagnostics_channel';

/**
 * What a request may take before virtual time goes on without it, in ms of this process's own work: client
 * and service are both in it, so that a machine busy with something else makes no exchange longer.
 */
const LONGEST_EXCHANGE_MS = 1_000;

/** Virtual time that passes at once; what happens within is seen to happen at its end. */
const STEP_MS = 100;

const workedMs = () => {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1000;
};
const turn = async () => await new Promise<void>((resolve) => setImmediate(resolve));

let inFlight = 0;
subscribe('http.client.request.start', () => {
	inFlight++;
});
for (const end of ['http.client.response.finish', 'http.client.request.error']) {
	subscribe(end, () => {
		inFlight = Math.max(0, inFlight - 1);
	});
}

/** From here on, time passes only in `lapse`: an hour of waiting takes a moment. */
export function useVirtualTime(): void {
	jest.useFakeTimers({
		doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'clearImmediate'],
	});
	inFlight = 0;
}

export function useRealTime(): void {
	jest.useRealTimers();
}

/** Lets virtual time pass until the work is done; sockets are real. */
export async function lapse<T>(work: Promise<T>): Promise<T> {
	let isDone = false;
	const end = () => {
		isDone = true;
	};
	work.then(end, end);
	for (;;) {
		const startedAt = workedMs();
		for (let turns = 0; turns < 10 || inFlight > 0; turns++) {
			await turn();
			if (isDone) return await work;
			if (inFlight > 0 && workedMs() - startedAt > LONGEST_EXCHANGE_MS) inFlight = 0;
		}
		jest.advanceTimersByTime(STEP_MS);
	}
}
