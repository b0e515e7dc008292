import type { SwitchChanges } from '../service';
import { useRealTime, useVirtualTime } from '../engine/support/timeLapse';
import { TROUBLES, type Overlap, type Run } from './overlaps/drawn';
import { tryOverlaps, wrongsOf } from './overlaps/tried';

beforeAll(useVirtualTime);
afterAll(useRealTime);

describe('runs that are under way at the same time', () => {
	tryOverlaps(TROUBLES.slice(0, 2));

	const upsert = (people: number[], more: Partial<Run> = {}): Run => ({
		operation: 'upsert',
		rows: people.map((who) => ({ who, by: 'email', entry: 1, job: 'own' })),
		...{ company: 0, process: 0, startsAtMs: 0 },
		...{ onError: 'continueErrorOutput', lookUp: 'together' },
		...more,
	});
	const overlapOf = (runs: Run[], switches: SwitchChanges = {}): Overlap => ({
		runs,
		changes: [],
		service: {
			limit: 1_000_000,
			latencyMs: [10, 40],
			timeOfChange: 'whole seconds',
			switches: { readsLagMs: 0, severalValues: 'any', faults: [], ...switches },
		},
	});

	it.each([0, 2_000])(
		'If reads lag %s ms, overlapping runs create each person once in each company',
		async (readsLagMs) => {
			const runs = [upsert([3, 0, 1, 2, 4, 3]), upsert([3], { company: 1 })];
			expect(await wrongsOf(overlapOf(runs, { readsLagMs }))).toEqual([]);
		},
	);

	it('If reads lag, runs of two companies double nobody, and lose no list entry', async () => {
		const runs = [upsert([3, 0, 0, 3, 0]), upsert([3], { company: 1 })];
		runs[0].rows.forEach((row) => (row.entry = 0));
		runs[1].rows[0].entry = 2;
		expect(await wrongsOf(overlapOf(runs, { readsLagMs: 2_000 }))).toEqual([]);
	});

	/** Lets a change of a person take effect, with an answer that does not confirm it. */
	const uncertainPatch = (nth: number) => {
		const answeredWithNothing = { kind: 'status', status: 200, body: {}, stored: true } as const;
		return { faults: [{ ...answeredWithNothing, match: { method: 'PATCH', nth } }] };
	};

	it('Of several items about one person, the last wins, even after an empty answer', async () => {
		const run = upsert([0, 1, 2, 3, 4, 0]);
		run.rows[5].job = 'as at the start';
		expect(await wrongsOf(overlapOf([run], uncertainPatch(1)))).toEqual([]);
	});

	it('Later items see and keep a list entry whose write got an empty answer', async () => {
		const run = upsert([3, 3, 3, 3]);
		for (const [item, entry] of [0, 1, 1, 2].entries()) run.rows[item].entry = entry;
		const overlap = overlapOf([run], uncertainPatch(1));
		// Slow answers put each write into another second, because the service rounds times to seconds.
		overlap.service.latencyMs = [300, 2_500];
		expect(await wrongsOf(overlap)).toEqual([]);
	});
});
