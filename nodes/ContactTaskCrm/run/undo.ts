import { isEmpty, pickBy, uniq } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { presentTime } from '../input/body';
import { contracts } from '../schema';
import { labelOf, titleCase } from '../schema/label';
import type { RecordContract } from '../schema/record';
import { readIfThere, Written } from '../crm/records';
import { UnusableParameter } from '../util/errors';
import { isArchived, nameIn } from '../values/person';
import { isObject, parsedList } from '../values/json';
import { comparableId, filledPath, idIn, idOf } from '../values/reference';
import { isBlank, quoted, textIn } from '../values/text';
import { change, type Decided } from '../writes/change';
import { changedSince, type ChangeTable, readChanges } from '../writes/changeTable';
import type { Item } from './item';
import { paginatorOf, type Paginator } from './paginator';
import { AddressOwners } from './record';
import { type TurnedBack, turnedBack } from '../writes/turnedBack';
import type { RecordSpecification } from '../output/specification';

/*
 * Undo takes back the changes of an earlier run. Its input items are the output items of that run. Undo gives an
 * updated record its earlier values back, and archives a created record. The last item comes first, because a later
 * item may have changed the record of an earlier item again.
 *
 * The output of a merge has the kept person first, and then the archived people. Undo begins at the end. So it first
 * unarchives these people, and then takes their entries from the kept person. So at each moment, each entry belongs to
 * an active person.
 */

const OUTPUTS =
	'Connect this node behind the node whose run to undo. Its Output: Simplified or Raw has both. Selected Fields has "id" if ID is among the Fields. A preview has no "result"';

/** The advice of `OUTPUTS` for the model of an AI agent. The model has the earlier items as answers of its tools. */
const ANSWERS =
	'Give the whole answer of the tool that made the change, as JSON with its result, id and changes';

const TELL = 'Turn on Options > Tell What Changed for such a run';

/** Work of the earlier run on one record, as the output of that run tells. */
interface EarlierWork {
	result: string;
	id: string;
	/** Changes of the record; undefined if the run did not tell them. */
	changes: ChangeTable | undefined;
	/** The whole item that the run put out. */
	json: IDataObject;
}

/** Makes the operation Undo for the records of a resource. */
export function runUndo(record: RecordSpecification): Paginator {
	const run = async (item: Item) => {
		const done = earlierWorkIn(item, record);
		await item.run.untilAllJoined();
		if (!item.run.hasAllItems) {
			throw new UnusableParameter(
				'Batching: Undo needs all items at once, because the last item comes first',
				'Remove Batching from Request Options. The node keeps the rate limit by itself',
			);
		}
		return [await undoRecord(item, record, done)];
	};
	return paginatorOf({ record, isLastFirst: true, run });
}

/**
 * Reads an output item of the earlier run from the parameter Output Item.
 *
 * @throws UnusableParameter if the item cannot be the output of a write of this node
 */
function earlierWorkIn({ context, run }: Item, record: RecordSpecification): EarlierWork {
	const given: unknown = context.getNodeParameter('outputItem', {});
	const read = parsedList(given) ?? given;
	// A tool of an AI agent answers with a list of its items.
	const json = (Array.isArray(read) && read.length === 1 ? read[0] : read) as IDataObject;
	const outputs = run.isTool ? ANSWERS : OUTPUTS;
	const { result, changes } = isObject(json) ? json : {};
	const shown = isObject(json) ? idIn(json) : null;
	if (isObject(json) && hasFailed(json)) {
		return { result: 'failed', id: textIn(shown), changes: {}, json };
	}
	const missing = Object.entries({ result, id: shown }).flatMap(([name, value]) =>
		isBlank(value) ? [`"${name}"`] : [],
	);
	if (missing.length > 0) {
		const verb = missing.length > 1 ? 'are' : 'is';
		throw new UnusableParameter(`Output Item: ${missing.join(' and ')} ${verb} missing`, outputs);
	}
	if (!['created', 'updated', 'unchanged'].includes(String(result))) {
		throw new UnusableParameter(
			`Output Item: expected the result created, updated or unchanged, got ${quoted(result)}`,
			outputs,
		);
	}
	const id = idOf(json['@id'] ?? shown, record.collection);
	if ('expected' in id) {
		throw new UnusableParameter(`Output Item: id: ${id.expected}`, outputs);
	}
	const told = isBlank(changes) ? undefined : readChanges(changes);
	const others = Object.keys(told ?? {}).filter((name) => !Object.hasOwn(record.fields, name));
	if ((!told && !isBlank(changes)) || others.length > 0) {
		const expected = `changes of a ${record.noun}, as a run puts them out`;
		throw new UnusableParameter(
			`Output Item: expected ${expected}, got ${quoted(others[0] ?? changes)}`,
			'Undo the run with the same resource, and with the items as they came out',
		);
	}
	// A spreadsheet may write a UUID in capitals. Some installations of the CRM find it only in lower case, so
	// `comparableId` writes it in lower case.
	return { result: String(result), id: comparableId(id.value), changes: told, json };
}

