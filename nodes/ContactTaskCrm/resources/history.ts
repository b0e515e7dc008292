import { historyEntry } from '../schema/task';
import { simplifiedBy } from '../output/flat';
import type { Resource } from '../ui/operations';
import { Verbs } from './verbs';
import type { RecordSpecification } from '../output/specification';

export const historyRecord: RecordSpecification = {
	...historyEntry,
	simplify: simplifiedBy(historyEntry, 'id createdAt author changes'),
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
