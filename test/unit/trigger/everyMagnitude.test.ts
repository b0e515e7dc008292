import fc from 'fast-check';
import type { Judgement } from './support/judge';
import {
	judgeCompleted,
	judgeCreated,
	judgeMoved,
	judgeSegment,
	judgeUpdated,
} from './support/judge';
import { watchOver } from './support/modelPolls';
import { ROUNDS } from './support/rounds';
import { someList, somePeople, someStorm } from './support/someStorm';
import type { Course, Kind, Storm } from './support/storm';
import { play } from './support/storm';

const { bounds, ...runs } = ROUNDS;

function expectNothing(event: string, { missed, doubled }: Judgement): void {
	expect({ event, missed: missed.slice(0, 5), doubled: doubled.slice(0, 5) }).toEqual({
		event,
		missed: [],
		doubled: [],
	});
}

function check(storms: fc.Arbitrary<Storm>, judge: (storm: Storm) => void): void {
	fc.assert(fc.property(storms, judge), runs);
}

const TASK_KINDS: Kind[] = [
	'create',
	'createLate',
	'update',
	'move',
	'complete',
	'reopen',
	'place',
	'hide',
	'restore',
	'remove',
];
const TASK_JUDGES: Record<string, (course: Course, event: string) => Judgement> = {
	taskCreated: judgeCreated,
	taskUpdated: judgeUpdated,
	taskMoved: judgeMoved,
	taskCompleted: judgeCompleted,
};

describe('tasks, all events at once', () => {
	it('miss nothing and double nothing, whatever happens while pages are read', () => {
		check(someStorm(TASK_KINDS, someList, bounds), (storm) => {
			const course = play(storm, watchOver('tasks'));
			for (const [event, judge] of Object.entries(TASK_JUDGES))
				expectNothing(event, judge(course, event));
		});
	});
});

describe.each(Object.entries(TASK_JUDGES))('%s alone', (event, judge) => {
	it('misses nothing and doubles nothing', () => {
		check(someStorm(TASK_KINDS, someList, bounds), (storm) => {
			expectNothing(event, judge(play(storm, watchOver('tasks', [event])), event));
		});
	});
});

const PERSON_KINDS: Kind[] = ['create', 'createLate', 'update', 'hide', 'restore', 'remove'];

describe('people', () => {
	it.each([[['personCreated', 'personUpdated']], [['personCreated']], [['personUpdated']]])(
		'%j: miss nothing and double nothing',
		(events) => {
			check(someStorm(PERSON_KINDS, somePeople, bounds), (storm) => {
				const course = play(storm, watchOver('people', events));
				if (events.includes('personCreated')) {
					const judgement = judgeCreated(course, 'personCreated');
					// Who is restored after somebody newer came is found where all are read.
					const { deeds } = course;
					const wasHidden = (id: string) =>
						deeds.some(({ kind, after }) => kind === 'hide' && after.id === id);
					const missed = judgement.missed.filter((id) => events.length > 1 || !wasHidden(id));
					expectNothing('personCreated', { ...judgement, missed });
				}
				if (events.includes('personUpdated')) {
					expectNothing('personUpdated', judgeUpdated(course, 'personUpdated'));
				}
			});
		},
	);
});

describe('a segment', () => {
	it('tells who comes and who goes', () => {
		const kinds: Kind[] = ['create', 'update', 'join', 'leave', 'hide', 'restore', 'remove'];
		check(someStorm(kinds, somePeople, bounds), (storm) => {
			const course = play(storm, watchOver('segment'));
			expectNothing('segment', judgeSegment(course, 'personAddedToSegment'));
		});
	});
});

describe.each(['commentAdded', 'historyAdded'])('%s', (event) => {
	it('misses nothing and doubles nothing', () => {
		const list = event === 'commentAdded' ? 'comments' : 'history';
		check(someStorm(['create', 'createLate'], someList, bounds), (storm) => {
			expectNothing(event, judgeCreated(play(storm, watchOver(list)), event));
		});
	});
});
