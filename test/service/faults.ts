import type { Fault, FaultMatch, Latency } from './switches';

type Matchable = { method: string; path: string };

const fits = (match: FaultMatch, request: Matchable) =>
	(match.method === undefined || match.method.toUpperCase() === request.method) &&
	(match.path === undefined || new RegExp(match.path).test(request.path));

const isDue = ({ nth, first }: FaultMatch, count: number) =>
	(nth === undefined || [nth].flat().includes(count)) && (first === undefined || count <= first);

/** Finds the fault for a request. Each fault counts its requests. */
export class FaultFinder {
	private counts = new WeakMap<Fault, number>();

	/** Returns the first fault that is due. Every fault counts the request, even if it is not due. */
	next(faults: Fault[], request: Matchable): Fault | undefined {
		const due = faults.filter((fault) => {
			const match = fault.match ?? {};
			if (!fits(match, request)) return false;
			const count = (this.counts.get(fault) ?? 0) + 1;
			this.counts.set(fault, count);
			return isDue(match, count);
		});
		return due[0];
	}
}

/** Returns whether the service carries out a request despite its fault. */
export function isCarriedOut(fault: Fault | undefined): boolean {
	if (!fault) return true;
	return fault.stored ?? ['truncated', 'slow', 'broken', 'other-record'].includes(fault.kind);
}

/**
 * Returns a random latency from a range.
 *
 * @param random from 0 to 1
 * @returns milliseconds
 */
export function drawLatency(latency: Latency, random: number): number {
	if (typeof latency === 'number') return latency;
	return latency[0] + (latency[1] - latency[0]) * random;
}

/** Returns the page of a proxy in front of the service. */
export function proxyPage(status: number): string {
	return `<html>\r\n<head><title>${status}</title></head>\r\n<body>\r\n<center><h1>${status}</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n`;
}
