import type { IDataObject } from 'n8n-workflow';

/** Change of a field by a write. `from` is absent if the service does not show the earlier value. */
export type Change =
	| { from?: unknown; to: unknown }
	/** Change of a list. `from` and `to` are absent if `added` and `removed` suffice to undo it. */
	| { added: unknown[]; removed: unknown[]; from?: unknown[]; to?: unknown[] };

/** Details of a write: a note for the user, and if known, its changes and the record before the write. */
interface WriteDetails {
	changes?: Record<string, Change> | undefined;
	before?: IDataObject | undefined;
	note?: string | undefined;
}

/** A record after a write, or a record that needed no write. */
export class Written {
	constructor(
		readonly result: 'created' | 'updated' | 'unchanged',
		readonly record: IDataObject,
		readonly details: WriteDetails = {},
	) {}

	/** Returns the same result, with `notes` before its own note. */
	noted(notes: readonly string[]): Written {
		const note = [...notes, this.details.note].filter(Boolean).join('. ') || undefined;
		return new Written(this.result, this.record, { ...this.details, note });
	}
}