/**
 * Returns whether an output item of the earlier run reports a failure, and tells no changes. With On Error: Continue, a
 * failed write has the result "failed". A failed read, or an item of an error output, has only the error.
 */
function hasFailed({ result, error, changes }: IDataObject): boolean {
	const isError = isBlank(result) && typeof error === 'string' && error !== '';
	return (isError || result === 'failed') && isBlank(changes);
}

/** Returns the note on an item that failed in the earlier run. If a write had no answer, nobody knows its effect. */
function noteOnFailed({ details }: IDataObject): string {
	const isUncertain = isObject(details) && details.code === 'uncertain';
	return isUncertain
		? 'Left as it is, because the item failed. It may have taken effect, so look for the record in the CRM'
		: 'Nothing to undo, because the item failed';
}

/** Takes back the earlier work on one record. */
async function undoRecord(
	item: Item,
	record: RecordSpecification,
	done: EarlierWork,
): Promise<Written> {
	const { id, json } = done;
	const asItIs = new Written('unchanged', { id: id || null }, { changes: {} });
	if (!isToUndo(done)) return asItIs.noted(noteOnIdle(done));
	const owners = new AddressOwners(item, done.result === 'updated' ? addressesBack(done) : {});
	const client = await item.begin();
	const ofOthers = new ValuesOfOthers(item.run, id);
	const path = filledPath(item.request.url ?? '', { [record.locator]: id });
	const written = await change(client, record, {
		find: async () => {
			await owners.lookUp(client);
			const read = await readIfThere(client.beforeWrite(), record, { path, id });
			return read && { path, id, read };
		},
		decide: (current = {}) => {
			if (done.result === 'created') {
				return archiveUnlessChanged(record, current, done, {
					archivedAt: presentTime(item, 'archivedAt'),
					ofOthers,
				});
			}
			return earlierValues(record, current, done, { owners, ofOthers });
		},
		addsTo: () => true,
		approval: item.approval,
	});
	ofOthers.keep();
	return written ?? asItIs.noted([noteOnMissing(record, json)]);
}

/** Returns whether there is work to undo: the run created the record, or updated it and told the earlier values. */
function isToUndo({ result, changes }: EarlierWork): boolean {
	return result === 'created' || (result === 'updated' && !isEmpty(changes));
}

/** Returns the note on an item that the undo leaves as it is. An unchanged record needs no note. */
function noteOnIdle({ result, changes, json }: EarlierWork): string[] {
	if (result === 'failed') return [noteOnFailed(json)];
	if (result !== 'updated' || changes) return [];
	return [`Left as it is, because the run did not tell the earlier values. ${TELL}`];
}

/**
 * Keys of the values of one record that somebody else has set since the run to undo. A key names a field, a part of an
 * object (`address.city`), or an entry of a list, as in `TurnedBack`.
 */
class ValuesOfOthers {
	/** Keys that the undo of later items has found. */
	readonly known: Set<string>;

	/** Keys that the undo of this item has found. */
	private found: string[] = [];

	/** Keys of the values that the undo of this item has set back. */
	private readonly setBack = new Set<string>();

	constructor({ valuesOfOthers }: Item['run'], id: string) {
		this.known = valuesOfOthers.get(id) ?? new Set<string>();
		valuesOfOthers.set(id, this.known);
	}

