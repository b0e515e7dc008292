import type { IDataObject } from 'n8n-workflow';
import { nameAndId } from '../../lookup/find';
import { identitiesOf, isSameIdentity } from '../../lookup/duplicates';
import { ExplainedError, UnusableParameter } from '../../util/errors';
import { isArchived } from '../../values/person';
import { areSurelyTwoPeople } from '../../values/name';
import { isSameReference } from '../../values/reference';
import { personRecord as record } from './record';
import { entriesLacked, unionOf } from '../../writes/union';
import type { Written } from '../../crm/records';
import type { Source } from '../../input/labels';
import { labelOf } from '../../schema/label';
import { cutList, isObject, partTexts } from '../../values/json';
import { quoted } from '../../values/text';

/*
 * Rules that allow or forbid a merge, and texts about a merge. Before each write, the merge checks the rules again with
 * the newest reads.
 */

/** @throws UnusableParameter if the kept person is the only person in Merge From */
export function refuseItself(from: readonly string[], kept: string | undefined): void {
	if (!from.every((id) => isSameReference(id, kept, record.collection))) return;
	throw new UnusableParameter(
		'Merge From: the kept person cannot be merged with itself',
		'Give somebody else. Nothing was written',
	);
}

/** Options of the operation Merge that allow or forbid a merge. */
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
 * Returns the other people who still have to be merged into the kept person. An earlier run may have merged some of
 * them already.
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
	// If an archived person has nothing that the kept person lacks, the two count as merged by an earlier run.
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

/** Maximum number of entries of a list that a message names. */
const MOST_NAMED = 3;

/** Returns a sentence for each list in which the kept person lacks entries of the others. It names these entries. */
export function lackedIn(kept: IDataObject, others: readonly IDataObject[]): string[] {
	return Object.entries(entriesLacked(kept, others)).map(([name, entries]) => {
		const named = cutList(entries.map(entryText), MOST_NAMED);
		return `${nameAndId(kept)} does not show ${labelOf(name)} ${named}`;
	});
}

function entryText(entry: unknown): string {
	const [text] = isObject(entry) ? Object.values(entry) : [entry];
	return quoted(text);
}

/** Returns a sentence about one write of a merge. */
export function sentenceOn({ record: one }: Written): string {
	return `${nameAndId(one)} was ${isArchived(one) ? 'archived' : 'updated'}`;
}

/**
 * Returns a label for each e-mail address and phone number, such as `Email "eva@crm.example" of Eva Vos`. If the service
 * refuses an entry, the error names the entry's person by this label.
 */
export function sourcesIn(people: readonly IDataObject[]): Source[] {
	const parts = { emailAddresses: 'email', phoneNumbers: 'phoneNumber' };
	return people.flatMap((person) =>
		Object.entries(parts).flatMap(([field, part]) =>
			partTexts(person[field], part).map((value): Source => {
				const label = `${labelOf(part)} ${quoted(value)} of ${nameAndId(person)}`;
				return { field, label, gave: 'part', part, value };
			}),
		),
	);
}
