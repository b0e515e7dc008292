import { Directory } from '../../../nodes/ContactTaskCrm/directory/directory';
import { readWhole } from '../../../nodes/ContactTaskCrm/directory/readWhole';
import type { Page } from '../../../nodes/ContactTaskCrm/transport/paging';
import { pageOf } from '../../../nodes/ContactTaskCrm/transport/paging';

const workspaces = (count: number) =>
	Array.from({ length: count }, (_, index) => ({
		'@id': `/workspaces/w${index}`,
		title: `Workspace ${index}`,
	}));

/** Reads the titles of all workspaces from a service that answers pages in its own way. */
async function titlesFrom(pageFor: (page: number, asked: number) => object) {
	const directory = new Directory();
	const asked: number[] = [];
	const readPage = async (query: ReadonlyArray<readonly [string, string]>) => {
		const { page = '1', itemsPerPage } = Object.fromEntries(query);
		asked.push(Number(page));
		return pageOf(pageFor(Number(page), Number(itemsPerPage))) as Page;
	};
	await readWhole(directory, '/workspaces', { isComplete: false, readPage, now: 0 });
	return { asked, titles: directory.entries('/workspaces').length };
}

const part = <T>(list: T[], page: number, size: number) =>
	list.slice((page - 1) * size, page * size);

describe('a list that is read for the titles of its records', () => {
	const all = workspaces(40);

	test.each([
		['says how many there are', (members: object[]) => ({ member: members, totalItems: 40 })],
		[
			'names the next page',
			(members: object[], page: number, size: number) => ({
				member: members,
				view: { '@id': '/workspaces', ...(page * size < 40 ? { next: `?page=${page + 1}` } : {}) },
			}),
		],
	])('is read to its end where the service gives fewer a page, and %s', async (_, envelope) => {
		const { asked, titles } = await titlesFrom((page) => envelope(part(all, page, 15), page, 15));
		expect(titles).toBe(40);
		expect(asked).toEqual([1, 2, 3]);
	});

	test('is read to its end where the service gives bare pages', async () => {
		const { asked, titles } = await titlesFrom((page, size) => part(all, page, size));
		expect(titles).toBe(40);
		expect(asked).toEqual([1, 2]);
	});

	test('costs no page behind the last, be that full', async () => {
		const full = workspaces(30);
		const { asked } = await titlesFrom((page, size) => ({
			member: part(full, page, size),
			totalItems: 30,
		}));
		expect(asked).toEqual([1]);
	});

	test('costs two requests, and not a minute of them, where each page is the first', async () => {
		const { asked, titles } = await titlesFrom(() => ({ member: all.slice(0, 30) }));
		expect(asked).toEqual([1, 2]);
		expect(titles).toBe(30);
	});

	test('costs twenty requests at most', async () => {
		const many = workspaces(1_000);
		const { asked, titles } = await titlesFrom((page, size) => ({
			member: part(many, page, size),
			totalItems: many.length,
		}));
		expect(asked).toHaveLength(20);
		expect(titles).toBe(600);
	});
});
