import Ajv2020, { type ErrorObject } from 'ajv/dist/2020';
import { IANAZone } from 'luxon';
import type { RateLimitRule, RetryAfterForm } from './limiter';
import schema from './switches.schema.json';

/** Which requests a fault falls on; every condition given has to hold. */
export interface FaultMatch {
	method?: string;
	/** A regular expression on the path, without the query. */
	path?: string;
	/** Of the requests that fit otherwise, counted from 1: this one, or these. */
	nth?: number | number[];
	/** Of the requests that fit otherwise: the first so many. */
	first?: number;
}

/** How an answer is broken or hostile: `brokenAnswers.ts` says what goes over the wire. */
export type BrokenForm =
	| 'dripping'
	| 'switching-protocols'
	| 'huge'
	| 'huge-headers'
	| 'deeply-nested'
	| 'wrong-length'
	| 'bad-chunk'
	| 'gzip-bomb'
	| 'bad-gzip';

/** Effects of a fault on a request. */
export type FaultKind =
	/** The connection is reset. `stored`: only after the change is stored (default false). */
	| { kind: 'reset'; stored?: boolean }
	/** The body is cut in the middle, against its Content-Length (`stored` defaults to true). */
	| { kind: 'truncated'; stored?: boolean }
	/**
	 * Another answer. `body`: `html` (default) is a proxy's page, `json` a problem, anything else is
	 * sent as it is. `stored` defaults to false.
	 */
	| {
			kind: 'status';
			status: number;
			body?: 'html' | 'json' | Record<string, unknown> | unknown[];
			/** A list is sent as several headers of the name. */
			headers?: Record<string, string | string[]>;
			stored?: boolean;
	  }
	/** A success shows another record of the same kind, where there is one (`stored`: true). */
	| { kind: 'other-record'; stored?: boolean }
	/** The answer is broken or hostile on the wire (`stored` defaults to true). */
	| { kind: 'broken'; how: BrokenForm; stored?: boolean }
	/** The answer comes after so many milliseconds, or never (`stored` defaults to true). */
	| { kind: 'slow'; afterMs?: number; stored?: boolean };

export type Fault = { match?: FaultMatch } & FaultKind;

/** Statuses of the undocumented collections `/users` and `/tags`. */
export type UndocumentedAnswer = 200 | 403 | 404 | 405;

/** A fixed time in milliseconds, or a range for a random time of each request. */
export type Latency = number | [number, number];

/** Everything about the service that can be changed, at the start and at run time. */
export interface Switches {
	rateLimit: RateLimitRule;
	retryAfter: RetryAfterForm;
	/** Between the arrival of a request and its stamp in the rate limit. */
	latencyBeforeMs: Latency;
	/** Between the stamp and the answer. */
	latencyAfterMs: Latency;
	faults: Fault[];
	/** `hydra:` before the members of a collection, as in version 3 of API Platform. */
	hydraPrefix: boolean;
	/** Collections are bare arrays, even as JSON-LD. */
	bareCollections: boolean;
	/** Properties that are null are left out, as API Platform does by default. */
	omitNulls: boolean;
	/** The columns of a workspace. */
	columns: 'objects' | 'iris';
	/** Whether lists of workspaces show the columns too, or only the single workspace does. */
	columnsIn: 'everywhere' | 'single';
	/** Form of `view=idx`: the identifier of a record, in an envelope or (`…-array`) bare. */
	identifiers:
		| 'array'
		| 'envelope'
		| 'objects'
		| 'iris'
		| 'iri-array'
		| 'id-objects'
		| 'id-object-array'
		| 'uuid-objects'
		| 'uuid-object-array';
	/** What PUT and PATCH of a task answer: the whole task, or the fields an update can set. */
	updatedTask: 'task' | 'update-fields';
	users: UndocumentedAnswer;
	tags: UndocumentedAnswer;
	/** `negotiated` adds the JSON-LD members where the client accepts them. */
	problemForm: 'negotiated' | 'plain' | 'jsonld' | 'message-only';
	totalItems: boolean;
	view: boolean;
	ignoreFilters: boolean;
	/** Most entries of a page, regardless of the request; 0 for the 30 of the interface. */
	pageSize: number;
	/** The paths of lists that do not page, such as `/tasks`: everything comes at once. */
	unpaged: string[];
	/** From this page on, every page has the members of the one before; 0 for never. */
	repeatFromPage: number;
	/** Every page is the first, and says so. */
	ignorePage: boolean;
	/** Whether `view` names the next page where there is one. */
	viewNext: boolean;
	/**
	 * How filters and searches compare texts. `literal`: whole values to the letter, parts without case
	 * and accents. `forgiving`: all without case. `exact`: all to the letter, and as a whole. `partial`:
	 * by containing. Ids are always compared as ids.
	 */
	comparison: 'literal' | 'forgiving' | 'exact' | 'partial';
	/**
	 * How the values of `name[]` are understood: any of them, all of them, the last alone, the
	 * filter dropped, a 400, any of the first ten, or (`more`) any of them and half of all other records
	 * besides.
	 */
	severalValues: 'any' | 'all' | 'last' | 'dropped' | 'refused' | 'first-ten' | 'more';
	/** Query parameters that the service does not know, `name` standing for `name[]` too. */
	dropFilters: string[];
	/** Filters of people and workspaces that find nothing, `name` standing for `name[]` too. */
	deafFilters: string[];
	/** Filters that are dropped where a value of theirs is unknown. */
	dropUnknownValues: string[];
	/** The path the service is mounted at, such as `/api`; IRIs in answers begin with it. */
	mountPath: string;
	/** Whether IRIs in filters need the mount path; without it, they find nothing. */
	prefixedFilters: boolean;
	/** Text before the path of every IRI in answers, such as `https://crm.example`. */
	iriOrigin: string;
	/**
	 * The IRIs that requests may have: `paths` with or without the mount path, or `routes`, as API
	 * Platform's router does: absolute or not, with the mount path alone.
	 */
	acceptedIris: 'paths' | 'routes';
	/** Form of a reference to another record: its IRI, or an object with few fields. */
	references: 'iris' | 'embedded';
	/** Where `@id` is `/.well-known/genid/…`, beside the `id`: in embedded objects, or everywhere. */
	generatedIds: 'none' | 'embedded' | 'everywhere';
	/** `@id` and `@type` of embedded objects without an id: `random` in every answer, the same, or none. */
	embeddedIds: 'random' | 'fixed' | 'none';
	/** Form of an embedded object without values: `[]` or `{}`. */
	emptyObjects: 'list' | 'object';
	/** Whether `updatedAt` moves where nothing but a list of embedded objects changes. */
	changedEntries: 'untimed' | 'timed';
	/** Whether `updatedAt` moves with every change, stays where lists alone change, or is not shown. */
	updatedAt: 'moves' | 'stays-for-lists' | 'absent';
	/**
	 * Effect of PUT on a record: it recreates the record and its read-only fields, or keeps these, or merges like
	 * PATCH.
	 */
	replaced: 'anew' | 'kept' | 'merged';
	/** Fields shown as maps with gaps instead of lists; `member` for the records of a collection. */
	mapLists: string[];
	/** Fields of records that answers do not show. */
	omitFields: string[];
	/** Content of a 201: the record, or only its IRI as `Location`, or nothing. */
	createdAnswer: 'record' | 'location' | 'nothing';
	/** Time that reads of people still show the state before a write, as database replicas do. */
	readsLagMs: number;
	/** Whether a time in a body or a filter is taken with its offset, or as if it had none. */
	offsets: 'heeded' | 'dropped';
	/** The zone that the service runs in, by its IANA name: of times in answers, and of those without offset. */
	timezone: string;
	/** Status of a column at its own IRI. The interface does not show this path. */
	columnRecords: 200 | 404;
}

