import type { QueryPair } from '../../../nodes/ContactTaskCrm/trigger/watch';
import { startService } from '../../service';
import { connect } from '../../service/client';
import { Tenant } from './support/tenant';

/** The tenant of the property tests answers as the stand-in service does over HTTP. */
describe('the tenant without an HTTP server', () => {
	const tenant = new Tenant({
		order: 'oldestFirst',
		hidesArchived: false,
		isTimed: true,
		switches: {},
	});
	tenant.populate(7);
	tenant.updatePerson([...tenant.store.people.keys()][2], { archivedAt: tenant.timestamp });
	const from = tenant.person([...tenant.store.people.keys()][3]).createdAt.replace('+00:00', 'Z');

	const queries: Array<[path: string, query: QueryPair[]]> = [
		['/people', [['itemsPerPage', '3']]],
		[
			'/people',
			[
				['itemsPerPage', '3'],
				['page', '3'],
			],
		],
		[
			'/people',
			[
				['itemsPerPage', '3'],
				['page', '9'],
			],
		],
		[
			'/people',
			[
				['order[createdAt]', 'desc'],
				['itemsPerPage', '3'],
			],
		],
		[
			'/people',
			[
				['createdAt[after]', from],
				['order[createdAt]', 'asc'],
				['itemsPerPage', '30'],
			],
		],
		[
			'/people',
			[
				['segments.uuid', tenant.segment],
				['itemsPerPage', '2'],
				['page', '2'],
			],
		],
		[
			'/tasks',
			[
				['itemsPerPage', '3'],
				['page', '2'],
			],
		],
		[
			`/tasks/${tenant.task}/comments`,
			[
				['itemsPerPage', '3'],
				['page', '3'],
			],
		],
		[`/tasks/${tenant.task}/history`, [['itemsPerPage', '3']]],
	];

	it.each(queries)('answers %s %j as the service does', async (path, query) => {
		const service = await startService({ seed: false, switches: { rateLimit: { mode: 'off' } } });
		try {
			Object.assign(service.store, tenant.store);
			const search = query.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
			const { body } = await connect(service)('GET', `${path}?${search}`, {
				accept: 'application/ld+json',
			});
			// The parameters that could be searched by are none that paging depends on.
			expect(tenant.answer(path, query)).toEqual({ ...body, search: undefined });
		} finally {
			await service.close();
		}
	});
});
