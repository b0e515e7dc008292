import { isEmpty, mapValues, pick } from 'lodash';
import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';
import { differingParts, isSameEntry, isSameValue } from '../schema/equality';
import type { Field } from '../schema/field';
import { labelOf } from '../schema/label';
import type { RecordContract } from '../schema/record';
import { Written } from '../crm/records';
import type { LostAnswer } from '../util/failures';
import { isObject, listOf, withoutJsonLd } from '../values/json';
import { instantOf } from '../values/time';
import { hasEntry } from './changeTable';
import { asAnswered, changesBy, differing, entriesOf, isComparable } from './merge';

/*
 * A write without an answer may have changed its record, and somebody else may have changed the record meanwhile. A
 * later read shows both changes. `LostWrites` tells the node's own changes from those of others.
 */

/**
 * Tolerance in ms when `updatedAt` of a record is compared with the time of a write. The node only estimates this time
 * on the service's clock.
 */
const CLOCK_SLACK_MS = 2_000;

/** A write without an answer. */
interface Try {
	/** The record as the node read it before the write; undefined if the node did not read it. */
	before: IDataObject | undefined;
	/** All fields that the write sets. */
	set: IDataObject;
	/**
	 * Fields that the write sends. A replacement (PUT) also resets fields that it does not send: they are only in `set`.
	 */
	sent: IDataObject;
}

/** The writes of one change that had no answer. */
export class LostWrites {
	private readonly tries: Try[] = [];

	/**
	 * @param first error of the first of these writes
	 * @param id ID of the record of these writes
	 */
	constructor(
		private readonly record: RecordContract,
		readonly first: LostAnswer,
		readonly id: string,
	) {}

	add(lost: Try): void {
		this.tries.push(lost);
	}

	/** Note for the user if the next write goes to another record than the lost writes. */
	get noteOfMove(): string {
		return `An earlier try had no answer, and may have changed the ${this.record.noun} ${this.id}`;
	}

	/** All fields that the lost writes set. If several of them set a field, the last value counts. */
	private get set(): IDataObject {
		return this.all('set');
	}

	/** All fields that the lost writes sent. If several of them sent a field, the last value counts. */
	private get sent(): IDataObject {
		return this.all('sent');
	}

	private all(part: 'set' | 'sent'): IDataObject {
		return Object.assign({}, ...this.tries.map((one) => one[part])) as IDataObject;
	}

	/**
	 * Returns the record as it would be without the lost writes. A field with a written value gets back its value from
	 * before the write. All other fields keep their present values, which others may have changed. Returns undefined if
	 * the node did not read the record before the first write.
	 */
	private without(current: IDataObject): IDataObject | undefined {
		if (!this.tries[0]?.before) return undefined;
		return this.tries.reduceRight((shown, { before = {}, set }) => {
			const back = mapValues(set, (sent, name) =>
				takenBack(this.record.fields[name], { before: before[name], sent, now: shown[name] }),
			);
			return { ...shown, ...back } as IDataObject;
		}, current);
	}

	/**
	 * Returns the names of fields that somebody else has changed since the first write. The node does not write these
	 * fields again. Such a field shows neither its value before the write nor a written value. If the node did not read
	 * the record before the write, the time of the record's last change (`updatedAt`) decides instead.
	 *
	 * @param differs fields that a repetition would write
	 * @param addsTo returns whether the write adds to a list. Such a list is never among the results, because the write
	 *   keeps what others added
	 */
	leftBy(current: IDataObject, differs: IDataObject, addsTo: (list: string) => boolean): string[] {
		const { record, set } = this;
		const before = this.tries[0]?.before;
		const isAddedTo = (name: string) => record.fields[name]?.isList && addsTo(name);
		const shows = (values: IDataObject, name: string) => {
			const value = values[name] ?? null;
			const given = { [name]: isObject(value) ? withoutJsonLd(value) : value } as IDataObject;
			return !(name in differing(record, current, given));
		};
		if (!before) {
			const changedAt = instantOf(current.updatedAt) ?? -Infinity;
			const isChanged = changedAt > this.first.sentAt - CLOCK_SLACK_MS;
			return isChanged ? Object.keys(differs).filter((name) => !isAddedTo(name)) : [];
		}
		return Object.keys({ ...set, ...differs }).filter(
			(name) => !isAddedTo(name) && !shows(before, name) && !(name in set && shows(set, name)),
		);
	}

