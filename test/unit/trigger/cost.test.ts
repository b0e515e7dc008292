import {
	addedTo,
	completed,
	created,
	moved,
	updated,
} from '../../../nodes/ContactTaskCrm/trigger/rules';
import type { Watch } from '../../../nodes/ContactTaskCrm/trigger/watch';
import { watchOver } from './support/play';
import { Poller } from './support/poller';
import { Tenant } from './support/tenant';

/** Requests that a poll sends at most unless the user says otherwise. */
const MAX_REQUESTS = 10;
const SIZES = [100, 1_000, 10_000];

interface Cost {
	/** Polls until the list was read once (twice, where that has to be confirmed). */
	pollsToBegin: number;
	/** Requests to read it once more, with nothing new. */
	requests: number;
	bytes: number;
}

function costOf(size: number, watchFor: (tenant: Tenant) => Watch): Cost {
	const tenant = new Tenant({
		order: 'oldestFirst',
		hidesArchived: false,
		isTimed: true,
		switches: {},
	});
	tenant.populate(size);
	const poller = new Poller(tenant, { ...watchFor(tenant), pageSize: 30 }, MAX_REQUESTS, {});
	const pollOnce = (): 'cut' | 'done' => {
		for (;;) {
			const ended = poller.page();
			if (ended !== 'reading') return ended;
		}
	};
	let pollsToBegin = 0;
	while (!poller.state?.isSettled) {
		pollOnce();
		pollsToBegin++;
	}
	while (pollOnce() !== 'done');
	const before = poller.requests;
	while (pollOnce() !== 'done');
	return {
		pollsToBegin,
		requests: poller.requests - before,
		bytes: JSON.stringify(poller.state).length,
	};
}

const tasks =
	(rule: Watch['rule'], sharesTexts = false) =>
	() =>
		watchOver('/tasks', 'tasks', rule, { sharesTexts });

const WATCHES: Record<string, (tenant: Tenant) => Watch> = {
	personCreated: () => watchOver('/people', 'window', created),
	personUpdated: () => watchOver('/people', 'people', updated),
	personAddedToSegment: (tenant) =>
		watchOver('/people', 'people', addedTo(tenant.segment), {
			membership: ['segments.uuid', tenant.segment],
		}),
	taskCreated: () => watchOver('/tasks', 'newTasks', created),
	taskUpdated: tasks(updated),
	taskMoved: tasks(moved, true),
	taskCompleted: tasks(completed),
	commentAdded: (tenant) => watchOver(`/tasks/${tenant.task}/comments`, 'entries', created),
	historyAdded: (tenant) => watchOver(`/tasks/${tenant.task}/history`, 'entries', created),
};

/**
 * Requests to read all once more with nothing new, and polls until a list is first read (and that is
 * confirmed), at 100, 1,000 and 10,000 records.
 */
const COSTS: Record<string, { requests: number[]; pollsToBegin: number[] }> = {
	personCreated: { requests: [1, 1, 1], pollsToBegin: [1, 1, 1] },
	personUpdated: { requests: [4, 35], pollsToBegin: [1, 4] },
	personAddedToSegment: { requests: [4, 35], pollsToBegin: [1, 4] },
	taskCreated: { requests: [2, 2, 2], pollsToBegin: [1, 7, 67] },
	taskUpdated: { requests: [4, 34, 334], pollsToBegin: [1, 7, 67] },
	taskMoved: { requests: [4, 34], pollsToBegin: [1, 7] },
	taskCompleted: { requests: [4, 34], pollsToBegin: [1, 7] },
	commentAdded: { requests: [1, 1, 1], pollsToBegin: [1, 4, 34] },
	historyAdded: { requests: [1, 1, 1], pollsToBegin: [1, 4, 34] },
};

describe.each(Object.entries(WATCHES))('%s', (event, watchFor) => {
	it('costs what the documentation says, and remembers less than 100 bytes a record', () => {
		const { requests, pollsToBegin } = COSTS[event];
		const sizes = SIZES.slice(0, requests.length);
		const costs = sizes.map((size) => costOf(size, watchFor));
		expect(costs.map((cost) => cost.requests)).toEqual(requests);
		expect(costs.map((cost) => cost.pollsToBegin)).toEqual(pollsToBegin);
		costs.forEach(({ bytes }, index) => expect(bytes).toBeLessThan(600 + 30 * sizes[index]));
	});
});
