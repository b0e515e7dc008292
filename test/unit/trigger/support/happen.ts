import type { CrmTenant, NoAnswer } from './crmTenant';
import type { Deed, Round } from './schedule';
import { MINUTE_MS } from './schedule';

/** Schedules the changes of a round from now on. A change at the very end of the round before belongs to that round. */
export function haveDone(tenant: CrmTenant, { deeds }: Round, act: (deed: Deed) => void): void {
	const from = tenant.now + 1;
	for (const deed of deeds) tenant.schedule(from + deed.after, () => act(deed));
}

/**
 * Schedules the troubles of a round from now on: refusals, lists that show too few records, and host clocks that
 * jump.
 *
 * @param refuse runs for each refusal; returns false to prevent it
 */
export function haveTroubles(
	tenant: CrmTenant,
	{ outages, shortages, jumps }: Round,
	refuse: (as: number | NoAnswer) => boolean,
): void {
	const from = tenant.now;
	for (const shortage of shortages) {
		const show = (part: number) => () => (tenant.shownPart = part);
		tenant.schedule(from + shortage.from, show(shortage.part));
		tenant.schedule(from + shortage.to, show(1));
	}
	for (const { after, byMs } of jumps) {
		tenant.schedule(from + after, () => tenant.jumpHost(byMs));
	}
	tenant.failure = (request) => {
		const after = tenant.now - from;
		const outage = outages.find((one) => one.from <= after && after < one.to);
		if (!outage || tenant.random() >= outage.share) return undefined;
		if (outage.page !== undefined && !request.endsWith(`page=${outage.page}`)) return undefined;
		return refuse(outage.as) ? outage.as : undefined;
	};
}

/** Returns the time when a round is over, in ms after its beginning. After that, nothing happens. */
export function endOf({ minutes, outages, shortages }: Round): number {
	return Math.max(minutes * MINUTE_MS, ...[...outages, ...shortages].map(({ to }) => to));
}
