import type { IDataObject } from 'n8n-workflow';
import { bodyOf } from '../../run/body';
import type { Item } from '../../run/item';
import { paginatorOf } from '../../run/item';
import { ADDED_TO_LISTS, changesTo } from '../../run/merge';
import type { Source } from '../../run/labels';
import { labelOf } from '../../schema/label';
import type { Paginator } from '../../run/specification';
import { specifyBody } from '../../run/specification';
import { recordToChange, targetOf, withTarget } from '../../run/target';
import { writeRecord } from '../../run/write';
import { personRecord } from './record';

type ContactList = 'emailAddresses' | 'phoneNumbers';

/** The entry that an item adds, from the parameters of the operation. */
const ENTRIES: Record<ContactList, (context: Item['context']) => IDataObject> = {
	emailAddresses: (context) => ({ email: context.getNodeParameter('email', '') as string }),
	phoneNumbers: (context) => ({
		phoneNumber: context.getNodeParameter('phoneNumber', '') as string,
		phoneType: context.getNodeParameter('phoneType', 'mobile') as string,
	}),
};

/**
 * Adds an e-mail address or a phone number to a person, where it is not there yet, however it is
 * written. The person is read immediately before, as for tags and segments.
 */
export function runAddContact(list: ContactList): Paginator {
	const record = personRecord;
	const specification = specifyBody(record, 'update', { required: [list] });
	const run = async (item: Item) => {
		const entry = ENTRIES[list](item.context);
		const sources = Object.entries(entry).map(
			([part, value]): Source => ({ field: list, label: labelOf(part), gave: 'part', part, value }),
		);
		const body = await bodyOf(item, specification, { [list]: [entry] }, () => sources);
		const changesOf = (person: IDataObject) => changesTo(record, person, body, ADDED_TO_LISTS);
		const target = await targetOf(item, (person) =>
			Object.keys(changesOf(person)).length === 0 ? 'leave' : 'change',
		);
		const client = await item.begin();
		return await withTarget(item, client, { record, target }, async (located) => {
			const current = await recordToChange(client, record, located);
			return [await writeRecord(client, record, { located, sent: changesOf(current), current })];
		});
	};
	return paginatorOf({ record, run });
}
