import type { Judgement } from './support/judge';
import { judgeCompleted, judgeCreated, judgeMoved, judgeUpdated } from './support/judge';
import { watchOver } from './support/modelPolls';
import type { Course, Storm } from './support/storm';
import { play } from './support/storm';

type Judge = (course: Course, event: string) => Judgement;
const TASK_JUDGES: Record<string, Judge> = {
	taskCreated: judgeCreated,
	taskUpdated: judgeUpdated,
	taskMoved: judgeMoved,
	taskCompleted: judgeCompleted,
};

function expectTasks(storm: Storm): Course {
	const course = play(storm, watchOver('tasks'));
	for (const [event, judge] of Object.entries(TASK_JUDGES)) {
		const { missed, doubled } = judge(course, event);
		expect({ event, missed: missed.length, doubled: doubled.length }).toEqual({
			event,
			missed: 0,
			doubled: 0,
		});
	}
	return course;
}

describe('an import while tasks are read', () => {
	it.each([300, 1_800])('of 100 a minute for 12 minutes, on %d tasks, newest first', (initial) => {
		const course = expectTasks({
			initial,
			apart: 60,
			habits: { order: 'newestFirst' },
			maxRequests: 10,
			phases: [
				{ minutes: 15, perMinute: initial === 300 ? 100 : 0, kinds: ['create'] },
				{ minutes: 12, perMinute: 100, kinds: ['create'] },
				{ minutes: 20, perMinute: 5, kinds: ['move', 'complete', 'update'] },
			],
		});
		expect(judgeCreated(course, 'taskCreated').told).toBeGreaterThanOrEqual(1_200);
	});
});

describe('a bulk edit of 100 a minute for 12 minutes', () => {
	it('tells each once, in a list that is last changed first', () => {
		expectTasks({
			initial: 2_400,
			apart: 60,
			habits: { order: 'changedFirst' },
			maxRequests: 10,
			phases: [
				{ minutes: 15, perMinute: 0, kinds: ['update'] },
				{ minutes: 12, perMinute: 100, kinds: ['update', 'move', 'complete'] },
			],
		});
	});
});

describe('an import of 200 people in one second, whose order differs from page to page', () => {
	it('tells each once, and then costs one request a poll', () => {
		const course = play(
			{
				initial: 100,
				apart: 60,
				habits: { shufflesTies: true },
				maxRequests: 2,
				phases: [{ minutes: 1, perMinute: 200, kinds: ['create'], isBurst: true }],
			},
			watchOver('people', ['personCreated']),
		);
		const { missed, doubled, told } = judgeCreated(course, 'personCreated');
		expect({ missed, doubled, told }).toEqual({ missed: [], doubled: [], told: 200 });
		expect(course.polls.poll().requests).toBe(1);
	});
});

describe('one page of ten that always fails', () => {
	it.each(['byTitle', 'changedFirst'] as const)(
		'does not hide what is on the others: %s',
		(order) => {
			const course = play(
				{
					initial: 300,
					apart: 60,
					habits: { order },
					maxRequests: 10,
					failingPage: 4,
					phases: [{ minutes: 30, perMinute: 3, kinds: ['update'] }],
				},
				watchOver('tasks', ['taskUpdated']),
			);
			const { missed, doubled, told } = judgeUpdated(course, 'taskUpdated');
			const page = course.list.answer([
				['itemsPerPage', '30'],
				['page', '4'],
			]) as { member: Array<{ id: string }> };
			const onThatPage = page.member.map(({ id }) => id);
			expect(doubled).toEqual([]);
			expect(missed.filter((id) => !onThatPage.includes(id))).toEqual([]);
			expect(told).toBeGreaterThan(50);
		},
	);
});

describe('pages that an unstable list gives in any order', () => {
	it('lose nothing, though a scan sees two records of three', () => {
		expectTasks({
			initial: 200,
			apart: 0,
			habits: { order: 'none' },
			maxRequests: 10,
			phases: [{ minutes: 30, perMinute: 10, kinds: ['create', 'update', 'move', 'complete'] }],
		});
	});
});

describe('people whom the service does not give in the order asked for', () => {
	it('are read to the end of the list, though that takes longer than an hour', () => {
		const course = play(
			{
				initial: 210,
				apart: 60,
				habits: { ignoresTime: true },
				maxRequests: 1,
				pageSize: 3,
				phases: [
					{ minutes: 10, perMinute: 0, kinds: ['create'] },
					{ minutes: 10, perMinute: 1, kinds: ['create'] },
					{ minutes: 300, perMinute: 0, kinds: ['create'] },
				],
			},
			watchOver('people', ['personCreated']),
		);
		const { missed, doubled, told } = judgeCreated(course, 'personCreated');
		expect({ missed, doubled, told }).toEqual({ missed: [], doubled: [], told: 10 });
	});
});
