import type { IDataObject } from 'n8n-workflow';
import type { Version } from './ledger';
import type { Delivery, Outcome } from './diary';

/** A deviation of the trigger from README.md. */
export interface Finding {
	/** Short form of the sentence in README.md. */
	sentence: string;
	record: string;
	text: string;
}

/** A record in a round: its earlier state, its changes, and the items that started the workflow. */
export interface Story {
	id: string;
	/** Creation time in its fields, and the time when it was stored, in s since 1970. */
	created: number;
	stored: number;
	/** Whether the record shows no creation time. */
	isUndated: boolean;
	/** State at the end of the round before. Undefined if the record did not exist, or if nothing was read yet. */
	before: Version | undefined;
	/** Whether the trigger had time to read `before`. */
	isKnown: boolean;
	/** Whether there was a round before. */
	isSettled: boolean;
	/** Versions in the round, oldest first. */
	after: Version[];
	/** All versions until the end of the round. */
	all: Version[];
	/** Version at the end of the round. */
	final: Version;
	/** Beginning of the round. */
	since: number;
	/** Deliveries of the round, and of all rounds until its end. */
	deliveries: Delivery[];
	ever: Delivery[];
}

export const second = (time: number) => Math.floor(time / 1000);
export const secondIn = (text: unknown): number | null =>
	typeof text === 'string' ? second(Date.parse(text)) : null;

/** Returns whether two versions are of one second. The later one then has no `updatedAt` of its own. */
export function hasTwins(versions: Version[]): boolean {
	return new Set(versions.map(({ updatedAt }) => second(updatedAt))).size < versions.length;
}

/** Returns whether a version shows a time ahead of the service's clock. */
const isAhead = ({ at, updatedAt }: Version) => second(updatedAt) > second(at);

/** Returns whether the creation time of a record lies ahead of the service's clock. */
export const isCreatedAhead = ({ created, stored }: Story) => created > stored;

/**
 * Returns whether nothing shows that a record has changed: the trigger did not read it before, and its times lie
 * ahead.
 */
export function isUntold({ isKnown, all }: Story): boolean {
	return !isKnown && all.some(isAhead);
}

/** Returns the second of publishing, and the second when the trigger began to wait. */
export function published({ polls }: Outcome): { from: number; to: number } {
	return { from: second(polls[0].from), to: second(polls[0].to) };
}

/** Returns the events, by record and round. */
export function stories({ records, rounds, deliveries, polls, schedule }: Outcome): Story[] {
	const given = new Map<string, Delivery[]>();
	for (const one of deliveries) given.set(one.id, [...(given.get(one.id) ?? []), one]);
	return records.flatMap(({ id, createdAt, isUndated, versions }) =>
		rounds.flatMap(({ from, to }, index): Story[] => {
			// The workflow has no round before it is published. A replica that lags shows earlier changes later.
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
					isUndated,
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

/** Returns whether a version is visible in the list that the trigger reads. */
export function isListed(outcome: Outcome, { fields }: Version): boolean {
	const { watch, habits } = outcome.schedule;
	if (fields === null) return false;
	return watch === 'tasks' || habits.showsArchived || !isArchived(fields);
}

/** Returns twice the number of polls in README.md for a change in a list of this length, plus three. */
function pollsToFind({ schedule, records, requestsPerPoll }: Outcome): number {
	const pages = Math.ceil((records.length + 1) / schedule.habits.mostPerPage);
	return Math.ceil((2 * (pages + 1)) / requestsPerPoll) + 3;
}

/** Returns whether the trigger had enough undisturbed polls between two times. */
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
 * Returns the versions of a round that the trigger must have seen: the first, the last, and those between that stood
 * while the trigger read.
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

/** Returns how many times a value changes to one that counts, between seen versions. */
export function changesIn<T>(seen: T[], counts: (value: T) => boolean): number {
	return seen.filter((value, index) => index > 0 && seen[index - 1] !== value && counts(value))
		.length;
}

/** Returns a value of an item in the stored form: the IRI of a reference without its prefix, and a list as text. */
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
