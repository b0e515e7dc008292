import { differenceBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { bodyOf } from '../../input/body';
import type { Item } from '../../run/item';
import { paginatorOf, type Paginator } from '../../run/paginator';
import type { Source } from '../../input/labels';
import { ADDED_TO_LISTS, changesTo, entriesShown } from '../../writes/merge';
import { changeRecord } from '../../run/record';
import { oneTitleOr } from '../../input/references';
import { specifyBody } from '../../input/specification';
import { labelOf } from '../../schema/label';
import { unusableReference, UnusableParameter } from '../../util/errors';
import { personRecord as record } from './record';
import { referencesIn } from '../../values/list';
import { referenceKey } from '../../values/reference';

/*
 * Operations that add an entry to a list of a person, or remove one. The service replaces a list as a whole, so the
 * node reads the person right before it writes the list. Within the n8n process, the writes with one API key run one at
 * a time. The interface has no conditional update. So a change by another program between the read and the write is
 * lost.
 */

type ContactList = 'emailAddresses' | 'phoneNumbers';
type ReferenceList = 'tags' | 'segments';

/** For each list, a function that reads the entry to add from the parameters of an item. */
const ENTRIES: Record<ContactList, (context: Item['context']) => IDataObject> = {
	emailAddresses: (context) => ({ email: context.getNodeParameter('email', '') as string }),
	phoneNumbers: (context) => ({
		phoneNumber: context.getNodeParameter('phoneNumber', '') as string,
		phoneType: context.getNodeParameter('phoneType', 'mobile') as string,
	}),
};

/** Makes the operation that adds an e-mail address or phone number, unless the person has the value in any spelling. */
export function runAddContact(list: ContactList): Paginator {
	const specification = specifyBody(record, 'update', { required: [list] });
	const sources = ({ context }: Item) =>
		Object.entries(ENTRIES[list](context)).map(
			([part, value]): Source => ({ field: list, label: labelOf(part), gave: 'part', part, value }),
		);
	const run = async (item: Item) => {
		const fields = { [list]: [ENTRIES[list](item.context)] };
		const body = await bodyOf(item, specification, { fields });
		const changesOf = (person: IDataObject) => changesTo(record, person, body, ADDED_TO_LISTS);
		return await changeRecord(item, record, changesOf, body);
	};
	return paginatorOf({ record, sources, run });
}

/** Makes the operation that adds tags or segments to a person, or removes them. */
export function runListChange(field: ReferenceList, change: 'add' | 'remove'): Paginator {
	const run = async (item: Item) => {
		const chosen = await chosenIris(item, field);
		return await changeRecord(item, record, (person): IDataObject => {
			if (change === 'add') return changesTo(record, person, { [field]: chosen }, ADDED_TO_LISTS);
			const before = entriesShown(record, field, person[field]) as string[];
			const after = differenceBy(before, chosen, (tag) => referenceKey(tag, `/${field}`));
			return after.length === before.length ? {} : { [field]: after };
		});
	};
	return paginatorOf({ record, run });
}

async function chosenIris(item: Item, field: ReferenceList): Promise<string[]> {
	const value = item.context.getNodeParameter(field, []);
	const given = referencesIn(value);
	if (given.length === 0) {
		throw new UnusableParameter(
			`${labelOf(field)} is empty`,
			`${item.adviceOn(`/${field}`)}. An expression must give at least one for every item`,
		);
	}
	const chosen = new Set<string>();
	const references = await oneTitleOr(given, { item, value, collection: `/${field}` });
	for (const iri of await item.iris(references, `/${field}`)) {
		if ('expected' in iri) {
			throw unusableReference(labelOf(field), iri, item.adviceOn(`/${field}`));
		}
		chosen.add(iri.value);
	}
	return [...chosen];
}