	/**
	 * Notes the effect of this item's undo. If the write gets no answer, the item reads the record and decides again. The
	 * record may then show values that this item has just set back. They do not count as values of others.
	 */
	note({ ofOthers, setBack }: Pick<TurnedBack, 'ofOthers' | 'setBack'>): void {
		this.found = ofOthers.filter((key) => !this.setBack.has(key));
		for (const key of setBack) this.setBack.add(key);
	}

	/** Keeps what this item has found, for the undo of earlier items. */
	keep(): void {
		for (const key of this.found) this.known.add(key);
	}
}

/** Gives an updated record its earlier values back. */
function earlierValues(
	record: RecordSpecification,
	current: IDataObject,
	{ changes = {} }: EarlierWork,
	{ owners, ofOthers }: { owners: AddressOwners; ofOthers: ValuesOfOthers },
): Decided {
	const back = turnedBack(record, current, changes, (key) => ofOthers.known.has(key));
	const { body, notes = [] } = owners.leaveOut(back.body, current);
	// Each of these notes names an e-mail address that Undo would give back, but that another person now has. So the
	// e-mail addresses count as values of others.
	const left = notes.length > 0 ? ['emailAddresses'] : [];
	ofOthers.note({ setBack: back.setBack, ofOthers: [...back.ofOthers, ...left] });
	return { body, notes: [...notesOn(back), ...notes] };
}

/** Returns the note on a record that the service does not have. The user may have chosen the wrong resource. */
function noteOnMissing({ noun, fields }: RecordSpecification, json: IDataObject): string {
	const isOf = (contract: RecordContract) =>
		Object.keys(contract.fields).some(
			(name) => contract.fields[name]?.isRequired && name in json && !(name in fields),
		);
	const other = [contracts.person, contracts.task].find(isOf);
	return other
		? `No ${noun} has this ID, because the item is one of a ${other.noun}. Choose the resource ${titleCase(other.noun)} for it`
		: `The ${noun} does not exist any more`;
}

/** Returns the e-mail addresses to give back. Another person may have them by now, so the node looks them up. */
function addressesBack({ changes: { emailAddresses } = {} }: EarlierWork): IDataObject {
	const removed = emailAddresses && 'added' in emailAddresses ? emailAddresses.removed : [];
	return pickBy({ emailAddresses: removed }, (list) => list.length > 0) as IDataObject;
}

function notesOn({ changed, withoutOldValue, fixed }: ReturnType<typeof turnedBack>): string[] {
	const reasons: Array<[names: readonly string[], reason: string, advice?: string]> = [
		[changed, 'somebody has changed it since'],
		[withoutOldValue, 'the run did not tell the earlier value', TELL],
		[fixed, 'an update cannot set it'],
	];
	return reasons.flatMap(([names, reason, advice]) => {
		if (names.length === 0) return [];
		const note = `Left as it is, because ${reason}: ${names.map(labelOf).join(', ')}`;
		return [advice === undefined ? note : `${note}. ${advice}`];
	});
}

/** Archives a created record, unless somebody has changed it since. */
function archiveUnlessChanged(
	record: RecordSpecification,
	current: IDataObject,
	{ changes, json }: EarlierWork,
	{ archivedAt, ofOthers }: { archivedAt: IDataObject[string]; ofOthers: ValuesOfOthers },
): Decided {
	if (isArchived(current)) return { body: {} };
	const name = nameIn(current) || `The ${record.noun}`;
	const staysActive = (reason: string) => ({
		body: {},
		notes: [`${name} stays active, because ${reason}`],
	});
	if (!changes) return staysActive('the item does not tell what the run wrote');
	// Others may have changed a field, and then given it the value of the create again. `changedSince` misses such a
	// field, but the undo of a later item may have found it (`ofOthers`).
	const found = [...ofOthers.known].map((key) => key.split(/[ .]/, 1)[0]!);
	const changed = uniq([...changedSince(record, current, json, changes), ...found]);
	if (changed.length === 0) return { body: { archivedAt } };
	return staysActive(
		`somebody has changed the ${record.noun} since: ${changed.map(labelOf).join(', ')}`,
	);
}
