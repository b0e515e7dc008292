import { keyLengthOf } from '../../../nodes/ContactTaskCrm/trigger/compare';
import type { WatchedList } from '../../../nodes/ContactTaskCrm/trigger/events';
import { fromSaved, toSaved } from '../../../nodes/ContactTaskCrm/trigger/state';
import type { ListHabits } from './support/modelList';
import { ModelList, randomFrom, USUAL } from './support/modelList';
import { ModelPolls, watchOver } from './support/modelPolls';

const MINUTE_MS = 60_000;

interface Watched {
	list: WatchedList;
	events?: string[];
	order?: ListHabits['order'];
	change: 'create' | 'update' | 'join';
}

/** Polls over a list of this size that was read already, and what a quiet poll sends. */
function readOnce(size: number, { list, events, order }: Watched, maxRequests: number) {
	const model = new ModelList({ ...USUAL, order: order ?? USUAL.order }, randomFrom(1));
	for (let index = 0; index < size; index++) {
		const completedAt = index % 2 === 0 ? model.now : undefined;
		model.create(0, { isMember: list === 'segment', completedAt, status: index % 4 });
		model.now += 1_000;
	}
	const polls = new ModelPolls(model, watchOver(list, events), maxRequests);
	const poll = () => {
		model.now += MINUTE_MS;
		return polls.poll();
	};
	for (let count = 0; count < 8 || !polls.state?.isListRead; count++) poll();
	return { model, polls, poll };
}

/** The most polls that a change takes to be found, of some moments and places, and requests of a quiet poll. */
function measure(size: number, watched: Watched, maxRequests: number): [number, number] {
	const { model, poll } = readOnce(size, watched, maxRequests);
	let worst = 0;
	let requests = 0;
	for (let moment = 0; moment < 8; moment++) {
		for (let quiet = 0; quiet < moment; quiet++) requests = Math.max(requests, poll().requests);
		const ids = [...model.records.keys()];
		const id = ids[Math.floor((moment / 8) * ids.length)];
		if (watched.change === 'update') model.change(id, {});
		else model.create(0, { isMember: true });
		let found = 1;
		while (poll().changes.length === 0) found++;
		worst = Math.max(worst, found);
	}
	return [requests, worst];
}

const four = { list: 'tasks' as const };
/** Requests of a quiet poll, and minutes: the table of the README, and that of docs/trigger.md. */
const TABLE: Array<[what: string, watched: Watched, two: number[][], ten: number[]]> = [
	[
		'a person created',
		{ list: 'people', events: ['personCreated'], change: 'create' },
		[
			[1, 1],
			[1, 1],
			[1, 1],
		],
		[1, 1],
	],
	[
		'a person updated',
		{ list: 'people', events: ['personUpdated'], change: 'update' },
		[
			[1, 1],
			[2, 2],
			[2, 18],
		],
		[10, 4],
	],
	[
		'a segment joined',
		{ list: 'segment', change: 'join' },
		[
			[2, 1],
			[2, 2],
			[2, 18],
		],
		[10, 4],
	],
	[
		'tasks, last changed first',
		{ ...four, order: 'changedFirst', change: 'update' },
		[
			[1, 1],
			[2, 1],
			[2, 1],
		],
		[10, 1],
	],
	[
		'a task created, oldest first',
		{ ...four, order: 'oldestFirst', change: 'create' },
		[
			[2, 1],
			[2, 1],
			[2, 1],
		],
		[10, 1],
	],
	[
		'a task updated, oldest first',
		{ ...four, order: 'oldestFirst', change: 'update' },
		[
			[1, 1],
			[2, 4],
			[2, 34],
		],
		[10, 4],
	],
	[
		'a task updated, in no known order',
		{ ...four, order: 'byTitle', change: 'update' },
		[
			[1, 1],
			[2, 2],
			[2, 17],
		],
		[10, 4],
	],
	[
		'a comment',
		{ list: 'comments', change: 'create' },
		[
			[2, 1],
			[2, 1],
			[2, 1],
		],
		[10, 1],
	],
];

describe('requests of a quiet poll, and polls until a change is found', () => {
	it.each(TABLE)('%s', (_, watched, two, ten) => {
		const found = [30, 100, 1_000].map((size) => measure(size, watched, 2));
		expect([found, measure(1_000, watched, 10)]).toEqual([two, ten]);
	});
});

describe('what is remembered of 10,000 tasks, with all four events', () => {
	it('takes less than 0.2 MB, and is read again as it was written', () => {
		const { polls } = readOnce(10_000, { list: 'tasks', change: 'update' }, 400);
		const text = JSON.stringify(toSaved(polls.state!));
		expect(text.length).toBeLessThan(200_000);
		const loaded = fromSaved(JSON.parse(text), 'tasks', keyLengthOf(watchOver('tasks')));
		const again = loaded.kind === 'state' ? toSaved(loaded.state) : undefined;
		expect(again).toEqual(JSON.parse(text));
	});
});
