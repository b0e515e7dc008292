import { filterQuery, filtersOf } from '../../../nodes/ContactTaskCrm/run/query';
import { contracts } from '../../../nodes/ContactTaskCrm/schema';
import { itemOf } from '../../support/itemContext';

async function query(filters: object) {
	const item = itemOf({ parameters: { filters } });
	return filterQuery(await filtersOf(item, contracts.person.filters));
}

describe('a filter', () => {
	it.each<[object, Array<[string, string]>]>([
		[{ tagsId: ['1'] }, [['tags.id', '1']]],
		[
			{ tagsId: '1, /tags/2' },
			[
				['tags.id[]', '1'],
				['tags.id[]', '2'],
			],
		],
		[{ ownerId: { '@id': '/users/5' } }, [['owner.id', '5']]],
		[
			{ ownerId: [{ id: 5 }, 6] },
			[
				['owner.id[]', '5'],
				['owner.id[]', '6'],
			],
		],
		[{ q: '', ownerId: '', tagsId: [], segmentsUuid: undefined }, []],
		[{ q: ['jansen'] }, [['q', 'jansen']]],
		[{ q: 'Jansen, Jan' }, [['q', 'Jansen, Jan']]],
		[{ existsArchivedAt: 'TRUE' }, [['exists[archivedAt]', 'true']]],
		[{ createdAtAfter: '2026-07-01T10:00:00' }, [['createdAt[after]', '2026-07-01T08:00:00Z']]],
	])('of %j goes out as %j', async (filters, expected) => {
		expect(await query(filters)).toEqual(expected);
	});

	it.each<[object, string]>([
		[{ ownerId: 'a/b' }, 'Owner: expected an ID, got "a/b"'],
		[{ ownerId: { name: 'x' } }, 'Owner: expected an ID, got {"name":"x"}'],
		[{ createdAtAfter: 'soon' }, 'expected a date such as 2026-12-31 or 2026-12-31T17:00:00Z'],
		[{ existsArchivedAt: 'maybe' }, 'Archived: expected true or false, got "maybe"'],
		[{ q: ['jansen', 'smit'] }, 'Search: expected one value, got 2'],
	])('that cannot be read is refused, since it would be ignored: %j', async (filters, message) => {
		await expect(query(filters)).rejects.toThrow(message);
	});
});
