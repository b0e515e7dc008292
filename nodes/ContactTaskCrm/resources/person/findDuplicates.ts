import { sortBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { duplicatesAmong, type Group, type Kind, KINDS } from '../../lookup/duplicates';
import { readPeople } from '../../lookup/find';
import type { Item } from '../../run/item';
import { paginatorOf } from '../../run/paginator';
import { noteOf } from '../../run/list';
import type { Client } from '../../crm/client';
import { assertFiltered } from '../../crm/readList';
import { shownId } from '../../crm/records';
import { UnusableParameter } from '../../util/errors';
import { emailIn, personName } from '../../values/person';
import { mayBeTwoPeople } from '../../values/name';
import { quoted } from '../../values/text';
import { instantOf } from '../../values/time';
import { personRecord as record } from './record';
import { fieldNamesIn } from '../../values/list';

/**
 * Operation Find Duplicates: reads all active people. Returns an item for each group of people who share a value, such
 * as a phone number. Input items with the same choice in the parameter By share one read for a minute.
 */
export const runFindDuplicates = paginatorOf({ run: findDuplicates });

async function findDuplicates(item: Item): Promise<readonly unknown[]> {
	const kinds = kindsOf(item);
	const client = await item.begin();
	const question = JSON.stringify(['duplicates', kinds]);
	const groups = await item.run.readOnce(question, async () => {
		const people = await readActive(client);
		return duplicatesAmong(people, kinds).map((group) => shownGroup(group, people));
	});
	const note = item.run.isTool
		? noteOf({ records: groups, isCut: false }, 'duplicates')
		: undefined;
	return note ? [note.json] : groups;
}

/**
 * Returns the kinds of values to compare, from the parameter By.
 *
 * @throws UnusableParameter if By gives no kind of value, or an unknown one
 */
function kindsOf({ context }: Item): Kind[] {
	const given = fieldNamesIn(context.getNodeParameter('by', ''));
	if (given.length === 0) {
		throw new UnusableParameter('By is empty', 'Choose at least one kind of value');
	}
	const other = given.find((kind) => !KINDS.includes(kind as Kind));
	if (other === undefined) return KINDS.filter((kind) => given.includes(kind));
	throw new UnusableParameter(
		`By: expected one of ${KINDS.join(', ')}, got ${quoted(other)}`,
		'Choose from the list',
	);
}

/**
 * Returns all active people in the order of their creation. Reads them by page number: 3,000 people cost 100 requests.
 * If somebody archives people meanwhile, the pages shift, and the node reads the list once more.
 */
async function readActive(client: Client): Promise<IDataObject[]> {
	const { filters, orders } = record;
	const filter = filters.existsArchivedAt!;
	const values = ['false'];
	const people = await readPeople(client, {
		query: [
			[filter.query, 'false'],
			[orders.createdAt!, 'asc'],
		],
		limit: Infinity,
		check: (records) => assertFiltered(records, [{ filter, values }], record),
	});
	return sortBy(people, ({ createdAt }) => instantOf(createdAt) ?? Infinity);
}

/** Returns the output item for a group of people who share a value. */
function shownGroup({ members, share, sharedByMany }: Group, all: readonly IDataObject[]) {
	const people = members.map((member) => all[member]!);
	const mayDiffer = people.some((one) => people.some((other) => mayBeTwoPeople(one, other)));
	return {
		people: people.map((person) => shownId(person, record)!),
		names: people.map((person) => personName(person) || emailIn(person) || 'no name'),
		share: share.map(({ kind, value }) => ({ kind, value })),
		count: people.length,
		sharedByMany: sharedByMany.map(({ kind, value, holders }) => {
			return { kind, value, count: holders.length };
		}),
		...(mayDiffer && { note: 'The names may be those of several people' }),
	};
}
