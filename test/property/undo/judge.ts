import { findLast, findLastIndex } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

/**
 * Values of all records. A key is the ID of a record and a field: "1f0c jobTitle". For an entry of a list, the key also
 * has the entry: "1f0c email x@crm.example". The value of an entry is true, or the type of a phone number.
 */
export type Cells = Map<string, unknown>;

/** A step of the run, or a change by a colleague, with all values before and after it. */
export interface Write {
	by: 'run' | 'colleague';
	before: Cells;
	after: Cells;
}

export interface Played {
	writes: Write[];
	/** Cells that a colleague changed while the run was undone, with their new values. */
	meanwhile: Cells;
	/** Records that the run created. */
	created: Set<string>;
	after: Cells;
	/** Items that Undo put out. */
	undone: IDataObject[];
}

/** Labels of the fields that a note of Undo must name, if a colleague has changed them since the run. */
const LABELS: Record<string, string> = { jobTitle: 'Job Title', city: 'Address', status: 'Column' };

/** Returns what Undo did wrong. */
export function findings({ writes, meanwhile, created, after, undone }: Played): string[] {
	const found: string[] = [];
	const names = new Set(
		writes.flatMap(({ before, after: then }) => [...before.keys(), ...then.keys()]),
	);
	const ofColleagues = new Set<string>();
	for (const name of names) {
		const history = historyOf(name, writes);
		const [record] = name.split(' ');
		if (history.some(({ by }) => by === 'colleague')) ofColleagues.add(record);
		if (meanwhile.has(name)) continue;
		const lastByOthers = findLastIndex(history, ({ by }) => by === 'colleague');
		const [firstOfRun] = history.slice(lastByOthers + 1);
		const expected = firstOfRun ? firstOfRun.from : history.at(-1)?.to;
		const isOfCreated = created.has(record);
		if (history.length === 0 || (isOfCreated && name.endsWith(' archivedAt'))) continue;
		// Undo archives a person whom the run created, and changes no other value of this person.
		const isCreation = isOfCreated && firstOfRun?.isFirst;
		if (isCreation || after.get(name) === expected) continue;
		// Undo does not give back an address that another active person has, perhaps from an earlier item of the run. A note
		// names the address.
		const [, email] = name.split(' email ');
		const isLeftOut = undone.some(({ note }) => email && String(note).includes(email));
		if (isLeftOut) continue;
		found.push(`${name}: ${String(after.get(name))} instead of ${String(expected)}`);
	}
	for (const [name, value] of meanwhile) {
		if (after.get(name) !== value) found.push(`${name}: overwritten while the run was undone`);
	}
	for (const record of created) {
		if ([...meanwhile.keys()].some((name) => name.startsWith(`${record} `))) continue;
		const isActive = (after.get(`${record} archivedAt`) ?? null) === null;
		// If a colleague has archived or unarchived the person, Undo leaves or restores what the colleague chose.
		const history = historyOf(`${record} archivedAt`, writes);
		const ofColleague = findLast(history, ({ by }) => by === 'colleague');
		const stays = ofColleague ? ofColleague.to === null : ofColleagues.has(record);
		if (isActive !== stays) found.push(`${record}: ${isActive ? 'active' : 'archived'}`);
	}
	for (const name of names) {
		const [record, field] = name.split(' ');
		const history = historyOf(name, writes);
		const last = history.at(-1);
		const lastOfRun = findLast(history, ({ by }) => by === 'run');
		if (!LABELS[field] || last?.by !== 'colleague' || !lastOfRun || created.has(record)) continue;
		if (meanwhile.has(name) || lastOfRun.from === last.to) continue;
		const isNamed = undone.some(
			({ id, note }) => id === record && String(note).includes(LABELS[field]),
		);
		if (!isNamed) found.push(`${name}: not named`);
	}
	return found;
}

interface Step {
	by: 'run' | 'colleague';
	from: unknown;
	to: unknown;
	/** Whether the step created the record. */
	isFirst: boolean;
}

/**
 * Returns the changes of a cell, in the order of time. Consecutive changes by colleagues count as one change. They count
 * as none if the last change restores the first value.
 */
function historyOf(name: string, writes: readonly Write[]): Step[] {
	const [record] = name.split(' ');
	const history: Step[] = [];
	for (const { by, before, after } of writes) {
		const [from, to] = [before.get(name), after.get(name)];
		if (from === to) continue;
		const last = history.at(-1);
		if (by === 'colleague' && last?.by === 'colleague') {
			last.to = to;
			if (last.from === to) history.pop();
		} else {
			history.push({ by, from, to, isFirst: !before.has(`${record} archivedAt`) });
		}
	}
	return history;
}
