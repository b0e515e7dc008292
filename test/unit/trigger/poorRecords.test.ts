import type { IDataObject } from 'n8n-workflow';
import { firstState, withPage } from '../../../nodes/ContactTaskCrm/trigger/reading';
import { created, updated } from '../../../nodes/ContactTaskCrm/trigger/rules';
import type { TriggerState } from '../../../nodes/ContactTaskCrm/trigger/state';
import type { Watch } from '../../../nodes/ContactTaskCrm/trigger/watch';
import { watchOver } from './support/play';
import { Poller } from './support/poller';
import { Tenant } from './support/tenant';

const NOW = Date.UTC(2026, 0, 5, 9);

/** Gives a list as one page, and then another list as one page: what is told of the second. */
function told(watch: Watch, ...lists: IDataObject[][]): IDataObject[] {
	let state: TriggerState = firstState(watch);
	let happenings: IDataObject[] = [];
	for (const members of lists) {
		for (let isDone = false; !isDone; ) {
			const step = withPage(
				watch,
				state,
				{ members, totalItems: members.length, hasNext: false },
				NOW,
			);
			({ state, isDone } = step);
			happenings = step.happenings.map(({ record, before }) => ({ ...record, ...before }));
		}
	}
	return happenings;
}

const tasksCreated = watchOver('/tasks', 'newTasks', created);
const tasksUpdated = watchOver('/tasks', 'tasks', updated);
const peopleCreated = watchOver('/people', 'window', created);

describe('records that lack something', () => {
	it('are told of as created without a creation time', () => {
		expect(told(tasksCreated, [{ id: 'a' }], [{ id: 'a' }, { id: 'b' }])).toEqual([{ id: 'b' }]);
	});

	it('are told of as updated by their content, without a time of change', () => {
		const [before, after] = [
			{ id: 'a', title: 'One' },
			{ id: 'a', title: 'Two' },
		];
		expect(told(tasksUpdated, [before], [before])).toEqual([]);
		expect(told(tasksUpdated, [before], [after])).toEqual([after]);
	});

	it('are known by their IRI without an id', () => {
		const [one, other] = [{ '@id': '/tasks/a' }, { '@id': '/tasks/b' }];
		expect(told(tasksCreated, [one], [{ id: 'a' }, other])).toEqual([other]);
	});

	it('are left out without either', () => {
		expect(
			told(tasksCreated, [{ id: 'a' }], [{ id: 'a' }, { title: 'Who?' }, null as never]),
		).toEqual([]);
	});

	it('do not hide what comes, with a time that is far ahead', () => {
		const ahead = { id: 'a', createdAt: '2099-01-01T00:00:00Z' };
		const now = { id: 'b', createdAt: '2026-01-05T09:00:00Z' };
		for (const watch of [tasksCreated, peopleCreated]) {
			expect(told(watch, [ahead], [now, ahead])).toEqual([now]);
		}
	});

	it('may have times in any notation', () => {
		const known = {
			id: 'a',
			createdAt: '2026-01-05 08:00:00',
			updatedAt: '2026-01-05T09:00:00.000+01:00',
		};
		const same = { ...known, updatedAt: '2026-01-05T08:00:00Z' };
		expect(told(tasksUpdated, [known], [same])).toEqual([]);
	});
});

describe('an answer that is older than the one before', () => {
	it('is no change, and neither is the newer one after it', () => {
		const older = { id: 'a', updatedAt: '2026-01-05T08:00:00Z' };
		const newer = { id: 'a', updatedAt: '2026-01-05T08:30:00Z' };
		expect(told(tasksUpdated, [newer], [older])).toEqual([]);
		expect(told(tasksUpdated, [newer], [older], [newer])).toEqual([]);
	});
});

describe('a list whose pages repeat themselves', () => {
	it.each([
		['/tasks', 'tasks'],
		['/tasks', 'newTasks'],
		['/people', 'people'],
		['/people', 'window'],
	] as const)('comes to an end: %s as %s', (path, reading) => {
		const tenant = new Tenant({
			order: 'oldestFirst',
			hidesArchived: false,
			isTimed: true,
			switches: { repeatFromPage: 2, ignoreFilters: true, ignoreOrder: true },
		});
		tenant.populate(20);
		const watch = watchOver(path, reading, created);
		const poller = new Poller(tenant, watch, 10, {});
		poller.settle();
		expect(poller.requests).toBeLessThan(60);
	});
});
