import type { Outcome, Span } from './diary';
import type { CrowdSchedule } from './drawCrowd';
import { shareOf } from './drawCrowd';
import { judgeExecutions, judgeRecords, told } from './judge';
import type { CrowdOutcome } from './playCrowd';
import { playCrowd } from './playCrowd';
import { HOUR_MS, MINUTE_MS } from './schedule';
import type { Finding } from './stories';

/** Plays a crowd, and returns the deviations of triggers from README.md. */
export async function findingsInCrowd(crowd: CrowdSchedule): Promise<string[]> {
	const played = await playCrowd(crowd);
	const own = played.outcomes.flatMap((outcome, index) => {
		const found = [
			...judgeRecords(outcome),
			...judgeExecutions(outcome),
			...judgeFailures(played, outcome),
		];
		return found.map((finding) => `trigger ${index}: ${told(outcome, finding)}`);
	});
	return [...judgeShare(played), ...own];
}

const touches = (one: Span, other: Span) => one.from <= other.to && other.from <= one.to;

/** Checks failures. With a healthy service, nothing may fail. Otherwise, each failure shows once an hour. */
function judgeFailures({ crowd, outages }: CrowdOutcome, { polls, schedule }: Outcome): Finding[] {
	const found: Finding[] = [];
	const turns = Math.ceil(crowd.members.length / shareOf(crowd.limit));
	// A failure waits for the next poll, or shows after a missed turn.
	const afterMs = HOUR_MS + 3 * turns * schedule.intervalMinutes * MINUTE_MS;
	const troubled = outages.map(({ from, to }) => ({ from, to: to + afterMs }));
	const thrownAt = new Map<string, number>();
	for (const [index, poll] of polls.entries()) {
		const { failure, from, isFresh } = poll;
		// A new process does not know earlier failures.
		if (isFresh) thrownAt.clear();
		if (failure === undefined) continue;
		const own = (sentence: string, text: string) =>
			found.push({ sentence, record: `poll ${index}`, text });
		if (!troubled.some((one) => touches(one, poll))) own('a healthy service', failure);
		const kind = failure.replace(/\d+/g, '#');
		const minutes = (from - (thrownAt.get(kind) ?? -Infinity)) / MINUTE_MS;
		if (minutes < 59) own('a failure once an hour', `again after ${minutes} min: ${failure}`);
		thrownAt.set(kind, from);
	}
	return found;
}

/**
 * Checks that all polls together use at most half of each minute. While a workflow is published, they may use all of
 * it.
 */
function judgeShare({ crowd: { limit }, admittedAt, publications }: CrowdOutcome): string[] {
	const sentAt = [...admittedAt].sort((one, other) => one - other);
	const found: string[] = [];
	let end = 0;
	for (const [start, from] of sentAt.entries()) {
		while (end < sentAt.length && sentAt[end] < from + MINUTE_MS) end++;
		const minute = { from: from - MINUTE_MS, to: from + MINUTE_MS };
		const isPublishing = publications.some((one) => touches(one, minute));
		const most = isPublishing ? limit : shareOf(limit);
		if (end - start > most) found.push(`half of each minute: ${end - start} requests of ${limit}`);
	}
	return found.slice(0, 1);
}
