import type { IDataObject } from 'n8n-workflow';
import { idIn } from '../util/iri';
import { historyEntry } from '../schema/task';
import { cellOf, named } from '../run/flat';
import type { RecordSpecification } from '../run/specification';
import type { Resource } from '../ui/operations';
import { Verbs } from '../ui/operations';

export const historyRecord: RecordSpecification = {
	...historyEntry,
	simplify: (entry: IDataObject, titleOf) => ({
		id: idIn(entry),
		createdAt: entry.createdAt ?? null,
		author: named(entry.author, '/users', titleOf),
		// The interface does not document the form of a change, so the column shows the whole change as text.
		changes: cellOf(entry.changes),
	}),
};

const verbs = new Verbs(historyRecord);

export const history: Resource = {
	value: 'history',
	name: 'History',
	description: 'Changes of a task, with their authors',
	record: historyRecord,
	operations: [
		verbs.get('Retrieve one entry of the history of a task by ID'),
		verbs.getAll('Retrieve a list of the history entries of a task'),
	],
};
