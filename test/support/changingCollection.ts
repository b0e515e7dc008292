import { ListRead, pageOf } from '../../nodes/ContactTaskCrm/http/paging';

/** How a page is answered: the envelope of the interface, with a prefix, or without it. */
export type PageForm = 'envelope' | 'hydra' | 'bare' | 'withoutView' | 'withoutTotal';

export interface PageRequest {
	itemsPerPage: number;
	page: number;
}

/** Answers a request for a page from the records there are at the time. */
export function answerOf(
	records: readonly unknown[],
	{ itemsPerPage, page }: PageRequest,
	form: PageForm = 'envelope',
): unknown {
	const member = records.slice((page - 1) * itemsPerPage, page * itemsPerPage);
	if (form === 'bare') return member;
	const totalItems = records.length;
	const next = page * itemsPerPage < totalItems ? { next: `/people?page=${page + 1}` } : {};
	const view = { '@id': `/people?page=${page}`, '@type': 'PartialCollectionView', ...next };
	if (form === 'withoutView') return { member, totalItems };
	if (form === 'withoutTotal') return { member, view };
	if (form === 'envelope') return { '@context': '/contexts/Person', member, totalItems, view };
	const prefixed = Object.entries({ ...view, ...next }).map(([name, value]) => [
		name.startsWith('@') ? name : `hydra:${name}`,
		value,
	]);
	return {
		'hydra:member': member,
		'hydra:totalItems': totalItems,
		'hydra:view': Object.fromEntries(prefixed) as unknown,
	};
}

/** More requests than any read here may need. */
const FAR_TOO_MANY = 500;

export interface Read {
	records: readonly unknown[];
	requests: PageRequest[];
}

/** Reads up to the limit, each page answered as given, and keeps the requests that were made. */
export function readThrough(limit: number, answer: (request: PageRequest) => unknown): Read {
	const requests: PageRequest[] = [];
	const read = new ListRead(limit);
	while (!read.isDone) {
		if (requests.length === FAR_TOO_MANY) throw new Error('The read does not end');
		const query = new URLSearchParams(read.nextPageQuery());
		const request = {
			itemsPerPage: Number(query.get('itemsPerPage')),
			page: Number(query.get('page') ?? 1),
		};
		requests.push(request);
		const page = pageOf(answer(request));
		if (!page) throw new Error('The answer is no page');
		read.add(page);
	}
	return { records: read.records, requests };
}

/** Records with ids, as many as asked for. */
export function numbered(count: number, prefix = 'person'): Array<{ '@id': string; id: string }> {
	return Array.from({ length: count }, (_, index) => {
		const id = `${prefix}-${index}`;
		return { '@id': `/people/${id}`, id };
	});
}
