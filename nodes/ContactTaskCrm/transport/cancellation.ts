import type { Clock } from './clock';
import type { TenantLimiter } from './tenantLimiter';

/** Takes a callback back. */
export type Unsubscribe = () => void;

/**
 * What may end while requests wait: a run of the node. It is stopped when nothing more may be sent,
 * because an item failed or the user cancelled; it is cancelled when what is under way has to end at once.
 */
export interface Cancellation {
	/** @throws Cancelled when nothing more may be sent */
	throwIfStopped(): void;
	/** Calls back once, when nothing more may be sent; at once where that is so already. */
	onStop(callback: () => void): Unsubscribe;
	/** Calls back once, when the user cancels; at once where that is so already. */
	onCancel(callback: () => void): Unsubscribe;
	/** Called with the limiter that requests will wait in, to take them out of it. */
	uses(limiter: TenantLimiter): void;
}

/** Callbacks that are called once; adding and removing costs the same however many there are. */
export class OnceCallbacks {
	private readonly callbacks = new Set<() => void>();

	private isOver = false;

	add(callback: () => void): Unsubscribe {
		if (this.isOver) {
			callback();
			return () => {};
		}
		// Wrapped, so that a function that is given twice is called twice.
		const entry = () => callback();
		this.callbacks.add(entry);
		return () => this.callbacks.delete(entry);
	}

	call(): void {
		if (this.isOver) return;
		this.isOver = true;
		const due = [...this.callbacks];
		this.callbacks.clear();
		for (const callback of due) callback();
	}
}

/** Waits so many ms, or until nothing more may be sent. */
export async function sleepUnlessStopped(
	clock: Clock,
	ms: number,
	cancellation: Cancellation | undefined,
): Promise<void> {
	const stopped = new AbortController();
	const forget = cancellation?.onStop(() => stopped.abort());
	await clock.sleep(ms, stopped.signal);
	forget?.();
}
