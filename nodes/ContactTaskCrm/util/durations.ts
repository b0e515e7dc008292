const MINUTE_MS = 60_000;

/**
 * How far a run is, for n8n's log.
 *
 * @param ended items that are over
 * @param elapsedMs since the run began; the rest is reckoned at the same pace
 */
export function progressText(ended: number, total: number, elapsedMs: number): string {
	const soFar = `${ended} of ${total} items done`;
	if (ended === 0) return `${soFar}; waiting for the service's rate limit`;
	const restMs = (elapsedMs / ended) * (total - ended);
	return `${soFar}; the rest takes about ${durationText(restMs)}`;
}

function durationText(ms: number): string {
	if (ms < 90_000) return `${Math.ceil(ms / 1000)} seconds`;
	const minutes = Math.round(ms / MINUTE_MS);
	return minutes < 90 ? `${minutes} minutes` : `${Math.round(minutes / 6) / 10} hours`;
}
