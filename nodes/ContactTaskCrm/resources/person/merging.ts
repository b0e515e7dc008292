import { attempt, compact, isEmpty, isError, uniq } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { RunStopped, ServiceError } from '../../util/failures';
import { nameAndId } from '../../lookup/find';
import { type Change, change } from '../../writes/change';
import type { Item } from '../../run/item';
import { labelFromSources, type Source } from '../../input/labels';
import { joinedChanges } from '../../writes/merge';
import type { Target } from '../../input/query';
import type { Client } from '../../crm/client';
import type { Read } from '../../crm/newestReads';
import { readCurrent, Written } from '../../crm/records';
import { ExplainedError, PartlyWritten, rethrow } from '../../util/errors';
import { isArchived } from '../../values/person';
import { referenceKey } from '../../values/reference';
import {
	lackedIn,
	mergeable,
	MergeRefused,
	type MergeRules,
	refuseItself,
	sentenceOn,
	sourcesIn,
} from './mergeRules';
import { personRecord as record } from './record';
import { entriesLacked, unionOf } from '../../writes/union';

/** Maximum number of rounds of a merge. A further round adds values that the people to archive have got meanwhile. */
const MOST_ROUNDS = 3;

const AGAIN = 'Run this item again: a second run ends what this one began';

/** People to merge, and the rules of this merge, from the parameters of an item. */
interface WantedMerge {
	/** The person to keep. */
	target: Target;
	/** IDs in Merge From, without duplicates. The ID of the kept person may be among them. */
	from: readonly string[];
	rules: MergeRules;
}

/** Error before the archiving of a person: the kept person still lacks list entries of that person. */
class EntriesMissing extends Error {}

/**
 * One merge, in rounds. A round reads all people, and adds values of the other people to the kept person. It then reads
 * the kept person again, and archives the others.
 */
export class Merging {
	/** Newest read of the kept person. */
	private kept?: Read;

	/** Whether a write may have been sent. */
	private hasSent = false;

	/** The writes that took effect. */
	private readonly done: Written[] = [];

	/** Newest reads of the other people, by `keyOf` of their IDs. */
	private readonly others = new Map<string, Read>();

	/** Results of the other people whom this run or an earlier run has archived, by `keyOf` of their IDs. */
	private readonly ends = new Map<string, Written>();

	private readonly client: Client;

	constructor(
		private readonly item: Item,
		client: Client,
		private readonly wanted: WantedMerge,
	) {
		this.client = client.labelledBy((path, body) => labelFromSources(path, body, this.sources));
	}

	/**
	 * Merges the people. The kept person's result comes first, and the others' results follow.
	 *
	 * @throws ExplainedError if the rules forbid the merge
	 * @throws ExplainedError if the kept person lacks entries after the write, or if people still change in the last
	 *   round
	 */
	async toEnd(): Promise<Written[]> {
		return await this.inRounds().catch((error: unknown) => rethrow(this.explained(error)));
	}

	private async inRounds(): Promise<Written[]> {
		for (const rounds: Written[] = []; ; ) {
			const united = await this.unite();
			rounds.push(united);
			if (united.result === 'updated') await this.verify();
			if (await this.archiveOthers()) return this.results(rounds);
			if (rounds.length === MOST_ROUNDS) {
				throw new ExplainedError(
					`Others change ${nameAndId(this.kept!.record)} and the people to merge again and again`,
					AGAIN,
					{ code: 'moved' },
				);
			}
		}
	}

	/**
	 * Writes to the kept person the values that only the other people have. Puts the people whom an earlier run has
	 * already merged into `ends`, with the result "unchanged".
	 */
	private async unite(): Promise<Written> {
		return await this.write({
			find: async (isFresh) => {
				if (isFresh || !this.kept) await this.readAll();
				const kept = this.kept!;
				const reads = [kept, ...this.remaining()];
				return {
					...placeOf(kept.id),
					read: { ...kept, at: Math.min(...reads.map(({ at }) => at)) },
				};
			},
			decide: () => {
				const kept = this.kept!.record;
				const left = mergeable(kept, this.remaining().map(recordOf), this.wanted.rules);
				for (const other of this.remaining()) {
					if (left.includes(other.record)) continue;
					this.ends.set(keyOf(other.id), new Written('unchanged', other.record, { changes: {} }));
				}
				return { body: unionOf(kept, this.recordsOfOthers) };
			},
			addsTo: () => true,
			// Approved Changes concerns only the kept person. By Merge From, the user has agreed to archive the others.
			approval: this.item.approval,
		});
	}

