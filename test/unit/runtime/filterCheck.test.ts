import { person } from '../../../nodes/ContactTaskCrm/contract/person';
import { workspace } from '../../../nodes/ContactTaskCrm/contract/workspace';
import { assertFiltered, meetsFilter } from '../../../nodes/ContactTaskCrm/runtime/filterCheck';

const meets = (name: string, record: Record<string, unknown>, ...values: string[]) =>
	meetsFilter(record, { ...workspace.filters, ...person.filters }[name], values);

const EDGE = '2026-01-31T12:00:00Z';

describe('a record that shows a point in time', () => {
	it.each([
		['at the bound', '2026-01-31T12:00:00Z', true],
		[
			'in the same second, of which a service may drop the fraction',
			'2026-01-31T11:59:59.5Z',
			true,
		],
		['a second before it', '2026-01-31T11:59:59Z', false],
		['after it in another zone', '2026-01-31T09:00:00-04:00', true],
		['before it in another zone', '2026-01-31T13:00:00+02:00', false],
		['before it without a zone, within what zones differ by', '2026-01-31T00:00:00', true],
		['as a day without a zone, within what zones differ by', '2026-01-31', true],
		['a day before it without a zone', '2026-01-30T11:00:00', false],
		['in a form that cannot be read, which shows nothing', '31/01/2026', true],
		['as nothing, though what is filtered by is set', null, false],
	])('may be there with a filter on the time after, %s', (_, createdAt, isMet) => {
		expect(meets('createdAtAfter', { createdAt }, EDGE)).toBe(isMet);
	});

	it.each([
		['2026-01-31T12:00:00Z', true],
		['2026-01-31T13:00:00Z', false],
		['2026-01-31T13:00:00+02:00', true],
	])('may be there with a filter on the time before: %s', (createdAt, isMet) => {
		expect(meets('createdAtBefore', { createdAt }, EDGE)).toBe(isMet);
	});
});

describe('a record that shows texts', () => {
	it.each([
		[
			'a part, whatever the case and accents',
			'title',
			{ title: 'Ventes à Québec' },
			['QUEBEC'],
			true,
		],
		['one of several texts', 'title', { title: 'Sales' }, ['support', 'sales'], true],
		['none of them', 'title', { title: 'Sales' }, ['support'], false],
		['no text', 'title', { title: null }, ['support'], false],
		[
			'an address of a list that is a map',
			'emailAddressesEmail',
			{ emailAddresses: { 2: { email: 'Eva@Example.com' } } },
			['eva@example.com'],
			true,
		],
		[
			'a phone number in another spelling',
			'identifiers',
			{ phoneNumbers: [{ phoneNumber: '020 123 45 67' }] },
			['+31 (0)20 1234567'],
			true,
		],
		[
			'another phone number',
			'identifiers',
			{ phoneNumbers: [{ phoneNumber: '020 123 45 67' }] },
			['+31 20 7654321'],
			false,
		],
	])('may be there with a filter on %s', (_, name, record, values, isMet) => {
		expect(meets(name, record, ...values)).toBe(isMet);
	});
});

describe('a record that refers to others', () => {
	it.each([
		['its IRI', { tags: ['/tags/7c1e'] }, true],
		['an IRI below the path of the service', { tags: ['/api/tags/7c1e'] }, true],
		['an embedded record', { tags: [{ id: '7c1e', title: 'VIP' }] }, true],
		['a map', { tags: { 3: '/tags/7c1e' } }, true],
		['another tag', { tags: ['/tags/7c1'] }, false],
		['none', { tags: [] }, false],
		['nothing', {}, false],
	])('may be there with a filter on a tag that it shows as %s', (_, record, isMet) => {
		expect(meets('tagsId', record, '7c1e')).toBe(isMet);
	});
});

describe('a record that may be archived', () => {
	it.each([
		['true', '2026-01-31T12:00:00Z', true],
		['true', null, false],
		['true', undefined, false],
		['false', undefined, true],
		['false', '2026-01-31T12:00:00Z', false],
	])('may be there with the filter %s where it shows %j', (value, archivedAt, isMet) => {
		expect(meets('existsArchivedAt', { archivedAt }, value)).toBe(isMet);
	});
});

describe('a page', () => {
	const tag = { filter: person.filters.tagsId, values: ['7c1e'] };

	it('is refused where one of its records does not meet a filter, with the name of the filter', () => {
		const records = [{ tags: ['/tags/7c1e'] }, { tags: [] }];
		expect(() => assertFiltered(records, [tag], person)).toThrow(
			'Tag: the service returned people that do not meet the filter',
		);
		expect(() => assertFiltered([records[0]], [tag], person)).not.toThrow();
	});

	it('is not held against a search, of which no field shows whether it was made', () => {
		const search = { filter: person.filters.q, values: ['eva'] };
		expect(() => assertFiltered([{ familyName: 'Jansen' }], [search], person)).not.toThrow();
	});
});
