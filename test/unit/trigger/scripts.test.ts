import { sampled } from '../../support/drawn';
import { closeTenant } from './support/openTenant';
import { MINUTE_MS, WATCHED } from './support/schedule';
import { byId } from './support/world';
import type { Course, Furnished, Script } from './support/script';
import { expectScript, script, watching } from './support/script';

afterEach(closeTenant);

const [, LEFT] = WATCHED.segment;
const ARCHIVED = { archivedAt: '2026-01-05T09:05:00Z' };
const RESTORED = { archivedAt: null };
const HIDES = { showsArchived: false };
const byTag = (tag: string) => ({ filters: { tagsId: [tag] } });

const archive = [
	script(
		'reports nothing if a member who was archived before publishing is restored',
		watching(WATCHED.segment),
		({ change, member }) => {
			change('/people', member, ARCHIVED)();
			return [{ 10: change('/people', member, RESTORED) }, []];
		},
	),
	script(
		'reports deleted archived members as removed only if they met the filter',
		watching(LEFT, byTag('1')),
		({ tenant, change, member, other }) => {
			const both = [member, other];
			const archiveThem = () => both.map((id) => change('/people', id, ARCHIVED)());
			const remove = () => both.forEach((id) => tenant.remove('/people', id));
			return [{ 5: archiveThem, 20: remove }, [{ event: LEFT, id: member }]];
		},
		{ habits: HIDES, polls: 60 },
	),
	...sampled([0, 10, 19]).map((place) =>
		script(
			`reports the deletion of archived member ${place} of 20, though lists hide archived people`,
			watching(LEFT),
			({ tenant, change, many, inIt }) => {
				const ids = many('/people', 40, inIt);
				const hide = () => ids.slice(0, 20).map((id) => change('/people', id, ARCHIVED)());
				const remove = () => tenant.remove('/people', ids[place]);
				return [{ 10: hide, 25: remove }, [{ event: LEFT, id: ids[place] }]];
			},
			{ habits: HIDES, polls: 110 },
		),
	),
];

const members = [
	script(
		'reports a member once who leaves, returns during the check, and leaves again',
		watching(WATCHED.segment),
		({ tenant, change, member, inIt }) => {
			const leave = change('/people', member, { segments: [] });
			const leaveForAWhile = () => {
				leave();
				tenant.failure = (request) => {
					if (request !== `/people/${member}`) return undefined;
					tenant.failure = undefined;
					change('/people', member, inIt)();
					tenant.schedule(tenant.now + 1, leave);
					return undefined;
				};
			};
			return [{ 8: leaveForAWhile }, [{ event: LEFT, id: member }]];
		},
	),
	...sampled([0, 50, 99]).map((place) =>
		script(
			`reports the leaving member ${place} of 100, though records change places between pages`,
			watching(LEFT),
			({ change, many, inIt }) => {
				const ids = many('/people', 100, inIt);
				const leave = change('/people', ids[place], { segments: [] });
				return [{ 25: leave }, [{ event: LEFT, id: ids[place] }]];
			},
			{ habits: { shufflesTies: true }, polls: 110 },
		),
	),
];

const CANNOT = /^The service could not read the list of tasks \(HTTP \d+\)/;
const NOTHING = /^The trigger has read nothing for \d+ minutes/;
/** Makes requests fail during some minutes. */
const fails =
	(as: number | 'reset', isDown: (minute: number, request: string) => boolean) =>
	({ tenant }: Furnished): void => {
		const start = tenant.now;
		tenant.failure = (request) =>
			isDown((tenant.now - start) / MINUTE_MS, request) ? as : undefined;
	};
const during = (from: number, to: number) => (minute: number) => minute >= from && minute < to;
const tenPages = watching('taskUpdated', { options: { maxRequestsPerPoll: 10 } });

/** Failures, their first and last minute, and words in the errors of failed executions. */
const OUTAGES: Array<
	[what: string, as: number | 'reset', isDown: (minute: number) => boolean, words: RegExp[]]
> = [
	['150 minutes', 500, during(10, 160), [CANNOT, CANNOT, CANNOT]],
	['150 minutes', 503, during(10, 160), [CANNOT, CANNOT, CANNOT]],
	['150 minutes', 'reset', during(10, 160), [/./, /./, /./]],
	['150 minutes', 403, during(10, 160), [/./, /./, /./]],
	['150 minutes', 429, during(10, 160), [NOTHING, NOTHING]],
	['one poll', 500, during(9.5, 10.5), [CANNOT]],
	['two polls', 500, during(9.5, 11.5), [CANNOT]],
	['ten polls', 500, during(9.5, 19.5), [CANNOT]],
	[
		'every second poll of 70 minutes',
		500,
		(minute) => during(10, 80)(minute) && Math.floor(minute) % 2 === 0,
		[CANNOT, CANNOT],
	],
];