	/**
	 * Returns the note for the user on the fields that `leftBy` found (`left`). If there is such a field, the node does
	 * not repeat a replacement (PUT), and the note says so.
	 */
	notesOn(left: readonly string[], method: IHttpRequestMethods): string[] {
		if (left.length === 0) return [];
		const names = left.map(labelOf).join(', ');
		const known = this.tries[0]?.before ? ` (${names})` : '';
		const end =
			method === 'PUT' ? `${known}, so that it was not sent again` : `. Left as it is: ${names}`;
		const changed = `somebody has changed the ${this.record.noun} since`;
		return [`The answer to the write was lost, and ${changed}${end}`];
	}

	/** Returns the result of a change that needs no further write. `current` is a read after the lost writes. */
	settled(current: IDataObject): Written {
		const { record, sent, set } = this;
		const before = this.without(current);
		// The node cannot check a field that the service never shows. So the sent value counts as written.
		const shown = mapValues(set, (value, name) =>
			isComparable(record.fields[name]) ? (current[name] ?? null) : value,
		) as IDataObject;
		const changes = before && changesBy(record, before, shown);
		// A field that a replacement (PUT) only resets may have been empty before. So it proves nothing. Only a field that
		// was sent shows that a write took effect.
		const differs = differing(record, current, sent);
		const isTaken = changes
			? !isEmpty(changes)
			: Object.keys(sent).some((name) => !(name in differs));
		const details = { changes: isTaken ? changes : {}, before };
		return new Written(isTaken ? 'updated' : 'unchanged', current, details);
	}

	/**
	 * Returns the changes of the lost writes, together with those of a later write. Returns nothing if the node did not
	 * read the record before the first write.
	 *
	 * @param set fields that the later write sets
	 * @param current the record right before the later write
	 * @param answer answer to the later write
	 */
	detailsWith(set: IDataObject, current: IDataObject, answer: IDataObject): Written['details'] {
		const before = this.without(current);
		if (!before) return {};
		const all = asAnswered(this.record, { ...this.set, ...set }, answer);
		return { before, changes: changesBy(this.record, before, all) };
	}
}

/** Value of a field before a write, in the write, and in a later read. */
interface Values {
	before: unknown;
	sent: unknown;
	now: unknown;
}

/** Returns the value that a field would have now without the write. */
function takenBack(field: Field | undefined, { before, sent, now }: Values): unknown {
	if (field?.isList) {
		// Leaves references in the form of the answer, such as an embedded record. The summary takes the title from this
		// record.
		const entriesIn = (list: unknown) =>
			field.refersTo === undefined ? entriesOf(field, list) : listOf(list ?? []);
		const [listBefore, listSent, listNow] = [before, sent, now].map(entriesIn);
		if (!listBefore || !listSent || !listNow) return now;
		const sameIn = (list: unknown[], entry: unknown) =>
			list.find((one) => isSameEntry(field, one, entry));
		const lacks = (list: unknown[]) => (entry: unknown) => sameIn(list, entry) === undefined;
		const added = listSent.filter(lacks(listBefore));
		const removed = listBefore.filter(lacks(listSent));
		// The write may have changed the spelling of an entry, or the type of a phone number. Such an entry gets its
		// form from before the write.
		const isAsWritten = (entry: unknown) => hasEntry(field, listSent, entry);
		const kept = listNow
			.filter(lacks(added))
			.map((entry) => (isAsWritten(entry) ? (sameIn(listBefore, entry) ?? entry) : entry));
		return [...kept, ...removed.filter(lacks(listNow))];
	}
	if (field?.kind !== 'object' || !isObject(sent)) {
		return isSameValue(field, now, sent) ? (before ?? null) : now;
	}
	const ofWrite = Object.keys(sent).filter((part) => !differingParts(now, { [part]: sent[part] }));
	if (ofWrite.length === 0) return now;
	const was = isObject(before) ? before : {};
	// If the whole object was empty before, and all its written parts are still there, the object becomes empty again.
	// Undo then empties the whole field.
	if (!isObject(before) && ofWrite.length === Object.keys(sent).length) return before ?? null;
	const back = mapValues(pick(sent, ofWrite), (_, part) => was[part] ?? null);
	return { ...(isObject(now) ? now : {}), ...back };
}
