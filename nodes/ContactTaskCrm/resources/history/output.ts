import type { IDataObject } from 'n8n-workflow';
import { idIn, referenceIn } from '../../common/records';
import { historyEntry } from '../../contract/history';
import type { RecordSpecification } from '../../runtime/specification';

/** An entry of a task's history, under its task. */
export const historyRecord: RecordSpecification = {
	...historyEntry,
	simplify: (entry: IDataObject) => ({
		id: idIn(entry),
		createdAt: entry.createdAt ?? null,
		author: referenceIn(entry.author),
		// What a change looks like is not documented: as text it stays whole, and flat.
		changes: entry.changes === undefined ? null : JSON.stringify(entry.changes),
	}),
};
