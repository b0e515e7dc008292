import type { Limiter } from '../../nodes/ContactTaskCrm/http/limiter';
import type { RateLimitRule } from '../service/limiter';
import { seededRandom } from './seededRandom';
import { SimulatedTenant } from './simulatedTenant';

/** Requests of one execution, in a process without knowledge of the others. */
export interface BulkRun {
	items: number;
	/** Name of the process. Runs with the same name share a limiter. */
	process: string;
	/** Start time in ms. */
	at?: number;
}

/** Another program of the company. It sends at an even pace and never retries. */
export interface OtherProgram {
	requests: number;
	everyMs: number;
}

export interface Scenario {
	runs: BulkRun[];
	other?: OtherProgram;
	rule?: Partial<RateLimitRule>;
	/** Form of Retry-After: whole seconds, rounded up (`exact`) or down, so up to a second too early (`floored`). */
	retryAfter?: 'exact' | 'floored' | 'missing';
	/** Round trip in ms. Each one is drawn between half of it and one and a half times. */
	latencyMs?: number;
	seed: number;
}

export interface Report {
	/** Time from the first start to the last answer, in s. */
	seconds: number;
	/** Number of our refused requests, and of those of the other program. */
	refused: number;
	othersRefused: number;
	/** Number of requests that were not accepted exactly once. */
	wrong: number;
	/** Longest wait of a request of each run, in s. */
	longestWaits: number[];
}

/** Simulates processes that share a tenant, in virtual time, behind the stand-in's own rate limiter. */
export async function shareBudget(scenario: Scenario): Promise<Report> {
	const { seed, latencyMs = 50, retryAfter = 'exact' } = scenario;
	const random = seededRandom(seed);
	const oneWay = () => (latencyMs / 2) * (0.5 + random());
	const tenant = new SimulatedTenant({
		rule: { countRejected: false, ...scenario.rule },
		limit: 20,
		retryAfter,
		latency: () => [oneWay(), oneWay()],
		random,
	});
	const { clock } = tenant;
	const limiters = new Map<string, Limiter>();
	const limiterOf = (process: string) => {
		const limiter = limiters.get(process) ?? tenant.anotherLimiter();
		limiters.set(process, limiter);
		return limiter;
	};
	const runOne = async ({ items, process, at = 0 }: BulkRun, run: number) => {
		await clock.sleep(at);
		const lane = {};
		let longestWait = 0;
		const submit = async (_: unknown, item: number) => {
			await tenant.submit(`${run}/${item}`, { lane, item, limiter: limiterOf(process) });
			longestWait = Math.max(longestWait, clock.now() - at);
		};
		await Promise.all(Array.from({ length: items }, submit));
		return longestWait / 1000;
	};
	const runOther = async ({ requests, everyMs }: OtherProgram) => {
		for (let index = 0; index < requests; index++) {
			void tenant.answer(`other/${index}`);
			await clock.sleep(everyMs);
		}
	};

	const others = scenario.other ? runOther(scenario.other) : Promise.resolve();
	const longestWaits = await clock.run(Promise.all(scenario.runs.map(runOne)));
	const seconds = clock.now() / 1000;
	await clock.run(others);
	const othersRefused = tenant.entries.filter(
		({ name, status }) => name.startsWith('other') && status === 429,
	).length;
	const times = new Map<string, number>();
	for (const name of tenant.accepted.filter((each) => !each.startsWith('other'))) {
		times.set(name, (times.get(name) ?? 0) + 1);
	}
	const wanted = scenario.runs.reduce((sum, { items }) => sum + items, 0);
	const doubled = [...times.values()].filter((count) => count !== 1).length;
	const wrong = doubled + Math.abs(wanted - times.size);
	return {
		seconds,
		refused: tenant.rejections - othersRefused,
		othersRefused,
		wrong,
		longestWaits,
	};
}