	/**
	 * Writes the kept person, or one of the others. The write starts from a read. If this read is older than `FRESH_MS`
	 * when the write could leave, `change` reads again.
	 */
	private async write(own: Change): Promise<Written> {
		const beforeSending = () => {
			this.hasSent = true;
		};
		const written = (await change(this.client, record, { ...own, beforeSending }))!;
		if (written.result === 'updated') this.done.push(written);
		return written;
	}

	/** Adds to the advice of an error what the merge has written before, or that it has written nothing. */
	private explained(error: unknown): unknown {
		if (!(error instanceof ExplainedError) || error instanceof RunStopped) return error;
		const { advice, facts, message } = error;
		const isRefused = error instanceof MergeRefused;
		if (this.done.length > 0) {
			const done = this.done.map(sentenceOn);
			const left = this.remaining().map((one) => `${nameAndId(one.record)} is not archived`);
			const lacked = isRefused ? [] : lackedIn(this.kept!.record, this.recordsOfOthers);
			const told = [...done, ...left, ...lacked].join('; ');
			const again = isRefused || advice.includes(AGAIN) ? [] : [AGAIN];
			const whole = [advice, `Of this merge, ${told}`, ...again].join('. ');
			// An archiving without an answer may have taken effect. The kept person may then be the only active person with
			// the entries. So the error gives no results, because an undo of the results would remove these entries.
			const written = facts.code === 'uncertain' ? [] : this.done;
			return new PartlyWritten(message, whole, { ...facts, written });
		}
		if (isRefused && !this.hasSent) {
			return new MergeRefused(message, `${advice}. Nothing was written`);
		}
		if (!(error instanceof ServiceError) || error.status !== 422) return error;
		return new ServiceError({ ...facts, message, advice: `${advice}. Nobody was archived` });
	}

	/** Reads all people. Reads the kept person last, because the write of the kept person follows. */
	private async readAll(): Promise<void> {
		const { target, from } = this.wanted;
		const { lookup, id } = target;
		const found = lookup && (await this.item.run.lookups.findByEmail(this.client, lookup, true));
		const keptId = found?.read.id ?? id!;
		refuseItself(from, keptId);
		for (const other of from) {
			const key = keyOf(other);
			if (key === keyOf(keptId) || this.ends.has(key)) continue;
			this.others.set(key, await this.read(other));
		}
		this.kept = await this.read(keptId, this.client.beforeWrite());
	}

	private async read(id: string, client = this.client): Promise<Read> {
		return await readCurrent(client, record, placeOf(id));
	}

	private get recordsOfOthers(): IDataObject[] {
		return [...this.others.values()].map(recordOf);
	}

	private get sources(): Source[] {
		return sourcesIn([...(this.kept ? [this.kept.record] : []), ...this.recordsOfOthers]);
	}

	/** Returns the newest reads of the people who still have to be merged into the kept person. */
	private remaining(): Read[] {
		return [...this.others.values()].filter(({ id }) => !this.ends.has(keyOf(id)));
	}

	/**
	 * Reads the kept person after the write.
	 *
	 * @throws ExplainedError if the person lacks an entry of the others
	 */
	private async verify(): Promise<void> {
		this.kept = await this.read(this.kept!.id, this.client.beforeWrite());
		const lacked = lackedIn(this.kept.record, this.recordsOfOthers);
		if (lacked.length === 0) return;
		throw new ExplainedError(
			`After the write, ${lacked.join('; ')}`,
			'The others stay active, so that nothing is lost. Look at the person',
			{ code: 'moved' },
		);
	}

