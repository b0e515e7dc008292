import { isEqual } from 'lodash';
import type { Field } from '../schema/field';
import { labelOf } from '../schema/label';
import { namesWhere, type RecordContract } from '../schema/record';
import { ApprovalOutdated, UnusableParameter } from '../util/errors';
import { isObject, ownOf } from '../values/json';
import { isBlank, quoted } from '../values/text';
import { hasEntry, isEqualIn, type ChangeTable, readChanges } from './changeTable';
import type { Change } from '../crm/records';

/*
 * Enforces the option Approved Changes: somebody has seen the changes of a preview, and approved them. The write may
 * make these changes, or a part of them, and nothing else.
 */

/** The changes of a record that somebody has approved. */
export class Approval {
	constructor(
		private readonly record: RecordContract,
		private readonly approved: ChangeTable,
	) {}

	/** Returns the approved new value of a field; undefined if there is none. */
	valueOf(name: string): unknown {
		const change = ownOf(this.approved, name);
		return change && 'to' in change ? change.to : undefined;
	}

	/**
	 * Asserts that a write makes only approved changes. Call this method right before the write.
	 *
	 * @throws ApprovalOutdated if the write would change anything else
	 */
	assert(result: 'created' | 'updated', changes: ChangeTable): void {
		const { approved, record } = this;
		if (result === 'updated' && isOfNewRecord(record, approved)) {
			throw new ApprovalOutdated(
				`a new ${record.noun}, and somebody has created it meanwhile`,
				record.noun,
			);
		}
		const others = Object.entries(changes).flatMap(([name, change]) => {
			const field = record.fields[name];
			const isApproved = isWithin(field, change, ownOf(approved, name));
			return isApproved ? [] : [`${labelOf(name)}${difference(field, change)}`];
		});
		if (others.length > 0) throw new ApprovalOutdated(others.join(', '), record.noun);
	}
}

/**
 * Returns the approval in the option Approved Changes; undefined if the user has not added the option.
 *
 * @throws UnusableParameter if the option does not hold the changes of a preview
 */
export function approvalOf(
	options: { approvedChanges?: unknown },
	record: RecordContract,
): Approval | undefined {
	if (!Object.hasOwn(options, 'approvedChanges')) return undefined;
	const approved = readChanges(options.approvedChanges);
	if (!approved) throw noChanges(options.approvedChanges);
	return new Approval(record, approved);
}

function noChanges(got: unknown): UnusableParameter {
	const message = isBlank(got)
		? 'Approved Changes is empty'
		: `Approved Changes: expected the changes of a preview, got ${quoted(got)}`;
	return new UnusableParameter(
		message,
		'Give the field "changes" of the preview, such as {{ $json.changes }}. Output: Selected Fields leaves it out of a preview',
	);
}

/**
 * Returns whether the approved changes are those of a new record. In such changes, a required field had no value
 * before. An existing record always has a value in it.
 */
function isOfNewRecord({ fields }: RecordContract, approved: ChangeTable): boolean {
	return namesWhere(fields, ({ isRequired }) => isRequired).some((name) => {
		const change = ownOf(approved, name);
		return change !== undefined && 'from' in change && isBlank(change.from);
	});
}

/**
 * Returns whether `change` is the approved change, or a part of it. A part is normal: somebody else may have made the
 * rest of the approved change meanwhile.
 */
function isWithin(field: Field | undefined, change: Change, approved: Change | undefined): boolean {
	if (!approved) return false;
	if ('added' in change) {
		if (!field || !('added' in approved)) return false;
		const { added, removed, from, to } = change;
		// If the order of the entries changes, `from` and `to` hold the whole list before and after. The write may set only
		// the approved order.
		const isOrderApproved = !to || (isEqual(from, approved.from) && isEqual(to, approved.to));
		const isPart = (entries: unknown[], of: unknown[]) =>
			entries.every((entry) => hasEntry(field, of, entry));
		return isOrderApproved && isPart(added, approved.added) && isPart(removed, approved.removed);
	}
	if ('added' in approved) return false;
	const { from, to } = change;
	if (field?.kind === 'object' && isObject(to)) {
		const [before, after] = [from, approved.from].map((one) => (isObject(one) ? one : {}));
		return Object.entries(to).every(
			([part, value]) =>
				isObject(approved.to) &&
				part in approved.to &&
				isEqual(value, approved.to[part]) &&
				isEqual(before![part] ?? null, after![part] ?? null),
		);
	}
	return isEqualIn(field, to, approved.to) && isEqualIn(field, from, approved.from);
}

/** Returns the end of a text about a change, such as ` (from "Buyer" to "CEO")`; empty for a list or an object. */
function difference(field: Field | undefined, change: Change): string {
	if ('added' in change || field?.isList || field?.kind === 'object') return '';
	const { from, to } = change;
	return ` (from ${quoted(from ?? null)} to ${quoted(to)})`;
}
