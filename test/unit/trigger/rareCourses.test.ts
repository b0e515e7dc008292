import type { IDataObject } from 'n8n-workflow';
import { addedTo, completed, created, isIn } from '../../../nodes/ContactTaskCrm/trigger/rules';
import type { Watch } from '../../../nodes/ContactTaskCrm/trigger/watch';
import { watchOver } from './support/play';
import { Poller } from './support/poller';
import type { ListHabits } from './support/tenant';
import { Tenant } from './support/tenant';

const HOUR_MS = 60 * 60_000;

/** A tenant, and a trigger that has read its list: what it tells from then on. */
function activated(
	habits: Partial<ListHabits>,
	prepare: (tenant: Tenant) => Watch,
	maxRequests = 10,
) {
	const tenant = new Tenant({
		order: 'oldestFirst',
		hidesArchived: false,
		isTimed: true,
		switches: {},
		...habits,
	});
	const watch = prepare(tenant);
	const told: string[] = [];
	const poller = new Poller(tenant, watch, maxRequests, {
		onStart: () => (tenant.now += 1000),
		onHandOver: (happenings) => told.push(...happenings.map(({ record }) => String(record.id))),
	});
	const poll = () => {
		const before = poller.requests;
		while (poller.page() === 'reading');
		tenant.now += 60_000;
		return poller.requests - before;
	};
	poller.settle();
	return { tenant, poller, told, poll };
}

describe('a segment with more people of one second than a page holds', () => {
	it('tells who comes in, and not who is skipped because another leaves', () => {
		const join = (tenant: Tenant, segments: string[]): string => {
			const id = tenant.createPerson();
			tenant.updatePerson(id, { segments });
			return id;
		};
		const { tenant, poller, told } = activated(
			{},
			(tenant) => {
				for (let count = 0; count < 9; count++) join(tenant, [`/segments/${tenant.segment}`]);
				return watchOver('/people', 'people', addedTo(tenant.segment), {
					membership: ['segments.uuid', tenant.segment],
					matches: (person) => isIn(tenant.segment, person),
				});
			},
			1,
		);
		poller.page();
		poller.page();
		tenant.updatePerson([...tenant.store.people.keys()][0], { segments: [] });
		const newcomer = join(tenant, [`/segments/${tenant.segment}`]);
		poller.settle();
		expect(told).toEqual([newcomer]);
	});
});

describe('what was there long before the activation and out of sight', () => {
	const hidden = { hidesArchived: true };
	const old = (tenant: Tenant, id: string, update: (id: string, fields: IDataObject) => void) => {
		update(id, { archivedAt: tenant.timestamp, completedAt: tenant.timestamp });
		tenant.now += HOUR_MS;
	};

	it.each([
		['taskCreated', 'newTasks', created],
		['taskCompleted', 'tasks', completed],
	] as const)('is not told by %s when it is restored', (_, reading, rule) => {
		const { tenant, poller, told } = activated(hidden, (tenant) => {
			old(tenant, tenant.createTask(), tenant.updateTask.bind(tenant));
			return watchOver('/tasks', reading, rule);
		});
		tenant.updateTask([...tenant.store.tasks.keys()][0], { archivedAt: null });
		poller.settle();
		expect(told).toEqual([]);
	});

	it('is not told by personCreated when it is restored', () => {
		const { tenant, poller, told } = activated(hidden, (tenant) => {
			old(tenant, tenant.createPerson(), tenant.updatePerson.bind(tenant));
			return watchOver('/people', 'window', created);
		});
		tenant.updatePerson([...tenant.store.people.keys()][0], { archivedAt: null });
		poller.settle();
		expect(told).toEqual([]);
	});
});

describe('one person dated hours ahead', () => {
	it('does not hide those who come after', () => {
		const { tenant, poll, told } = activated({}, (tenant) => {
			tenant.createPerson();
			return watchOver('/people', 'window', created);
		});
		const ids = [tenant.createPerson(-10 * HOUR_MS)];
		for (let count = 0; count < 10; count++) {
			poll();
			ids.push(tenant.createPerson());
		}
		poll();
		expect(told.sort()).toEqual(ids.sort());
	});
});

describe('an entry that comes while another goes', () => {
	it('is found, though the total stays as it was and there is no order', () => {
		const { tenant, poller, told } = activated({}, (tenant) => {
			for (let count = 0; count < 8; count++) tenant.addComment();
			return watchOver(`/tasks/${tenant.task}/comments`, 'entries', created);
		});
		tenant.store.comments.get(tenant.task)!.shift();
		const id = tenant.addComment();
		poller.settle();
		expect(told).toEqual([id]);
	});
});

describe('an import of hundreds of people', () => {
	it.each([
		['within a second', 0],
		['within a minute', 200],
	])('%s costs one request a poll from then on', (_, apartMs) => {
		const { poll } = activated({}, (tenant) => {
			for (let count = 0; count < 300; count++) {
				tenant.createPerson();
				tenant.now += apartMs;
			}
			return watchOver('/people', 'window', created, { pageSize: 30 });
		});
		// Until then somebody may still be stored late.
		for (let count = 0; count < 10; count++) poll();
		expect(Array.from({ length: 20 }, poll)).toEqual(Array.from({ length: 20 }, () => 1));
	});
});
