import type { IDataObject } from 'n8n-workflow';
import type { Version } from './crmTenant';
import type { Delivery, Outcome } from './diary';

/** Where the trigger did something other than README.md says. */
export interface Finding {
	/** What README.md says, in short. */
	sentence: string;
	record: string;
	text: string;
}

/** A record in a round: what was known before, what was done to it, and what started the workflow. */
export interface Story {
	id: string;
	/** When it was created by what it shows, in s since 1970; and by when it was stored. */
	created: number;
	stored: number;
	/** As at the end of the round before; none when it was not there yet, or nothing was read yet. */
	before: Version | undefined;
	/** Whether the trigger has had the time to read `before`. */
	isKnown: boolean;
	/** Whether there was a round before. */
	isSettled: boolean;
	/** What became of it in the round, oldest first. */
	after: Version[];
	/** All that it ever was until the end of the round. */
	all: Version[];
	/** What it is at the end of the round. */
	final: Version;
	/** When the round began. */
	since: number;
	/** Those of the round, and those of all rounds until its end. */
	deliveries: Delivery[];
	ever: Delivery[];
}

export const second = (time: number) => Math.floor(time / 1000);
export const secondIn = (text: unknown): number | null =>
	typeof text === 'string' ? second(Date.parse(text)) : null;

/** Whether two of the versions are of one second, so that the later one has no `updatedAt` of its own. */
export function hasTwins(versions: Version[]): boolean {
	return new Set(versions.map(({ updatedAt }) => second(updatedAt))).size < versions.length;
}

/** Whether it shows a time that lay ahead of the service's clock. */
const isAhead = ({ at, updatedAt }: Version) => second(updatedAt) > second(at);

/** Whether nothing tells that a record was changed since: it was not read before, and shows times that lie ahead. */
export function isUntold({ isKnown, all }: Story): boolean {
	return !isKnown && all.some(isAhead);
}

/** The second in which the workflow was published, to the second in which it began to wait. */
export function published({ polls }: Outcome): { from: number; to: number } {
	return { from: second(polls[0].from), to: second(polls[0].to) };
}

/** What happened, record by record and round by round. */
export function stories({ records, rounds, deliveries, polls, schedule }: Outcome): Story[] {
	const given = new Map<string, Delivery[]>();
	for (const one of deliveries) given.set(one.id, [...(given.get(one.id) ?? []), one]);
	return records.flatMap(({ id, createdAt, versions }) =>
		rounds.flatMap(({ from, to }, index): Story[] => {
			// Before it is published, the workflow has no round before; a copy that lags shows later what was done then.
			const start = index === 0 ? polls[0].from - schedule.habits.lagMs : from;
			const all = versions.filter(({ at }) => at <= to);
			if (all.length === 0) return [];
			const before = all.filter(({ at }) => at < start).at(-1);
			const ever = (given.get(id) ?? []).filter(({ round }) => round <= index);
			return [
				{
					id,
					created: second(createdAt),
					stored: second(versions[0].at),
					before,
					isSettled: index > 0,
					isKnown: before !== undefined && index > 0,
					after: all.filter(({ at }) => at >= start),
					all,
					final: all.at(-1)!,
					since: from,
					deliveries: ever.filter(({ round }) => round === index),
					ever,
				},
			];
		}),
	);
}

export const of = (event: string, { deliveries }: Story) =>
	deliveries.filter((delivery) => delivery.event === event);

export const isArchived = (fields: IDataObject) => Boolean(fields.archivedAt);

/** Whether a version shows in the list that the trigger reads. */
export function isListed(outcome: Outcome, { fields }: Version): boolean {
	const { watch, habits } = outcome.schedule;
	if (fields === null) return false;
	return watch === 'tasks' || habits.showsArchived || !isArchived(fields);
}

/** Twice the polls that README.md gives for a change in a list of this length, and three. */
function pollsToFind({ schedule, records, requestsPerPoll }: Outcome): number {
	const pages = Math.ceil((records.length + 1) / schedule.habits.mostPerPage);
	return Math.ceil((2 * (pages + 1)) / requestsPerPoll) + 3;
}

/** Whether the trigger had the polls to look between two times, with nothing in their way. */
export function hasLooked(outcome: Outcome, from: number, to: number): boolean {
	const { habits, host } = outcome.schedule;
	const isDrawn = habits.order === 'none' || habits.shufflesTies;
	if (isDrawn || host === 'scheduler' || habits.ignoresTime || habits.lagMs > 0) return false;
	if (outcome.shortages.some((one) => one.from < to && one.to > from)) return false;
	const within = outcome.polls.filter((poll) => poll.from > from && poll.to < to);
	const isHindered = ({ refused, failure, isFresh }: Outcome['polls'][number]) =>
		refused > 0 || failure !== undefined || isFresh;
	return within.length >= pollsToFind(outcome) && !within.some(isHindered);
}

/**
 * The versions of a round that stood for long enough that the trigger must have seen them: what was there
 * before, what is there at the end, and whatever stood in between while the trigger looked.
 */
export function seenIn(outcome: Outcome, story: Story): Version[] {
	const { before, isKnown, isSettled, after, final } = story;
	const isVisible = (version: Version) => version.fields === null || isListed(outcome, version);
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

/** A value as an item gives it, as the tenant keeps it: of a reference, the IRI without a prefix; a list as text. */
export function plain(outcome: Outcome, value: unknown): unknown {
	if (Array.isArray(value))
		return value
			.map((one) => plain(outcome, one))
			.sort()
			.join();
	const { schedule } = outcome;
	const text = typeof value === 'object' && value !== null ? (value as IDataObject)['@id'] : value;
	const { prefix } = schedule.habits;
	const isBelow = prefix !== '' && typeof text === 'string' && text.startsWith(`${prefix}/`);
	return isBelow ? text.slice(prefix.length) : text;
}
