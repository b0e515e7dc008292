import type { IDataObject } from 'n8n-workflow';
import { nameAndId } from '../../lookup/find';
import { identitiesOf, isSameIdentity } from '../../lookup/identities';
import { ExplainedError, UnusableParameter } from '../../util/errors';
import { isArchived } from '../../values/person';
import { areOfTwoPeople } from '../../values/name';
import { isSameReference } from '../../values/reference';
import { personRecord as record } from './record';
import { unionOf } from './union';

/*
 * Who may be merged. The rules hold for the newest reads, when the write leaves.
 */

/** @throws UnusableParameter if a person is to be merged with itself alone */
export function refuseItself(from: readonly string[], kept: string | undefined): void {
	if (!from.every((id) => isSameReference(id, kept, record.collection))) return;
	throw new UnusableParameter(
		'Merge From: the kept person cannot be merged with itself',
		'Give somebody else. Nothing was written',
	);
}

/** Options of a merge. */
export interface MergeRules {
	/** Whether each person has to share a value with the kept person. */
	mustShare: boolean;
	/** Whether the names may contradict each other. */
	mayDiffer: boolean;
}

/** Says that people must not be merged. */
export class MergeRefused extends ExplainedError {
	constructor(message: string, advice: string) {
		super(message, advice, { code: 'refused' });
	}
}

/**
 * Returns the people that are still to merge into the kept person. Leaves out those whom an earlier run has merged.
 *
 * @throws MergeRefused if the people must not be merged
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
	// An earlier run has merged whoever is archived and has nothing that the kept person lacks.
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
		const other = people.slice(position + 1).find((person) => areOfTwoPeople(one, person));
		if (!other) continue;
		throw new MergeRefused(
			`${nameAndId(one)} and ${nameAndId(other)} have quite different names`,
			'If they are one person, set Options > When the Name Differs to Update',
		);
	}
}
