import { systemClock } from '../../transport/clock';
import { matchKey } from './match';

interface Known {
	id: string;
	until: number;
}

/** Long enough for a night's import; what somebody else changed meanwhile shows when the person is read. */
const KEEP_MS = 6 * 60 * 60_000;
const MOST_KEPT = 50_000;

/**
 * People whom this process has created, by tenant and by what they are looked up with: one that was
 * created under one spelling of a phone number is met under another, too, though the service compares
 * exactly or is slow to list what is new.
 */
const known = new Map<string, Known>();

/** The id of the person that was created for a value. */
export function personIdFor(tenant: string, value: string): string | undefined {
	const entry = known.get(keyOf(tenant, value));
	return entry && systemClock.now() < entry.until ? entry.id : undefined;
}

/** Keeps whom a value stands for. */
export function rememberPerson(tenant: string, value: string, id: string): void {
	const key = keyOf(tenant, value);
	known.delete(key);
	known.set(key, { id, until: systemClock.now() + KEEP_MS });
	const [oldest] = known.keys();
	if (known.size > MOST_KEPT && oldest !== undefined) known.delete(oldest);
}

function keyOf(tenant: string, value: string): string {
	return `${tenant} ${matchKey(value)}`;
}
