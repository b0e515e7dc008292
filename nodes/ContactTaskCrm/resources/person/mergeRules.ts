import type { IDataObject } from 'n8n-workflow';
import { nameAndId } from '../../lookup/find';
import { identitiesOf, isSameIdentity } from '../../lookup/identities';
import { ExplainedError, UnusableParameter } from '../../util/errors';
import { isArchived } from '../../values/person';
import { areSurelyTwoPeople } from '../../values/name';
import { isSameReference } from '../../values/reference';
import { personRecord as record } from './record';
import { unionOf } from '../../writes/union';

/*
 * Rules that decide which people may be merged. Before each write, the merge checks them again with the newest reads.
 */

/** @throws UnusableParameter if Merge From gives nobody but the kept person */
export function refuseItself(from: readonly string[], kept: string | undefined): void {
	if (!from.every((id) => isSameReference(id, kept, record.collection))) return;
	throw new UnusableParameter(
		'Merge From: the kept person cannot be merged with itself',
		'Give somebody else. Nothing was written',
	);
}

/** Options of the operation Merge that decide which people may be merged. */
export interface MergeRules {
	/** Whether each person has to share an e-mail address, phone number or network ID with the kept person. */
	mustShare: boolean;
	/** Whether people with quite different names may be merged. */
	mayDiffer: boolean;
}

/** Error of a merge that the rules forbid. */
export class MergeRefused extends ExplainedError {
	constructor(message: string, advice: string) {
		super(message, advice, { code: 'refused' });
	}
}

/**
 * Returns those of the other people who still have to be merged into the kept person. Leaves out people whom an
 * earlier run has merged.
 *
 * @throws MergeRefused if the rules forbid the merge
 */
export function mergeable(
	kept: IDataObject,
	others: readonly IDataObject[],
	{ mustShare, mayDiffer }: MergeRules,
): IDataObject[] {
	if (isArchived(kept)) {
		throw new MergeRefused(
			`${nameAndId(kept)} is archived, and cannot be kept`,
			'Keep somebody who is active, or unarchive the person first',
		);
	}
	// If somebody is archived, and the kept person lacks nothing of theirs, an earlier run has merged the two.
	const left = others.filter((other) => {
		if (!isArchived(other)) return true;
		if (Object.keys(unionOf(kept, [other])).length === 0) return false;
		throw new MergeRefused(
			`${nameAndId(other)} is archived`,
			'Unarchive the person first, or leave it out',
		);
	});
	const values = identitiesOf(kept);
	const stranger = left.find(
		(other) => !identitiesOf(other).some((one) => values.some((own) => isSameIdentity(one, own))),
	);
	if (mustShare && stranger) {
		throw new MergeRefused(
			`${nameAndId(kept)} and ${nameAndId(stranger)} share no e-mail address, phone number or network ID`,
			'Somebody may have corrected it. If they are one person, turn off Options > Only If They Share',
		);
	}
	if (!mayDiffer) refuseTwoNames([kept, ...left]);
	return left;
}

function refuseTwoNames(people: readonly IDataObject[]): void {
	for (const [position, one] of people.entries()) {
		const other = people.slice(position + 1).find((person) => areSurelyTwoPeople(one, person));
		if (!other) continue;
		throw new MergeRefused(
			`${nameAndId(one)} and ${nameAndId(other)} have quite different names`,
			'If they are one person, set Options > When the Name Differs to Update',
		);
	}
}