/** Changes of switches; all others stay as they are. */
export type SwitchChanges = Partial<Omit<Switches, 'rateLimit'>> & {
	rateLimit?: Partial<RateLimitRule>;
};

export const DEFAULT_SWITCHES: Switches = {
	rateLimit: { mode: 'log', limit: 20, windowMs: 60_000, countRejected: false },
	retryAfter: 'seconds',
	latencyBeforeMs: 0,
	latencyAfterMs: 0,
	faults: [],
	hydraPrefix: false,
	bareCollections: false,
	omitNulls: true,
	columns: 'objects',
	columnsIn: 'everywhere',
	identifiers: 'envelope',
	updatedTask: 'task',
	users: 404,
	tags: 404,
	problemForm: 'negotiated',
	totalItems: true,
	view: true,
	ignoreFilters: false,
	pageSize: 0,
	unpaged: [],
	repeatFromPage: 0,
	ignorePage: false,
	viewNext: true,
	comparison: 'literal',
	severalValues: 'any',
	dropFilters: [],
	deafFilters: [],
	dropUnknownValues: [],
	mountPath: '',
	prefixedFilters: false,
	iriOrigin: '',
	acceptedIris: 'routes',
	references: 'iris',
	generatedIds: 'none',
	embeddedIds: 'random',
	emptyObjects: 'list',
	changedEntries: 'untimed',
	updatedAt: 'moves',
	replaced: 'anew',
	mapLists: [],
	omitFields: [],
	createdAnswer: 'record',
	readsLagMs: 0,
	offsets: 'dropped',
	timezone: 'UTC',
	columnRecords: 404,
};

const validate = new Ajv2020({
	allErrors: true,
	allowUnionTypes: true,
	formats: { timezone: (name: string) => IANAZone.isValidZone(name) },
}).compile<SwitchChanges>(schema);

/** Returns the errors in switches from outside, such as a misspelt name. Empty if there are none. */
export function checkSwitches(value: unknown): ErrorObject[] {
	return validate(value) ? [] : (validate.errors ?? []);
}

/** Sets some switches in place; `rateLimit` is merged, everything else is replaced. */
export function changeSwitches(switches: Switches, changes: SwitchChanges): void {
	const { rateLimit, ...others } = structuredClone(changes);
	Object.assign(switches, others);
	Object.assign(switches.rateLimit, rateLimit);
}

/** The default switches with some changed; throws where a change is none. */
export function createSwitches(changes: SwitchChanges = {}): Switches {
	const [error] = checkSwitches(changes);
	if (error) throw new Error(`Switches${error.instancePath} ${error.message}`);
	const switches = structuredClone(DEFAULT_SWITCHES);
	changeSwitches(switches, changes);
	return switches;
}
