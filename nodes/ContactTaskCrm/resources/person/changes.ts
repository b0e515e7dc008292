import type { IDataObject } from 'n8n-workflow';
import { bodyOf } from '../../run/body';
import type { Item } from '../../run/item';
import { paginatorOf } from '../../run/item';
import type { Source } from '../../run/labels';
import { ADDED_TO_LISTS, changesTo } from '../../run/merge';
import { changeRecord } from '../../run/record';
import type { Paginator } from '../../run/specification';
import { specifyBody } from '../../run/specification';
import { labelOf } from '../../schema/label';
import { ExplainedError, UnusableParameter } from '../../util/errors';
import { comparableId, iriOf, valueOf } from '../../util/iri';
import { listOf, referencesIn } from '../../util/values';
import { personRecord as record } from './record';

/*
 * The interface replaces a list as a whole, so the node reads the person immediately before it writes the list.
 * Changes to one person take turns within the process. The interface has no conditional update, so a change by
 * another program between read and write is lost.
 */

type ContactList = 'emailAddresses' | 'phoneNumbers';
type ReferenceList = 'tags' | 'segments';

/** Functions that return the entry that an item adds, by the list. */
const ENTRIES: Record<ContactList, (context: Item['context']) => IDataObject> = {
	emailAddresses: (context) => ({ email: context.getNodeParameter('email', '') as string }),
	phoneNumbers: (context) => ({
		phoneNumber: context.getNodeParameter('phoneNumber', '') as string,
		phoneType: context.getNodeParameter('phoneType', 'mobile') as string,
	}),
};

/** Adds an e-mail address or phone number, unless the person already has it in some spelling. */
export function runAddContact(list: ContactList): Paginator {
	const specification = specifyBody(record, 'update', { required: [list] });
	const run = async (item: Item) => {
		const entry = ENTRIES[list](item.context);
		const sources = Object.entries(entry).map(
			([part, value]): Source => ({ field: list, label: labelOf(part), gave: 'part', part, value }),
		);
		const body = await bodyOf(item, specification, { [list]: [entry] }, () => sources);
		const changesOf = (person: IDataObject) => changesTo(record, person, body, ADDED_TO_LISTS);
		return await changeRecord(item, record, changesOf);
	};
	return paginatorOf({ record, run });
}

/** Adds tags or segments to a person, or removes them. */
export function runListChange(field: ReferenceList, change: 'add' | 'remove'): Paginator {
	const run = async (item: Item) => {
		const chosen = await chosenIris(item, field);
		return await changeRecord(item, record, (person): IDataObject => {
			const before = irisShown(person, field);
			const after =
				change === 'add' ? [...before, ...without(chosen, before)] : without(before, chosen);
			return after.length === before.length ? {} : { [field]: after };
		});
	};
	return paginatorOf({ record, run });
}

function without(iris: string[], others: string[]): string[] {
	const left = new Set(others.map(comparableId));
	return iris.filter((iri) => !left.has(comparableId(iri)));
}

async function chosenIris(item: Item, field: ReferenceList): Promise<string[]> {
	const given = referencesIn(item.context.getNodeParameter(field, []));
	if (given.length === 0) {
		throw new UnusableParameter(
			`${labelOf(field)} is empty`,
			`${item.adviceOn(`/${field}`)}. An expression must give at least one for every item`,
		);
	}
	const chosen = new Set<string>();
	for (const reference of given) {
		const iri = await item.iri(reference, `/${field}`);
		if ('expected' in iri) {
			throw new UnusableParameter(`${labelOf(field)}: ${iri.expected}`, item.adviceOn(`/${field}`));
		}
		chosen.add(iri.value);
	}
	return [...chosen];
}

/**
 * Returns the IRIs of a person's tags or segments.
 *
 * @throws ExplainedError if the node cannot read the list, because a write would then overwrite it
 */
function irisShown(person: IDataObject, field: ReferenceList): string[] {
	const iris = listOf(person[field])?.map((entry) => valueOf(iriOf(entry, `/${field}`)));
	if (iris?.every((iri) => iri !== undefined)) return iris;
	throw new ExplainedError(
		`The service does not show the ${field} of the person "${String(person.id ?? person['@id'])}" in a form that can be read`,
		'Nothing was written, because the write would replace the whole list. To replace it, use Update',
	);
}
