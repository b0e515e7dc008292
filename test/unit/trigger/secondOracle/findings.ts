import type { IDataObject } from 'n8n-workflow';
import type { Version } from './ledger';
import type { Delivery, Outcome } from './play';

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
	/** Those of the round. */
	deliveries: Delivery[];
}

export const seconds = (text: unknown): number | null =>
	typeof text === 'string' ? Math.floor(Date.parse(text) / 1000) : null;

/** Whether two of the versions are of one second, so that the later one has no `updatedAt` of its own. */
export function hasTwins(versions: Version[]): boolean {
	return new Set(versions.map(({ second }) => second)).size < versions.length;
}

/** The second in which the workflow was published, to the second in which it began to wait. */
export function published({ polls }: Outcome): { from: number; to: number } {
	return { from: Math.floor(polls[0].from / 1000), to: Math.floor(polls[0].to / 1000) };
}

/** What happened, record by record and round by round. */
export function stories({ world, rounds, deliveries, polls }: Outcome): Story[] {
	const told: Story[] = [];
	for (const [id, versions] of world.ledger.records) {
		for (const [index, { from, to }] of rounds.entries()) {
			// Before it is published, the workflow has no round before.
			const start = index === 0 ? polls[0].from : from;
			const all = versions.filter(({ at }) => at <= to);
			if (all.length === 0) continue;
			const before = all.filter(({ at }) => at < start).at(-1);
			told.push({
				id,
				before,
				isSettled: index > 0,
				isKnown: before !== undefined && index > 0,
				after: all.filter(({ at }) => at >= start),
				all,
				final: all.at(-1)!,
				since: from,
				deliveries: deliveries.filter((one) => one.id === id && one.round === index),
			});
		}
	}
	return told;
}

export const of = (event: string, { deliveries }: Story) =>
	deliveries.filter((delivery) => delivery.event === event);

/** Whether lists may have left it out at some time since then, as it was archived or deleted. */
export function wasHidden({ before, after }: Story): boolean {
	return [before, ...after].some(
		(version) => version && (!version.fields || isArchived(version.fields)),
	);
}

export const isArchived = (fields: IDataObject) => Boolean(fields.archivedAt);
