import { cellOf, flat, named, namedList } from '../../../nodes/ContactTaskCrm/run/flat';
import type { TitleOf } from '../../../nodes/ContactTaskCrm/run/specification';
import { person } from '../../../nodes/ContactTaskCrm/schema/person';
import { task } from '../../../nodes/ContactTaskCrm/schema/task';
import { COLUMNS } from '../../../nodes/ContactTaskCrm/tenant/directory';

const TITLES: Record<string, string> = {
	'/users/1': 'Eva de Vries',
	'/segments/a41b': 'Red, hot; new',
	'/workspaces/5c1f': 'Sales',
	'/workspaces/5c1f/columns/12ab': 'Won',
};
const titleOf: TitleOf = (reference) => TITLES[String(reference)];

describe('a reference', () => {
	it.each<[unknown, string, unknown]>([
		['/users/1', '/users', 'Eva de Vries'],
		['/users/2', '/users', '2'],
		['https://crm.example.com/api/users/2', '/users', '2'],
		[{ '@id': '/users/2', name: 'Ada' }, '/users', 'Ada'],
		[{ '@id': '/.well-known/genid/7', id: '2' }, '/users', '2'],
		[{ '@id': '/people/2', familyName: 'Berg' }, '/people', '2'],
		['/workspaces/5c1f/columns/12ab', COLUMNS, 'Won'],
		['/workspaces/5c1f/columns/x', COLUMNS, '/workspaces/5c1f/columns/x'],
		[null, '/users', null],
		[undefined, '/users', null],
	])('%j into %s is %j', (reference, collection, shown) => {
		expect(named(reference as never, collection, titleOf)).toEqual(shown);
	});

	it('stands in a list without commas and semicolons of its own', () => {
		const list = ['/segments/a41b', { id: 'x' }];
		expect(namedList(list as never, '/segments', titleOf)).toBe('Red hot new, x');
		expect([namedList([], '/segments', titleOf), namedList(null, '/segments', titleOf)]).toEqual([
			'',
			null,
		]);
	});
});

describe('the fields that were chosen', () => {
	it('are the same columns, whether or not the service shows them', () => {
		const names = ['id', 'address', 'emailAddresses', 'owner', 'tags', 'jobTitle', 'isTracked'];
		const eva = {
			id: 'x',
			address: { city: 'Utrecht', country: 'NL' },
			emailAddresses: [{ email: 'a@x.nl' }, { email: null }, { email: 'b@x.nl' }],
			owner: '/users/1',
			tags: { 1: '/tags/a', 4: '/tags/b' },
			isTracked: false,
		};
		const row = flat(eva as never, names, person, titleOf);
		expect(row).toEqual({
			...{ id: 'x', street: null, postalCode: null, city: 'Utrecht', country: 'NL' },
			...{ emailAddresses: 'a@x.nl, b@x.nl', owner: 'Eva de Vries', tags: 'a, b' },
			...{ jobTitle: null, isTracked: false },
		});
		const nobody = flat({ id: 'y' }, names, person, titleOf);
		expect(Object.keys(nobody)).toEqual(Object.keys(row));
		expect(Object.values(nobody)).toEqual(['y', ...Array(9).fill(null)]);
	});

	it('tell where a task stands by ID and by title, and those who are linked to it by ID', () => {
		const call = {
			status: '/workspaces/5c1f/columns/12ab',
			workspace: { '@id': '/workspaces/5c1f', title: 'Sales' },
			people: ['/people/1', { '@id': '/people/2', familyName: 'Berg' }],
			recurringSettings: { rrule: 'FREQ=DAILY' },
		};
		const names = ['status', 'workspace', 'people', 'recurringSettings', 'parent'];
		expect(flat(call as never, names, task, titleOf)).toEqual({
			...{ status: call.status, statusTitle: 'Won', workspace: '5c1f', workspaceTitle: 'Sales' },
			...{ people: '1, 2', recurringSettings: '{"rrule":"FREQ=DAILY"}', parent: null },
		});
	});

	it.each<[unknown, unknown]>([
		[0, 0],
		[false, false],
		['text', 'text'],
		[undefined, null],
		[[0, false, null, 'a'], '0, false, a'],
		[[], ''],
		[[{ field: 'title' }], '[{"field":"title"}]'],
		[{}, '{}'],
	])('of another kind that hold %j are %j in one cell', (value, cell) => {
		expect(cellOf(value as never)).toEqual(cell);
	});
});
