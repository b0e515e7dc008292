import type { IDataObject } from 'n8n-workflow';
import type { Written } from '../../crm/written';
import type { Source } from '../../input/labels';
import { nameAndId } from '../../lookup/find';
import { labelOf } from '../../schema/label';
import { cutList, isObject, partTexts } from '../../values/json';
import { isArchived } from '../../values/person';
import { quoted } from '../../values/text';
import { entriesLacked } from '../../writes/union';

/*
 * Words of a merge, for its messages and notes.
 */

/** Maximum number of entries of a list that a message names. */
const MOST_NAMED = 3;

/** Returns the list entries of the others that the kept person does not show, in words for each list. */
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
export function sentenceOn({ record, details }: Written): string {
	const isMove = Object.hasOwn(details.changes ?? {}, 'archivedAt');
	const verb = isMove ? (isArchived(record) ? 'archived' : 'unarchived') : 'updated';
	return `${nameAndId(record)} was ${verb}`;
}

/** Returns the note on what stays with the archived people. */
export function noteOnWork(others: readonly IDataObject[]): string {
	const people = others.length === 1 ? 'person' : 'people';
	return `Tasks, deals and history of ${others.map(nameAndId).join(', ')} stay with the archived ${people}, because the interface cannot move them`;
}

/**
 * Returns a label for each e-mail address and phone number. With it, the error for a refused entry names the person.
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
