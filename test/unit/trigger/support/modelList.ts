import type { QueryPair } from '../../../../nodes/ContactTaskCrm/trigger/watch';
import { formatTimestamp } from '../../../service/timestamps';

/** A record of the model, whose times are ms since 1970. */
export interface ModelRecord {
	id: string;
	/** When it was stored; its creation time may say that it was earlier. */
	createdAt: number;
	updatedAt: number;
	completedAt: number | undefined;
	status: number;
	position: number;
	title: string;
	/** Counts its changes: what its content is. */
	revision: number;
	isMember: boolean;
	isHidden: boolean;
}

export const ORDERS = [
	'oldestFirst',
	'newestFirst',
	'changedFirst',
	'changedLast',
	'byPosition',
	'byTitle',
	'byColumn',
	'none',
] as const;

/** How a list comes, where the interface leaves it open. */
export interface ListHabits {
	order: (typeof ORDERS)[number];
	/** Whether equals come in another order on each page. */
	shufflesTies: boolean;
	hasTotals: boolean;
	hasView: boolean;
	/** Filter and order by time that the service does not keep to. */
	ignoresTime: boolean;
	/** The filter of a segment that the service does not keep to. */
	ignoresSegment: boolean;
}

export const USUAL: ListHabits = {
	order: 'oldestFirst',
	shufflesTies: false,
	hasTotals: true,
	hasView: true,
	ignoresTime: false,
	ignoresSegment: false,
};

export const SEGMENT = 'newsletter';
export const COLUMNS = [0, 1, 2, 3].map((column) => `/workspaces/w/columns/${column}`);

/** Numbers without a pattern that are the same each time. */
export function randomFrom(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let value = Math.imul(state ^ (state >>> 15), 1 | state);
		value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
		return ((value ^ (value >>> 14)) >>> 0) / 4294967296;
	};
}

/** A list of a service that changes while it is read. */
export class ModelList {
	now = Date.UTC(2026, 0, 5, 9);

	readonly records = new Map<string, ModelRecord>();

	private sorted: ModelRecord[] | undefined;

	private created = 0;

	constructor(
		readonly habits: ListHabits,
		private readonly random: () => number,
	) {}

	/** @param agoMs how long before it is stored its creation time is */
	create(agoMs = 0, fields: Partial<ModelRecord> = {}): ModelRecord {
		const at = this.now - agoMs;
		const count = this.created++;
		const record: ModelRecord = {
			id: `r${count}`,
			createdAt: at,
			updatedAt: at,
			completedAt: undefined,
			status: 0,
			position: Math.floor(this.random() * 1_000_000),
			title: Math.floor(this.random() * 1_000_000).toString(36),
			revision: 0,
			isMember: false,
			isHidden: false,
			...fields,
		};
		this.records.set(record.id, record);
		this.sorted = undefined;
		return record;
	}

	change(id: string, fields: Partial<ModelRecord>): void {
		const record = this.records.get(id);
		if (!record) return;
		Object.assign(record, fields, { updatedAt: this.now, revision: record.revision + 1 });
		this.sorted = undefined;
	}

	/** Deletes a record. */
	remove(id: string): void {
		this.records.delete(id);
		this.sorted = undefined;
	}

	get shown(): ModelRecord[] {
		return [...this.records.values()].filter(({ isHidden }) => !isHidden);
	}

	/** The body of a GET of the list, or of a person. */
	answer(query: readonly QueryPair[]): Record<string, unknown> | unknown[] {
		const asked = new Map(query);
		const size = Number(asked.get('itemsPerPage'));
		const number = Number(asked.get('page') ?? 1);
		const list = this.listed(asked);
		const start = (number - 1) * size;
		const members = list.slice(start, start + size).map(shownAs);
		const { hasTotals, hasView } = this.habits;
		if (!hasTotals && !hasView) return members;
		return {
			member: members,
			...(hasTotals ? { totalItems: list.length } : {}),
			...(hasView ? { view: start + size < list.length ? { next: '?' } : {} } : {}),
		};
	}

	private listed(asked: ReadonlyMap<string, string>): ModelRecord[] {
		const { ignoresTime, ignoresSegment } = this.habits;
		const after = ignoresTime ? undefined : asked.get('createdAt[after]');
		const from = after === undefined ? -Infinity : Date.parse(after);
		const inSegment = asked.has('segments.uuid') && !ignoresSegment;
		const direction = ignoresTime ? undefined : asked.get('order[createdAt]');
		const isListed = ({ createdAt, isMember }: ModelRecord) =>
			seconds(createdAt) >= from && (!inSegment || isMember);
		const isWhole = from === -Infinity && !inSegment;
		if (direction === undefined) {
			return isWhole ? this.inOrder() : this.inOrder().filter(isListed);
		}
		// Most pages ask for a few of many.
		const records = isWhole ? this.shown : this.shown.filter(isListed);
		const sign = direction === 'asc' ? 1 : -1;
		return this.tied(records, (one, other) => sign * byCreation(one, other));
	}

	private inOrder(): ModelRecord[] {
		const { order, shufflesTies } = this.habits;
		if (this.sorted && !shufflesTies && order !== 'none') return this.sorted;
		this.sorted = this.tied(this.shown, COMPARISONS[order]);
		return this.sorted;
	}

	private tied(
		records: ModelRecord[],
		compare: (one: ModelRecord, other: ModelRecord) => number,
	): ModelRecord[] {
		if (this.habits.shufflesTies || this.habits.order === 'none') {
			for (let index = records.length - 1; index > 0; index--) {
				const other = Math.floor(this.random() * (index + 1));
				[records[index], records[other]] = [records[other], records[index]];
			}
		}
		return records.sort(compare);
	}
}

const seconds = (time: number) => Math.floor(time / 1000) * 1000;

type Comparison = (one: ModelRecord, other: ModelRecord) => number;
const byCreation: Comparison = (one, other) => seconds(one.createdAt) - seconds(other.createdAt);
const byChange: Comparison = (one, other) => seconds(one.updatedAt) - seconds(other.updatedAt);
const COMPARISONS: Record<ListHabits['order'], Comparison> = {
	oldestFirst: byCreation,
	newestFirst: (one, other) => byCreation(other, one),
	changedFirst: (one, other) => byChange(other, one),
	changedLast: byChange,
	byPosition: (one, other) => one.position - other.position,
	byTitle: (one, other) => (one.title < other.title ? -1 : Number(one.title > other.title)),
	byColumn: (one, other) => one.status - other.status,
	none: () => 0,
};

export function shownAs(record: ModelRecord): Record<string, unknown> {
	const { id, createdAt, updatedAt, completedAt, status, revision, isMember } = record;
	return {
		id,
		createdAt: formatTimestamp(createdAt),
		updatedAt: formatTimestamp(updatedAt),
		completedAt: completedAt === undefined ? null : formatTimestamp(completedAt),
		status: COLUMNS[status],
		archivedAt: record.isHidden ? formatTimestamp(updatedAt) : null,
		title: `revision ${revision}`,
		segments: isMember ? [`/segments/${SEGMENT}`] : [],
	};
}
