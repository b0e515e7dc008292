import type { Page } from '../../../nodes/ContactTaskCrm/http/paging';
import { pageOf } from '../../../nodes/ContactTaskCrm/http/paging';
import { accountOf } from '../../../nodes/ContactTaskCrm/crm/tenant';
import { readTitledList } from '../../../nodes/ContactTaskCrm/crm/wholeLists';
import { RunStopped, ServiceError } from '../../../nodes/ContactTaskCrm/util/failures';

const workspaces = (count: number) =>
	Array.from({ length: count }, (_, index) => ({
		'@id': `/workspaces/w${index}`,
		title: `Workspace ${index}`,
	}));

const part = <T>(list: T[], page: number, size: number) =>
	list.slice((page - 1) * size, page * size);

const NEXT = { next: '?page=' };
const ALL = workspaces(40);
const FULL = workspaces(30);
const MANY = workspaces(1_000);

type PageFor = (page: number, size: number) => object;

const counted: PageFor = (page) => ({ member: part(ALL, page, 15), totalItems: 40 });
const linked: PageFor = (page) => ({ member: part(ALL, page, 15), view: page < 3 ? NEXT : {} });
const full: PageFor = (page, size) => ({ member: part(FULL, page, size), totalItems: 30 });
const long: PageFor = (page, size) => ({ member: part(MANY, page, size), totalItems: 1_000 });

it.each<[string, PageFor, number, number]>([
	['with short pages and a total', counted, 3, 40],
	['with short pages that name the next page', linked, 3, 40],
	['of bare arrays', (page, size) => part(ALL, page, size), 2, 40],
	['with a full last page', full, 1, 30],
	['that repeats its first page', () => ({ member: FULL }), 2, 30],
	['of 1,000 records', long, 20, 600],
])(
	'From a list %s, the node reads all titles of at most twenty pages',
	async (list, pageFor, pages, titles) => {
		const { tenant } = accountOf({ baseUrl: 'https://crm.example.com', apiKey: list });
		const asked: number[] = [];
		const readPage = async (query: ReadonlyArray<readonly [string, string]>) => {
			const { page = '1', itemsPerPage } = Object.fromEntries(query);
			asked.push(Number(page));
			return await Promise.resolve(pageOf(pageFor(Number(page), Number(itemsPerPage))) as Page);
		};
		await readTitledList(tenant, '/workspaces', { isComplete: false, readPage });
		expect(asked).toEqual(Array.from({ length: pages }, (_page, index) => index + 1));
		const { directory } = tenant;
		expect(directory.entries('/workspaces')).toHaveLength(titles);
		expect(directory.listedTitleOf('/workspaces/w29', '/workspaces')).toBe('Workspace 29');
	},
);

it('After a read of all users, the node keeps what an unnamed user owns', () => {
	const { directory } = accountOf({ baseUrl: 'https://crm.example.com', apiKey: 'users' }).tenant;
	const workspace = { '@id': '/workspaces/w1', title: 'Onboarding', owner: '/users/u1' };
	directory.notice([workspace], '/workspaces');
	directory.keepWhole('/users', [{ '@id': '/users/u1' }, { '@id': '/users/u2', name: 'Eva' }]);
	expect(directory.entries('/users')).toEqual([
		{ iri: '/users/u2', title: 'Eva' },
		{ iri: '/users/u1', title: '', relations: ['owns Onboarding'] },
	]);
});

describe('the time until the node reads a list of titles again', () => {
	beforeEach(() => jest.useFakeTimers());
	afterEach(() => jest.useRealTimers());

	type Read = () => Promise<Page | undefined>;
	const whole: Read = async () => await Promise.resolve(pageOf({ member: FULL, totalItems: 30 }));
	const noSlot: Read = async () => await Promise.resolve(undefined);
	const stopped: Read = async () => await Promise.reject(new RunStopped());
	const refused =
		(httpCode: string): Read =>
		async () =>
			await Promise.reject(
				new ServiceError({ message: 'No', advice: 'None', code: 'refused', httpCode }),
			);

	it.each<[string, number, '/tags' | '/workspaces', { isComplete: boolean; readPage: Read }]>([
		['all titles', 60, '/workspaces', { isComplete: true, readPage: whole }],
		['all but a wanted title', 10, '/workspaces', { isComplete: false, readPage: whole }],
		['all but a wanted tag', 60, '/tags', { isComplete: false, readPage: whole }],
		['no slot', 1, '/workspaces', { isComplete: false, readPage: noSlot }],
		['HTTP 500', 1, '/workspaces', { isComplete: false, readPage: refused('500') }],
		['HTTP 400', 10, '/workspaces', { isComplete: false, readPage: refused('400') }],
		['HTTP 404', 10, '/workspaces', { isComplete: false, readPage: refused('404') }],
		['HTTP 404 for tags', 60, '/tags', { isComplete: false, readPage: refused('404') }],
		['a stopped run', 0, '/workspaces', { isComplete: false, readPage: stopped }],
	])(
		'If reading titles ended with %s, the node reads again after %d minutes',
		async (end, minutes, path, { isComplete, readPage }) => {
			const { tenant } = accountOf({ baseUrl: 'https://crm.example.com', apiKey: `again ${end}` });
			let reads = 0;
			const read = async () => {
				const counted: Read = async () => {
					reads++;
					return await readPage();
				};
				await readTitledList(tenant, path, { isComplete, readPage: counted });
				return reads;
			};
			expect(await read()).toBe(1);
			if (minutes > 0) {
				jest.advanceTimersByTime(minutes * 60_000 - 1);
				expect(await read()).toBe(1);
				jest.advanceTimersByTime(1);
			}
			expect(await read()).toBe(2);
		},
	);
});
