import type { IDataObject } from 'n8n-workflow';
import { keysOf } from '../../lookups/people/match';
import { addToLists } from '../../runtime/addToLists';
import { bodyOf } from '../../runtime/body';
import type { Item } from '../../runtime/item';
import { paginatorOf } from '../../runtime/item';
import { ADDED_TO_LISTS, changesTo } from '../../runtime/merge';
import { outputFormOf, withResult } from '../../runtime/output';
import type { Paginator } from '../../runtime/specification';
import { specifyBody } from '../../runtime/specification';
import { targetOf } from '../../runtime/target';
import { personRecord } from './output';
import { writeChanges } from './writeChanges';

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
	const specification = specifyBody(personRecord, 'update', { required: [list] });
	return paginatorOf((item, run) => {
		const form = withResult(outputFormOf(item, personRecord, 'write'));
		const given = { [list]: [ENTRIES[list](item.context)] };
		const body = bodyOf({ ...item, request: { ...item.request, body: given } }, specification);
		const { targets, whenEnded, use } = targetOf(item, run, personRecord, (person) =>
			isThere(person, body) ? 'leave' : 'change',
		);
		return {
			targets,
			whenEnded,
			form,
			isRepeatable: true,
			send: async (connection, place) =>
				await use(connection, place, async (located) => {
					const person = await addToLists(connection, personRecord, located, {
						body,
						lists: [list],
						write: async ({ body: changes, current }) =>
							await writeChanges(connection, located, { changes, current, keys: keysOf(body) }),
					});
					return [person];
				}),
		};
	});
}

/** Whether a person has an entry already. */
function isThere(person: IDataObject, body: IDataObject): boolean {
	return Object.keys(changesTo(personRecord, person, body, ADDED_TO_LISTS)).length === 0;
}
