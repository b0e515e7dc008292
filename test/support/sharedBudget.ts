import type { Outcome } from '../../nodes/ContactTaskCrm/transport/http';
import type { QueueKey } from '../../nodes/ContactTaskCrm/transport/submission';
import type { WaitLimits } from '../../nodes/ContactTaskCrm/transport/waitLimits';
import { TenantLimiter } from '../../nodes/ContactTaskCrm/transport/tenantLimiter';
import type { LimiterState, RateLimitRule } from '../service/limiter';
import { decide, EMPTY_STATE } from '../service/limiter';
import { seededRandom } from './seededRandom';
import { VirtualClock } from './virtualClock';

/** Some requests of one execution, in a process that knows nothing of the others. */
export interface BulkRun {
	items: number;
	/** Processes are told apart by name: runs of one name share a limiter. */
	process: string;
	/** When it starts, in ms. */
	at?: number;
}

/** Another program of the company, which asks at an even pace and tries nothing again. */
export interface OtherProgram {
	requests: number;
	everyMs: number;
	at?: number;
}

export interface Scenario {
	runs: BulkRun[];
	other?: OtherProgram;
	rule?: Partial<RateLimitRule>;
	/** `exact` is rounded up, as a careful service does; `floored` comes up to a second too early. */
	retryAfter?: 'exact' | 'floored' | 'missing';
	/** There and back together, in ms; each way draws from half of it to half as much again. */
	latencyMs?: number;
	seed: number;
	waitLimits?: WaitLimits;
}

export interface RunReport {
	process: string;
	items: number;
	/** From its start to its last answer, in s. */
	seconds: number;
	/** The longest that one request waited, in s. */
	longestWait: number;
	failed: number;
}

export interface Report {
	/** From the first start to the last answer, in s. */
	seconds: number;
	/** Requests of ours that were refused, and those of the other program. */
	refused: number;
	othersRefused: number;
	/** Requests that were accepted more or less often than once. */
	wrong: number;
	runs: RunReport[];
}

const FOREVER: WaitLimits = { slotMs: Infinity, throttledMs: Infinity };

/** Lets processes share a tenant in virtual time, behind the stand-in's own rate limiter. */
export async function shareBudget(scenario: Scenario): Promise<Report> {
	const { seed, latencyMs = 50, retryAfter = 'exact', waitLimits = FOREVER } = scenario;
	const rule: RateLimitRule = {
		mode: 'log',
		limit: 20,
		windowMs: 60_000,
		countRejected: false,
		...scenario.rule,
	};
	const clock = new VirtualClock();
	const random = seededRandom(seed);
	let state: LimiterState = EMPTY_STATE;
	const accepted = new Map<string, number>();
	const counts = { refused: 0, othersRefused: 0 };

	const ask = async (name: string): Promise<Outcome> => {
		const oneWay = () => clock.sleep((latencyMs / 2) * (0.5 + random()));
		await oneWay();
		const now = clock.now();
		const decision = decide(state, now, rule);
		state = decision.state;
		if (decision.admitted) accepted.set(name, (accepted.get(name) ?? 0) + 1);
		const waitMs = (decision.retryAt ?? now) - now;
		await oneWay();
		const wait = retryAfter === 'exact' ? Math.ceil(waitMs / 1000) : Math.floor(waitMs / 1000);
		const isSent = !decision.admitted && retryAfter !== 'missing' && wait > 0;
		return {
			kind: 'response',
			status: decision.admitted ? 200 : 429,
			headers: isSent ? { 'retry-after': String(wait) } : {},
			body: {},
		};
	};

	const limiters = new Map<string, TenantLimiter>();
	const limiterOf = (process: string) => {
		const limiter = limiters.get(process) ?? new TenantLimiter(clock, random);
		limiters.set(process, limiter);
		return limiter;
	};
	const runOne = async (run: BulkRun, index: number): Promise<RunReport> => {
		const { items, process, at = 0 } = run;
		await clock.sleep(at);
		const queueKey: QueueKey = {};
		let longestWait = 0;
		let failed = 0;
		const submit = async (item: number) => {
			const name = `${index}/${item}`;
			const send = async () => {
				const outcome = await ask(name);
				if (outcome.kind === 'response' && outcome.status === 429) counts.refused++;
				return outcome;
			};
			const job = { queueKey, item, urgent: false, waitLimits, limit: 20, send };
			await limiterOf(process)
				.submit(job)
				.catch(() => failed++);
			longestWait = Math.max(longestWait, clock.now() - at);
		};
		await Promise.all(Array.from({ length: items }, async (_, item) => await submit(item)));
		const seconds = (clock.now() - at) / 1000;
		return { process, items, seconds, longestWait: longestWait / 1000, failed };
	};
	const runOther = async ({ requests, everyMs, at = 0 }: OtherProgram) => {
		await clock.sleep(at);
		for (let index = 0; index < requests; index++) {
			void ask(`other/${index}`).then((outcome) => {
				if (outcome.kind === 'response' && outcome.status === 429) counts.othersRefused++;
			});
			await clock.sleep(everyMs);
		}
	};

	const others = scenario.other ? runOther(scenario.other) : Promise.resolve();
	const runs = await clock.run(Promise.all(scenario.runs.map(runOne)));
	const seconds = clock.now() / 1000;
	await clock.run(others);
	const ours = [...accepted].filter(([name]) => !name.startsWith('other'));
	const wanted = scenario.runs.reduce((sum, { items }) => sum + items, 0);
	const failed = runs.reduce((sum, run) => sum + run.failed, 0);
	const doubled = ours.filter(([, times]) => times !== 1).length;
	return { seconds, ...counts, wrong: doubled + Math.abs(wanted - failed - ours.length), runs };
}
