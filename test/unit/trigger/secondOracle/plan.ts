import { randomFrom } from '../support/modelList';
import type { TenantHabits } from '../support/crmTenant';

/** What the trigger watches, with the events that belong to it. */
export const WATCHED = {
	people: ['personCreated', 'personUpdated'],
	segment: ['personAddedToSegment', 'personRemovedFromSegment'],
	tasks: ['taskCreated', 'taskUpdated', 'taskMoved', 'taskCompleted'],
	comments: ['commentAdded'],
	history: ['historyAdded'],
} as const;

export type Watch = keyof typeof WATCHED;

/** Something that somebody does in the service. */
export interface Deed {
	/** Milliseconds after its round began. */
	after: number;
	kind: string;
	/** Which of the records it is done to, from 0 to 1; how, from 0 to 1. */
	who: number;
	how: number;
}

/** The service fails for a share of the requests in a while, in ms after the round began. */
export interface Outage {
	from: number;
	to: number;
	share: number;
	as: number | 'reset' | 'silence';
}

/** Deeds for a while; then nothing, until the trigger must have seen all of them. */
export interface Round {
	minutes: number;
	deeds: Deed[];
	outages: Outage[];
	/** After which polls of the round n8n is killed. */
	kills: number[];
}

/** Everything that happens in a run: the same plan ends the same each time. */
export interface Plan {
	seed: number;
	habits: TenantHabits;
	watch: Watch;
	events: string[];
	/** What the trigger is filtered by, of what the event offers. */
	filter: 'none' | 'owner' | 'segment' | 'tag' | 'workspace' | 'column';
	/** Records before the workflow is published, and how many of them came in one second. */
	records: number;
	atOnce: number;
	maxRequests: number;
	intervalMinutes: number;
	host: (typeof HOSTS)[number];
	rounds: Round[];
	/** Seconds after each poll in which another trigger of the process polls the same list. */
	companionAfter?: number;
}

const DEEDS: Record<Watch, string[]> = {
	people: 'create create create change change change fit unfit archive restore remove'.split(' '),
	segment: 'create join join join leave leave leave change archive restore remove'.split(' '),
	tasks: 'create create change change move move move complete complete reopen remove'.split(' '),
	comments: 'create create create create change remove'.split(' '),
	history: 'create create create create create remove'.split(' '),
};

const FILTERS: Record<Watch, Array<Plan['filter']>> = {
	people: ['none', 'none', 'owner', 'segment', 'tag'],
	segment: ['none', 'none', 'owner', 'tag'],
	tasks: ['none', 'none', 'workspace', 'column'],
	comments: ['none'],
	history: ['none'],
};

/** What n8n keeps of what the trigger remembers. */
const HOSTS = ['inMemory', 'inMemory', 'scheduler', 'durableCursors'] as const;

const ORDERS = ['oldestFirst', 'newestFirst', 'changedFirst', 'changedLast', 'byTitle', 'none'];

const QUIET: Round = { minutes: 1, deeds: [], outages: [], kills: [] };

/** How large a plan may be. */
export interface Bounds {
	records: number;
	deeds: number;
}

/** Draws a plan, over orders of magnitude. */
export function somePlan(seed: number, watch: Watch, bounds: Bounds): Plan {
	const random = randomFrom(seed * 7919 + Object.keys(WATCHED).indexOf(watch));
	for (let skipped = 0; skipped < 5; skipped++) random();
	const within = (from: number, to: number) => from + Math.floor(random() * (to - from + 1));
	const magnitude = (from: number, to: number) => Math.round(from * (to / from) ** random());
	const one = <T>(of: readonly T[]) => of[Math.floor(random() * of.length)];
	const some = <T>(of: readonly T[]) => {
		const drawn = of.filter(() => random() < 0.6);
		return drawn.length > 0 ? drawn : [one(of)];
	};
	const order = one(ORDERS) as TenantHabits['order'];
	// Each page of such a list is drawn anew, so seeing all of a long one takes too long.
	const records =
		magnitude(1, (order === 'none' ? Math.min(300, bounds.records) : bounds.records) + 1) - 1;
	const round = (): Round => {
		const minutes = magnitude(1, 60);
		const count = Math.min(bounds.deeds, magnitude(1, 1000) * minutes);
		const deeds = Array.from({ length: count }, (): Deed => {
			const [after, who, how] = [within(0, minutes * 60_000), random(), random()];
			return { after, kind: one(DEEDS[watch]), who, how };
		}).sort((first, second) => first.after - second.after);
		const outages = Array.from({ length: Math.max(0, within(-2, 2)) }, (): Outage => {
			const from = within(0, minutes * 60_000);
			const to = from + magnitude(1000, 90 * 60_000);
			return {
				from,
				to,
				share: one([0.2, 0.5, 1]),
				as: one([503, 500, 429, 'reset', 'silence'] as const),
			};
		});
		const kills = Array.from({ length: Math.max(0, within(-1, 2)) }, () => magnitude(1, 40) - 1);
		return { minutes, deeds, outages, kills };
	};
	const plan: Plan = {
		seed,
		habits: {
			order,
			shufflesTies: random() < 0.3,
			hasTotals: random() < 0.7,
			hasView: random() < 0.7,
			showsArchived: random() < 0.5,
			latencyMs: magnitude(1, 3000),
			seed,
		},
		watch,
		events: some(WATCHED[watch]),
		filter: one(FILTERS[watch]),
		records,
		atOnce: magnitude(1, 300),
		maxRequests: magnitude(1, 60),
		intervalMinutes: one([1, 1, 1, 5, 60]),
		host: one(HOSTS),
		// What happens after a quiet start can be judged by more.
		rounds: [...(random() < 0.7 ? [QUIET] : []), ...Array.from({ length: within(1, 2) }, round)],
	};
	return random() < 0.3 ? { ...plan, companionAfter: within(1, 30) } : plan;
}
