import type { RateLimitRule } from '../service/limiter';
import { seededRandom } from './seededRandom';
import { SimulatedTenant } from './simulatedTenant';

/** One run of the node, with one request for each item. The processes of several runs know nothing of each other. */
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
	/** Time of the first request in ms. */
	at?: number;
}

export interface Scenario {
	runs: BulkRun[];
	/** Process of a trigger that polls each minute while the runs last. */
	trigger?: string | undefined;
	other?: OtherProgram;
	rule?: Partial<RateLimitRule>;
	/** Form of Retry-After: whole seconds, rounded up (`exact`) or down, so up to a second too early (`floored`). */
	retryAfter?: 'exact' | 'floored' | 'missing';
	/** Usual round trip in ms. Each request takes a random time, from half to one and a half times as long. */
	latencyMs?: number;
	seed: number;
}

export interface Report {
	/** Time from the first start to the last answer, in s. */
	seconds: number;
	/** Number of requests of the node that the service refused (429). */
	refused: number;
	/** Number of requests of the other program that the service refused. */
	othersRefused: number;
	/** Number of requests of the runs that the service accepted twice, or never. */
	wrong: number;
	/** Longest wait of a request of each run, in s. */
	longestWaits: number[];
}

const MINUTE_MS = 60_000;
/** A poll sends two requests, one after the other. It waits 25 s for each, so it ends before the next poll. */
const REQUESTS_OF_POLL = 2;
const POLL_WAIT_MS = 25_000;
const POLLS_AT_MS = 7_000;

/** Simulates processes that send with one key, in virtual time. The stand-in's own rate limiter answers them. */
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
	const limiters = new Map<string, ReturnType<typeof tenant.anotherLimiter>>();
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
	const runOther = async ({ requests, everyMs, at = 0 }: OtherProgram) => {
		await clock.sleep(at);
		for (let index = 0; index < requests; index++) {
			void tenant.answer(`other/${index}`);
			await clock.sleep(everyMs);
		}
	};

	let isOver = false;
	const poll = async (process: string) => {
		const place = { servedAt: -Infinity, polledAt: 0, apartMs: MINUTE_MS };
		for (let minute = 0; !isOver; minute++) {
			place.polledAt = clock.now();
			for (let nth = 0; nth < REQUESTS_OF_POLL; nth++) {
				const waits = { slotWaitMs: POLL_WAIT_MS, throttledWaitMs: POLL_WAIT_MS };
				const name = `poll/${minute}/${nth}`;
				const sending = tenant.submit(name, {
					poller: place,
					...waits,
					limiter: limiterOf(process),
				});
				await sending.catch(() => undefined);
			}
			await clock.sleep((minute + 1) * MINUTE_MS + POLLS_AT_MS - clock.now());
		}
	};

	if (scenario.trigger !== undefined) void poll(scenario.trigger);
	const others = scenario.other ? runOther(scenario.other) : Promise.resolve();
	const longestWaits = await clock.run(Promise.all(scenario.runs.map(runOne)));
	isOver = true;
	const seconds = clock.now() / 1000;
	await clock.run(others);
	const othersRefused = tenant.entries.filter(
		({ name, status }) => name.startsWith('other') && status === 429,
	).length;
	const times = new Map<string, number>();
	for (const name of tenant.accepted.filter((each) => /^\d/.test(each))) {
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
