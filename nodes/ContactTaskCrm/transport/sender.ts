import type { Cancellation } from './cancellation';
import type { ServiceResponse } from './http';
import type { ConnectionOptions } from './send';
import { DEFAULT_TIMEOUT_MS } from './send';
import type { QueueKey } from './submission';
import type { WaitLimits } from './waitLimits';

/** A request whose sender is near its end still gets a moment to be answered. */
const LEAST_TIMEOUT_MS = 1_000;

/** Whoever sends requests: an item of a run, a lookup, a poll. */
export interface Sender {
	queueKey: QueueKey;
	item: number;
	urgent: boolean;
	waitLimits: WaitLimits;
	connection: ConnectionOptions;
	/** Times a request is sent again at most; five where absent. */
	maxRetries?: number;
	/** When all has to be over, in ms of the clock's `now`: no timeout and no retry goes beyond it. */
	endsAt?: number;
	/** Called each time something is sent. */
	onSend?: () => void;
	/** Called with the headers of every answer, refusals among them. */
	onAnswer?: (headers: ServiceResponse['headers']) => void;
	/** What may stop the sender; a poll or a lookup runs to its end. */
	cancellation?: Cancellation;
}

/** How long a request that is sent at `now` may take, in ms: no exchange goes beyond the end of its sender. */
export function timeoutOf({ connection, endsAt = Infinity }: Sender, now: number): number {
	const leftMs = Math.max(LEAST_TIMEOUT_MS, endsAt - now);
	return Math.min(connection.timeout ?? DEFAULT_TIMEOUT_MS, leftMs);
}

/** Whether something may still be sent at a time. */
export function hasTimeFor({ endsAt = Infinity }: Sender, time: number): boolean {
	return time <= endsAt;
}
