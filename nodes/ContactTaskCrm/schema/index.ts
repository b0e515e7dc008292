import { comment } from './comment';
import { historyEntry } from './history';
import { person } from './person';
import type { RecordContract } from './record';
import { segment } from './segment';
import { task } from './task';
import { workspace } from './workspace';

/** What is known of the records of each resource. */
export const contracts = {
	comment,
	history: historyEntry,
	person,
	segment,
	task,
	workspace,
} satisfies Record<string, RecordContract>;
