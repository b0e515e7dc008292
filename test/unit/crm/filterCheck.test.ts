import { person } from '../../../nodes/ContactTaskCrm/schema/person';
import { workspace } from '../../../nodes/ContactTaskCrm/schema/workspace';
import { assertFiltered } from '../../../nodes/ContactTaskCrm/crm/readList';
import { meetsFilter } from '../../../nodes/ContactTaskCrm/schema/filter';

const meets = (name: string, record: Record<string, unknown>, ...values: string[]) =>
	meetsFilter(record, { ...workspace.filters, ...person.filters }[name], values);

const UUID = '1f0c3b52-7d0e-4c7a-9a55-0b6f8d1c2e3f';
const EDGE = '2026-01-31T12:00:00Z';

it.each<[string, Record<string, unknown>, string[], boolean]>([
	['createdAtAfter', { createdAt: '2026-01-31T12:00:00Z' }, [EDGE], true],
	// A service may drop the fraction of a second.
	['createdAtAfter', { createdAt: '2026-01-31T11:59:59.5Z' }, [EDGE], true],
	['createdAtAfter', { createdAt: '2026-01-31T11:59:59Z' }, [EDGE], false],
	['createdAtAfter', { createdAt: '2026-01-31T09:00:00-04:00' }, [EDGE], true],
	['createdAtAfter', { createdAt: '2026-01-31T13:00:00+02:00' }, [EDGE], false],
	// A time without a zone may differ by the range of time zones.
	['createdAtAfter', { createdAt: '2026-01-31T00:00:00' }, [EDGE], true],
	['createdAtAfter', { createdAt: '2026-01-31' }, [EDGE], true],
	['createdAtAfter', { createdAt: '2026-01-30T11:00:00' }, [EDGE], false],
	// An unreadable form proves nothing.
	['createdAtAfter', { createdAt: '31/01/2026' }, [EDGE], true],
	['createdAtAfter', { createdAt: null }, [EDGE], false],
	['createdAtBefore', { createdAt: '2026-01-31T12:00:00Z' }, [EDGE], true],
	['createdAtBefore', { createdAt: '2026-01-31T13:00:00Z' }, [EDGE], false],
	['title', { title: 'Ventes à Québec' }, ['QUEBEC'], true],
	['title', { title: 'Sales' }, ['support', 'sales'], true],
	['title', { title: 'Sales' }, ['support'], false],
	['title', { title: null }, ['support'], false],
	['emailAddressesEmail', { emailAddresses: { 2: { email: 'Eva@Ex.nl' } } }, ['eva@ex.nl'], true],
	[
		'identifiers',
		{ phoneNumbers: [{ phoneNumber: '020 123 45 67' }] },
		['+31 (0)20 1234567'],
		true,
	],
	['identifiers', { phoneNumbers: [{ phoneNumber: '020 123 45 67' }] }, ['+31 20 7654321'], false],
	['tagsId', { tags: ['/tags/7c1e'] }, ['7c1e'], true],
	['tagsId', { tags: ['/api/tags/7c1e'] }, ['7c1e'], true],
	['tagsId', { tags: [{ id: '7c1e', title: 'VIP' }] }, ['7c1e'], true],
	['tagsId', { tags: { 3: '/tags/7c1e' } }, ['7c1e'], true],
	['tagsId', { tags: [`/tags/${UUID}`] }, [UUID.toUpperCase()], true],
	['tagsId', { tags: ['/tags/7c1'] }, ['7c1e'], false],
	['tagsId', { tags: [] }, ['7c1e'], false],
	['tagsId', {}, ['7c1e'], false],
	['existsArchivedAt', { archivedAt: EDGE }, ['true'], true],
	['existsArchivedAt', { archivedAt: null }, ['true'], false],
	['existsArchivedAt', {}, ['true'], false],
	['existsArchivedAt', {}, ['false'], true],
	['existsArchivedAt', { archivedAt: EDGE }, ['false'], false],
])('By the filter %s, the record %j meets the values %j: %p', (name, record, values, isMet) => {
	expect(meets(name, record, ...values)).toBe(isMet);
});

describe('a page', () => {
	const tag = { filter: person.filters.tagsId, values: ['7c1e'] };

	it('The node refuses a page with one wrong person, and names the unmet filter', () => {
		const records = [{ tags: ['/tags/7c1e'] }, { tags: [] }];
		expect(() => assertFiltered(records, [tag], person)).toThrow(
			'Tag: the service returned people that do not meet the filter',
		);
		expect(() => assertFiltered([records[0]], [tag], person)).not.toThrow();
	});

	it('The node never refuses a page because of the filter Search', () => {
		const search = { filter: person.filters.q, values: ['eva'] };
		expect(() => assertFiltered([{ familyName: 'Jansen' }], [search], person)).not.toThrow();
	});
});
