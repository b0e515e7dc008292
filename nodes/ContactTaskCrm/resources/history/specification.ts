import type { IDataObject } from 'n8n-workflow';
import type { RecordSpecification } from '../../runtime/specification';
import { idIn, referenceIn } from '../../common/records';

/** An entry of a task's history, under its task. */
export const historyRecord: RecordSpecification = {
	noun: 'history entry',
	plural: 'history entries',
	collection: '/tasks/{taskId}/history',
	simplify: (entry: IDataObject) => ({
		id: idIn(entry),
		createdAt: entry.createdAt ?? null,
		author: referenceIn(entry.author),
		// What a change looks like is not documented: as text it stays whole, and flat.
		changes: entry.changes === undefined ? null : JSON.stringify(entry.changes),
	}),
};
