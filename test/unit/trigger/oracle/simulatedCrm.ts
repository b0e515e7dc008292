import type { IDataObject } from 'n8n-workflow';

/** One row of the simulated CRM; times in seconds. */
export interface Row {
	id: string;
	created: number;
	changed: number;
	done: number | null;
	column: string;
	rank: number;
	inSegment: boolean;
	visible: boolean;
	text: string;
}

/** Something that was done to a row, in the order in which it was done. */
export interface Fact {
	at: number;
	id: string;
	what: 'stored' | 'written';
	row: Row;
}

export const LISTINGS = ['asStored', 'reversed', 'lastChangeFirst', 'byRank', 'shuffled'] as const;
export type Listing = (typeof LISTINGS)[number];

/** A CRM as the interface describes it, kept as an array of rows and a ledger of facts. */
export class SimulatedCrm {
	seconds = 1_790_000_000;

	readonly rows: Row[] = [];

	readonly ledger: Fact[] = [];

	constructor(
		private readonly listing: Listing,
		private readonly dice: () => number,
		private readonly tellsTotals: boolean,
	) {}

	store(row: Partial<Row>): void {
		const id = `${(this.ledger.length + 1).toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;
		const full: Row = {
			id,
			created: this.seconds,
			changed: this.seconds,
			done: null,
			column: '/workspaces/1/columns/a',
			rank: this.dice(),
			inSegment: false,
			visible: true,
			text: '',
			...row,
		};
		this.rows.push(full);
		this.note('stored', full);
	}

	write(row: Row, change: Partial<Row>): void {
		Object.assign(row, change, {
			changed: this.seconds,
			text: `${this.ledger.length}`,
		});
		this.note('written', row);
	}

	private note(what: Fact['what'], row: Row): void {
		this.ledger.push({ at: this.seconds, id: row.id, what, row: { ...row } });
	}

	/** A page of a list, by the documented parameters. */
	page(path: string, query: ReadonlyArray<readonly [string, string]>) {
		const value = (name: string) => query.find(([key]) => key === name)?.[1];
		let list = this.rows.filter(({ visible }) => visible);
		if (value('segments.uuid') !== undefined) list = list.filter(({ inSegment }) => inSegment);
		const after = value('createdAt[after]');
		if (after !== undefined) {
			list = list.filter(({ created }) => created >= Date.parse(after) / 1000);
		}
		const byTime = path === '/people' ? value('order[createdAt]') : undefined;
		if (byTime !== undefined) {
			const sign = byTime === 'desc' ? -1 : 1;
			list.sort((one, other) => sign * (one.created - other.created));
		} else if (this.listing === 'reversed') list.reverse();
		else if (this.listing === 'lastChangeFirst')
			list.sort((one, other) => other.changed - one.changed);
		else if (this.listing === 'byRank') list.sort((one, other) => one.rank - other.rank);
		else if (this.listing === 'shuffled') {
			list = list
				.map((row) => [this.dice(), row] as const)
				.sort(([one], [other]) => one - other)
				.map(([, row]) => row);
		}
		const size = Number(value('itemsPerPage'));
		const first = (Number(value('page') ?? '1') - 1) * size;
		return {
			members: list.slice(first, first + size).map(show),
			hasNext: first + size < list.length,
			...(this.tellsTotals ? { totalItems: list.length } : {}),
			servedAt: Math.floor(this.seconds) * 1000,
		};
	}

	person(id: string): IDataObject | undefined {
		const row = this.rows.find((one) => one.id === id);
		return row && show(row);
	}
}

const iso = (seconds: number) => new Date(Math.floor(seconds) * 1000).toISOString();

function show({ id, created, changed, done, column, inSegment, text }: Row): IDataObject {
	return {
		'@id': `/things/${id}`,
		id,
		createdAt: iso(created),
		updatedAt: iso(changed),
		completedAt: done === null ? null : iso(done),
		status: column,
		segments: inSegment ? ['/segments/s'] : [],
		title: text,
	};
}
