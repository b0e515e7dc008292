import type { Act, Schedule } from './schedule';
import type { ListHabits } from './tenant';

const change = (what: string, who = 0, to = 0): Act => ({ kind: 'change', what, who, to });
const pages = (count: number): Act => ({ kind: 'pages', count });
const time = (seconds: number): Act => ({ kind: 'time', seconds });

function schedule(
	habits: Partial<ListHabits>,
	initial: number,
	acts: Act[],
	more: Partial<Schedule> = {},
): Schedule {
	return {
		habits: { order: 'oldestFirst', hidesArchived: false, isTimed: false, switches: {}, ...habits },
		initial,
		apart: 0,
		maxRequests: 1,
		pageSize: 2,
		acts,
		...more,
	};
}

/** Schedules that something was missed or doubled in once, by what went wrong. */
export const FOUND = {
	personCreated: {
		'the filter fails open on a single page': schedule({ switches: { ignoreFilters: true } }, 0, [
			change('createLate'),
			pages(1),
			time(90),
			change('create'),
			pages(4),
		]),
		'a late one comes behind where the read has come to, and the newest moves on': schedule({}, 2, [
			change('create'),
			pages(2),
			change('createLate'),
			pages(3),
			change('createLate'),
			time(90),
			change('create'),
			change('create'),
			pages(1),
			change('create'),
		]),
		'the order is not kept, and the page does not show it': schedule(
			{ switches: { ignoreOrder: true } },
			0,
			[
				change('create'),
				change('create'),
				pages(2),
				change('createLate'),
				pages(2),
				change('create'),
				change('create'),
				change('create'),
			],
		),
		'one goes and one comes, and the total stays': schedule({ hidesArchived: true }, 0, [
			change('create'),
			change('create'),
			pages(2),
			change('archive'),
			change('create'),
			pages(1),
			change('create'),
			pages(2),
		]),
		'the filter fails open, and what was told of is forgotten': schedule(
			{ isTimed: true, switches: { ignoreFilters: true } },
			0,
			[
				pages(2),
				change('create'),
				time(180),
				change('create'),
				pages(1),
				{ kind: 'fail' },
				pages(1),
			],
		),
		'the same, and then the list is read by page': schedule(
			{ isTimed: true, switches: { ignoreFilters: true } },
			0,
			[
				pages(1),
				time(1),
				change('create'),
				time(200),
				change('create'),
				pages(2),
				change('create'),
				change('create'),
			],
		),
		'somebody goes while a second that takes two pages is read, and no total tells': schedule(
			{ isTimed: true, hidesArchived: true, switches: { bareCollections: true } },
			3,
			[pages(3), change('archive'), pages(2), change('create')],
		),
		'the same, and as many come as the total says': schedule(
			{ isTimed: true, hidesArchived: true },
			3,
			[pages(3), change('archive'), change('create'), change('create'), change('create')],
			{ maxRequests: 3 },
		),
		'a late one comes to a window of two pages while another goes': schedule(
			{ isTimed: true, hidesArchived: true },
			0,
			[
				change('create'),
				pages(1),
				time(90),
				change('create'),
				change('create'),
				pages(1),
				change('archive'),
				change('createLate'),
				change('create'),
				{ kind: 'settle' },
			],
		),
		'the same, and the next read is long after that': schedule(
			{ isTimed: true, hidesArchived: true },
			1,
			[
				change('create'),
				pages(3),
				time(2),
				pages(1),
				change('create'),
				change('archive'),
				pages(2),
				time(2),
				change('create'),
				pages(1),
				change('create'),
				pages(3),
				{ kind: 'settle' },
				{ kind: 'settle' },
				change('createLate'),
				time(200),
				change('update'),
				pages(1),
			],
			{ pageSize: 3 },
		),
		'the same, and two that are late come in front': schedule(
			{ isTimed: true, switches: { bareCollections: true, ignoreFilters: true } },
			3,
			[pages(3), change('createLate'), change('createLate'), pages(2), { kind: 'kill' }, pages(1)],
		),
	},
	taskCreated: {
		'one is left out, one comes late, and no clock tells which is old': schedule(
			{ order: 'byPosition' },
			2,
			[
				time(30),
				change('create'),
				pages(1),
				change('createLate'),
				change('place', 0, 4),
				pages(1),
				{ kind: 'kill' },
				change('create'),
				pages(1),
			],
		),
		'one that was there moves to a page that was read, and as many come as the total says':
			schedule(
				{ isTimed: true, order: 'byPosition' },
				9,
				[pages(1), change('move', 26, 4), change('createLate'), pages(1)],
				{ apart: 1 },
			),
		'a restart forgets that the first read was confirmed': schedule({}, 3, [
			pages(4),
			change('createLate'),
			{ kind: 'kill' },
			{ kind: 'settle' },
			pages(1),
			{ kind: 'settle' },
			pages(1),
			change('create'),
		]),
		'the newest moves to a page that was read': schedule(
			{ order: 'byPosition' },
			3,
			[pages(1), change('place', 5), pages(1), pages(1), change('create'), pages(1), pages(1)],
			{ apart: 1 },
		),
		'the same, where no total tells': schedule(
			{ order: 'byPosition', switches: { bareCollections: true } },
			9,
			[
				pages(1),
				change('place', 26),
				pages(4),
				change('create'),
				change('create'),
				{ kind: 'fail' },
				pages(1),
				change('create'),
			],
			{ apart: 200 },
		),
	},
	commentAdded: {
		'as many come in front as a page has, and it seems to repeat itself': schedule(
			{ order: 'newestFirst' },
			0,
			[
				change('create'),
				change('createLate'),
				change('createLate'),
				pages(1),
				change('create'),
				change('create'),
				pages(1),
				{ kind: 'settle' },
				pages(2),
			],
		),
	},
	taskUpdated: {
		'the position changes with those of others': schedule({}, 1, [
			{ kind: 'settle' },
			{ kind: 'kill' },
			change('place'),
			pages(4),
		]),
	},
} satisfies Record<string, Record<string, Schedule>>;
