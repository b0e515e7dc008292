import { ContactTaskCrm } from '../../nodes/ContactTaskCrm/ContactTaskCrm.node';
import { contracts } from '../../nodes/ContactTaskCrm/schema';
import { type CollectionPath, EXAMPLES } from '../../nodes/ContactTaskCrm/values/reference';
import {
	COLUMNS,
	type RecordContract,
	titledCollection,
} from '../../nodes/ContactTaskCrm/schema/record';
import type { Client } from '../../nodes/ContactTaskCrm/crm/client';
import { NameTable } from '../../nodes/ContactTaskCrm/http/names';
import { accountOf } from '../../nodes/ContactTaskCrm/crm/tenant';
import { isSearched, TITLE_EXAMPLES } from '../../nodes/ContactTaskCrm/ui/locators';
import { byTitle } from '../../nodes/ContactTaskCrm/lookup/byTitle';

/** Collections with titles that are not unique, and with too many records to read. */
const TOO_MANY = ['/tasks'];

const { listSearch, loadOptions } = new ContactTaskCrm().methods;
const editorLists = Object.keys({ ...listSearch, ...loadOptions });

const all: RecordContract[] = Object.values(contracts);
const referredTo = all.flatMap(({ fields }) =>
	Object.values(fields).map((field) => field.refersTo),
);
const collections = new Set<CollectionPath | undefined>([
	...all.map(({ collection }) => collection),
	...referredTo,
]);

/** Returns whether users choose records of the collection from a list, by title only. */
function isChosenByTitle(collection: string): boolean {
	const own = all.find((contract) => contract.collection === collection);
	const name = collection.split('/').at(-1)!.toLowerCase();
	const isOfDropDown = editorLists.some((list) => list.toLowerCase().endsWith(name));
	const isListed = isSearched(collection) || isOfDropDown;
	return isListed && (own === undefined || 'title' in own.fields) && !TOO_MANY.includes(collection);
}

const titled = [...collections].flatMap((collection) =>
	collection && isChosenByTitle(collection) ? [collection] : [],
);

it('The node finds a record by title wherever the editor lists titles', async () => {
	expect(titled).toEqual(expect.arrayContaining(['/segments', '/tags', '/users', COLUMNS]));
	for (const collection of titled) {
		const column = { '@id': EXAMPLES[COLUMNS], title: 'One' };
		const record = { '@id': EXAMPLES[collection], title: 'One', columns: [column] };
		const client = {
			names: new NameTable(''),
			noteReads: () => undefined,
			tenant: accountOf({ baseUrl: 'https://crm.example.com', apiKey: collection }).tenant,
			page: async ({ path }: { path: string }) => {
				const workspace = { ...record, '@id': EXAMPLES['/workspaces'] };
				return await Promise.resolve({ members: [path === '/workspaces' ? workspace : record] });
			},
		};
		const known = titledCollection(collection);
		expect([collection, known]).toEqual([collection, collection]);
		const sought = { text: 'One', collection: known!, oldestRead: 0, within: [] };
		const found = await byTitle(client as unknown as Client, sought);
		expect([collection, found]).toEqual([collection, { value: EXAMPLES[collection] }]);
	}
});

it('Each collection that the editor lists by title has an example title for placeholders', () => {
	expect(Object.keys(TITLE_EXAMPLES).sort()).toEqual([...titled].sort());
});
