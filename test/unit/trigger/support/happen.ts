import type { CrmTenant, NoAnswer } from './crmTenant';
import type { Deed, Round } from './schedule';
import { MINUTE_MS } from './schedule';

/** Has the deeds of a round done from now on; what is done at the very end of the round before is of that round. */
export function haveDone(tenant: CrmTenant, { deeds }: Round, act: (deed: Deed) => void): void {
	const from = tenant.now + 1;
	for (const deed of deeds) tenant.schedule(from + deed.after, () => act(deed));
}

/**
 * Has the troubles of a round come from now on: refusals, lists that show too few, and host clocks that jump.
 *
 * @param refuse is told of each refusal; may say that it does not happen
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

/** When all of a round has happened, in ms after it began: what follows is quiet. */
export function endOf({ minutes, outages, shortages }: Round): number {
	return Math.max(minutes * MINUTE_MS, ...[...outages, ...shortages].map(({ to }) => to));
}
