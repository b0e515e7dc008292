import { person } from './person';
import type { RecordContract } from './record';
import { segment } from './segment';
import { comment, historyEntry, task } from './task';
import { workspace } from './workspace';

export const contracts = {
	comment,
	history: historyEntry,
	person,
	segment,
	task,
	workspace,
} satisfies Record<string, RecordContract>;
