/** Length of the service's sliding window. */
export const WINDOW_MS = 60_000;
/** Added to the window, so that a slot is never given back on the service's very boundary. */
export const WINDOW_MARGIN_MS = 50;

/** A place in the window: of a request in flight, or of one that was answered within the last window. */
export interface Slot {
	id: number;
	sentAt: number;
	/** Absent while the request is in flight. */
	respondedAt?: number;
	/** How much longer than a window it is held, because it is offered. */
	offeredMs: number;
	/** Sent beyond the share, to see whether it may grow. */
	isExtra: boolean;
}

/** When a slot comes free; Infinity while its request is in flight. */
export function expiry(slot: Slot): number {
	return slot.respondedAt === undefined
		? Infinity
		: slot.respondedAt + WINDOW_MS + WINDOW_MARGIN_MS + slot.offeredMs;
}

/** The slots that are held at `now`. */
export function held({ slots }: { slots: readonly Slot[] }, now: number): Slot[] {
	return slots.filter((slot) => expiry(slot) > now);
}

export function isInFlight({ respondedAt }: Slot): boolean {
	return respondedAt === undefined;
}

/** The slot that comes free next, if any is not in flight. */
export function nextFree(slots: readonly Slot[]): Slot | undefined {
	let next: Slot | undefined;
	for (const slot of slots) {
		if (!isInFlight(slot) && (!next || expiry(slot) < expiry(next))) next = slot;
	}
	return next;
}