const failures = [
	...sampled(OUTAGES).map(([what, as, isDown, words]) =>
		script(
			`fails, but reports each new task, if requests end in ${as} for ${what}`,
			watching('taskCreated'),
			(on) => {
				fails(as, isDown)(on);
				const create = () => on.tenant.create('/tasks', { title: 'new' });
				return [{ 5: create, 12: create, 175: create }, Array(3).fill({ title: 'new' }), words];
			},
			{ polls: 200 },
		),
	),
	script(
		'fails hourly while one page fails, and reports changes on all other pages',
		tenPages,
		(on) => {
			const ids = on.many('/tasks', 300);
			fails(500, (minute, request) => during(15, 110)(minute) && request.includes('page=4'))(on);
			const change = () => [5, 95, 285].map((at) => on.change('/tasks', ids[at], { x: 1 })());
			const items = [285, 5, 95].map((at) => ({ id: ids[at] }));
			return [{ 20: change }, items, [CANNOT, CANNOT]];
		},
		{ habits: { order: 'byTitle' }, polls: 130 },
	),
	script(
		'reports a change within seven polls while requests for the newest people fail',
		watching(['personCreated', 'personUpdated'], { options: { maxRequestsPerPoll: 10 } }),
		(on) => {
			const ids = on.many('/people', 300);
			fails(500, (minute, request) => minute > 9 && request.includes('desc'))(on);
			const acts = { 15: on.change('/people', ids[290], { familyName: 'Smit' }) };
			return [acts, [{ id: ids[290] }], [/the list of people/]];
		},
		{ polls: 23 },
	),
	script(
		'ends a slow poll in time, and reads the rest later',
		tenPages,
		({ many, change }) => {
			const ids = many('/tasks', 300);
			const items = [285, 5].map((at) => ({ id: ids[at] }));
			return [{ 30: () => items.map(({ id }) => change('/tasks', id, { x: 1 })()) }, items];
		},
		{
			habits: { order: 'byTitle', latencyMs: 9_000, seed: 4 },
			setup: { host: 'durableCursors', pollBudgetMs: 36_000 },
			polls: 50,
			seconds: 36,
		},
	),
	script(
		'does not fail if its maximum wait ends while an answer is under way',
		watching('taskCreated', { options: { maxRequestsPerPoll: 1 } }),
		(on) => {
			fails(429, during(9.5, 10.8))(on);
			return [{ 17: () => on.tenant.create('/tasks', { title: 'new' }) }, [{ title: 'new' }]];
		},
		{ habits: { latencyMs: 30_000 }, polls: 24 },
	),
	script(
		'reports changes in time on all pages except an unanswered page, and fails later',
		tenPages,
		({ tenant, many, change }) => {
			const ids = many('/tasks', 300);
			const items = [5, 285].map((at) => ({ id: ids[at] }));
			const silence = () => {
				items.forEach(({ id }) => change('/tasks', id, { x: 1 })());
				tenant.failure = (request) => (request.includes('page=4') ? 'silence' : undefined);
			};
			const end = () => (tenant.failure = undefined);
			return [{ 20: silence, 22: end }, items, [/list of tasks|answer|time/]];
		},
		{ habits: { order: 'byTitle' }, setup: { pollBudgetMs: 36_000 }, polls: 24, seconds: 36 },
	),
];

/** A filter with three segments: more than the requests of a poll. */
const threeSegments = (
	name: string,
	play: (on: Furnished, ids: string[]) => ReturnType<Script['play']>,
) => {
	let segments: string[] = [];
	return script(
		name,
		(on) => watching('personCreated', { filters: { segmentsUuid: segments } })(on),
		(on) => {
			segments = on.many('/segments', 3);
			return play(on, segments);
		},
		{ polls: 190 },
	);
};
const segments = [
	threeSegments('on three segments reports people, and fails if one is deleted', (on, ids) => {
		const join = () => on.tenant.create('/people', { segments: [`/segments/${ids[0]}`] });
		const remove = () => on.tenant.remove('/segments', ids[2]);
		const gone = `The segment "${ids[2]}" no longer exists`;
		return [{ 10: join, 80: join, 85: remove }, Array(2).fill({ event: 'personCreated' }), [gone]];
	}),
	threeSegments('on three segments reports people, and fails if one cannot be read', (on, ids) => {
		const start = on.tenant.now;
		on.tenant.failure = (request) =>
			on.tenant.now > start + 10 * MINUTE_MS && request === `/segments/${ids[0]}` ? 500 : undefined;
		const join = () => on.tenant.create('/people', { segments: [`/segments/${ids[0]}`] });
		const named = /segment.*HTTP 500/;
		return [
			{ 15: join, 100: join },
			Array(2).fill({ event: 'personCreated' }),
			[named, named, named],
		];
	}),
];

const memory = [
	script(
		'reports a task again that returns to its column after a kill of n8n',
		(on) => watching('taskMoved', { filters: { status: byId(on.column('b')) } })(on),
		({ change, task, column }) => {
			const move = (name: string) => change('/tasks', task, { status: column(name) });
			const moved = { previousStatus: column('a'), status: column('b') };
			const kill: Course[0][number] = (trigger) => [trigger.kill(), move('b')()];
			return [{ 5: move('b'), 25: move('a'), 45: kill }, [moved, moved]];
		},
		{ polls: 60 },
	),
	script(
		'continues after a restart if its saved state has a field of a later version',
		watching('taskMoved'),
		({ change, task, column }) => {
			const damage: Course[0][number] = (trigger) => {
				trigger.damage((saved) => ({ ...saved, another: { of: 'a later version' } }));
				trigger.kill();
			};
			const move = change('/tasks', task, { status: column('b') });
			return [{ 5: (trigger) => [damage(trigger), move()] }, [{ previousStatus: column('a') }]];
		},
		{ setup: { host: 'durableCursors' } },
	),
	script(
		'says once that its state is damaged, although each poll loads it',
		watching('taskMoved'),
		({ change, task, column }) => {
			const move = change('/tasks', task, { status: column('b') });
			const damage: Course[0][number] = (trigger) => trigger.damage(() => ({ damaged: true }));
			return [{ 5: damage, 9: move }, [{ previousStatus: column('a') }], [/cannot be read/]];
		},
		{ setup: { host: 'scheduler' } },
	),
];

describe.each([
	['the archive', archive],
	['members of a segment', members],
	['failures', failures],
	['segments of a filter', segments],
	['memory', memory],
])('%s', (_, scripts) => {
	it.each(sampled(scripts, 3))(
		'In a scripted course of changes and failures, a trigger $name',
		expectScript,
	);
});
