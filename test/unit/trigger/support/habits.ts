import { createSwitches, type Switches } from '../../../service/switches';

/** Behaviour of a service where the interface leaves a choice, and its deviations from the interface. */
export interface TenantHabits {
	/** Order of lists without a requested order, and always of tasks, comments and history. */
	order: (typeof LIST_ORDERS)[number];
	/** Whether equal records change places on each page. */
	shufflesTies: boolean;
	hasTotals: boolean;
	hasView: boolean;
	/** Most records on a page. A service may give fewer than requested. */
	mostPerPage: number;
	/** Whether archived people stay in lists without the filter `exists[archivedAt]`. */
	showsArchived: boolean;
	/** Whether lists of people ignore time filters and the requested order, or only the filters. */
	ignoresTime: boolean | 'filters';
	/** Part of the people without a creation time. Time filters leave them out; sorted lists begin with them. */
	undated: number;
	/** Whether lists of people ignore filters by owner, segment and tag. */
	ignoresFilters: boolean;
	/** Time zone of the service, visible in the offsets of times. It drops the offset of times in filters. */
	timezone: string;
	/** Path before those of the interface, in the base URL and in IRIs: empty or `/api`. */
	prefix: string;
	/** Whether references are records with their own IRI. */
	embeds: boolean;
	/** Whether each answer writes records in another equivalent form. References then alternate between both forms. */
	rewrites: boolean;
	/** Greatest age of an answer in ms, like that of a replica that lags. */
	lagMs: number;
	/** Longest time from a request to its answer, in ms. Other changes may happen in between. */
	latencyMs: number;
	/** Seed of the random values. */
	seed: number;
}

export const LIST_ORDERS = [
	'oldestFirst',
	'newestFirst',
	'changedFirst',
	'changedLast',
	'byTitle',
	'byPlace',
	'byColumn',
	'none',
] as const;

export const USUAL: TenantHabits = {
	order: 'oldestFirst',
	shufflesTies: false,
	hasTotals: true,
	hasView: true,
	mostPerPage: 30,
	showsArchived: true,
	ignoresTime: false,
	undated: 0,
	ignoresFilters: false,
	timezone: 'UTC',
	prefix: '',
	embeds: false,
	rewrites: false,
	lagMs: 0,
	latencyMs: 500,
	seed: 1,
};

const TIME_FILTERS = ['after', 'strictly_after', 'before', 'strictly_before'].map(
	(name) => `createdAt[${name}]`,
);
const REFERENCE_FILTERS = ['segments.uuid', 'tags.id', 'owner.id'];

/** Returns the switches of the stand-in that give its lists and references these habits. */
export function switchesOf(habits: TenantHabits): Switches {
	const { hasTotals, hasView, mostPerPage, ignoresTime, ignoresFilters } = habits;
	return createSwitches({
		totalItems: hasTotals,
		view: hasView,
		bareCollections: !hasTotals && !hasView,
		pageSize: mostPerPage,
		dropFilters: [
			...(ignoresTime === false ? [] : TIME_FILTERS),
			...(ignoresTime === true ? ['order[createdAt]'] : []),
			...(ignoresFilters ? REFERENCE_FILTERS : []),
		],
		mountPath: habits.prefix,
		references: habits.embeds ? 'embedded' : 'iris',
		timezone: habits.timezone,
	});
}