	/**
	 * Archives the other people one by one. Stops if one of them has got an entry meanwhile that the kept person lacks.
	 *
	 * @returns whether all other people are archived, and the kept person has all their entries
	 */
	private async archiveOthers(): Promise<boolean> {
		for (const { id } of this.remaining()) {
			const written = await this.archive(id).catch((error: unknown) =>
				error instanceof EntriesMissing ? undefined : rethrow(error),
			);
			if (!written) return false;
			this.ends.set(keyOf(id), written);
			const read = this.others.get(keyOf(id))!;
			// The answer to the write may show only some fields of the person.
			const shown = { ...read, record: { ...read.record, ...written.record } };
			this.others.set(keyOf(id), shown);
			if (written.result === 'updated') await this.takeBackIfRefused(shown);
			if (!isEmpty(entriesLacked(this.kept!.record, [shown.record]))) return false;
		}
		return true;
	}

	/**
	 * Unarchives a person if the answer to the archiving shows that the rules forbid to merge this person. Another user
	 * may have changed the person after the last read.
	 *
	 * @throws MergeRefused if the person was unarchived
	 */
	private async takeBackIfRefused(shown: Read): Promise<void> {
		const { id, record: person } = shown;
		const refused = attempt(
			mergeable,
			this.kept!.record,
			[{ ...person, archivedAt: null }],
			this.wanted.rules,
		);
		if (!isError(refused)) return;
		if (!(refused instanceof MergeRefused)) throw refused;
		await this.write({
			find: async () => ({ ...placeOf(id), read: await this.read(id) }),
			decide: () => ({ body: { archivedAt: null } }),
		});
		this.ends.delete(keyOf(id));
		throw refused;
	}

	private async archive(id: string): Promise<Written> {
		return await this.write({
			find: async (isFresh) => {
				if (isFresh) {
					this.others.set(keyOf(id), await this.read(id));
					this.kept = await this.read(this.kept!.id, this.client.beforeWrite());
				}
				// `at` is the time of the kept person's read, because that person has to be active when the write leaves. The
				// read of the other person may be older, because the answer to the write shows that person's new entries.
				return { ...placeOf(id), read: { ...this.others.get(keyOf(id))!, at: this.kept!.at } };
			},
			decide: (current = {}) => {
				const kept = this.kept!.record;
				if (isArchived(kept)) {
					throw new ExplainedError(
						`Somebody has archived ${nameAndId(kept)} meanwhile`,
						`${nameAndId(current)} stays active. Unarchive one of them. ${AGAIN}`,
						{ code: 'moved' },
					);
				}
				if (isArchived(current)) return { body: {} };
				if (!isEmpty(entriesLacked(kept, [current]))) throw new EntriesMissing();
				mergeable(kept, [current], this.wanted.rules);
				return { body: { archivedAt: new Date().toISOString() } };
			},
		});
	}

	private results(rounds: readonly Written[]): Written[] {
		const kept = this.kept!.record;
		const isUpdated = rounds.some(({ result }) => result === 'updated');
		const notes = uniq(compact(rounds.map(({ details }) => details.note)));
		const changes = joinedChanges(rounds.map(({ details }) => details.changes ?? {}));
		const details = { changes, before: rounds[0]?.details.before };
		const others = [...this.ends.values()];
		const named = others.map((other) => nameAndId(other.record));
		const stays = `Tasks, deals and history of ${named.join(', ')} stay with the archived ${others.length === 1 ? 'person' : 'people'}, because the interface cannot move them`;
		const into = `Merged into ${nameAndId(kept)}. Tasks, deals and history stay here`;
		return [
			new Written(isUpdated ? 'updated' : 'unchanged', kept, details).noted([stays, ...notes]),
			...others.map((other) => other.noted([into])),
		];
	}
}

function keyOf(id: string): string {
	return referenceKey(id, record.collection)!;
}

function placeOf(id: string): { path: string; id: string } {
	return { path: `${record.collection}/${id}`, id };
}

function recordOf({ record: one }: Read): IDataObject {
	return one;
}
