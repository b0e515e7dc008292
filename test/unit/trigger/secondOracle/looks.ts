import type { Story } from './findings';
import { isArchived } from './findings';
import type { Version } from './ledger';
import type { Outcome } from './play';

/** Twice the polls that README.md gives for a change in a list of this length, and three. */
function pollsToFind({ plan, world }: Outcome): number {
	const pages = Math.ceil((world.ledger.records.size + 1) / 30);
	return Math.ceil((2 * (pages + 1)) / plan.maxRequests) + 3;
}

/** Whether the trigger had the polls to look between two times, with nothing in their way. */
function hasLooked(outcome: Outcome, from: number, to: number): boolean {
	const { habits, host } = outcome.plan;
	if (habits.order === 'none' || habits.shufflesTies || host === 'scheduler') return false;
	const within = outcome.polls.filter((poll) => poll.from > from && poll.to < to);
	if (within.some(({ refused, failure, isFresh }) => refused > 0 || failure || isFresh))
		return false;
	return within.length >= pollsToFind(outcome);
}

/**
 * The versions of a round that stood for long enough that the trigger must have seen them: what was there
 * before, what is there at the end, and whatever stood in between while the trigger looked.
 */
export function seenIn(
	outcome: Outcome,
	{ before, isKnown, isSettled, after, final }: Story,
): Version[] {
	const isVisible = ({ fields }: Version) =>
		fields === null || outcome.plan.habits.showsArchived || !isArchived(fields);
	const isSeen = (version: Version, next: Version | undefined) =>
		version === final ||
		(version === before
			? isKnown
			: isSettled && hasLooked(outcome, version.at, next?.at ?? Infinity));
	const versions = before ? [before, ...after] : after;
	return versions.filter(
		(version, index) => isVisible(version) && isSeen(version, versions[index + 1]),
	);
}

/** How often a value changes, from one of those that were seen to the next, to one that counts. */
export function changesIn<T>(seen: T[], counts: (value: T) => boolean): number {
	return seen.filter((value, index) => index > 0 && seen[index - 1] !== value && counts(value))
		.length;
}
