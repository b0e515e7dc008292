import Ajv2020, { type ErrorObject } from 'ajv/dist/2020';
import { IANAZone } from 'luxon';
import type { RateLimitRule, RetryAfterForm } from './limiter';
import schema from './switches.schema.json';

/** Conditions for the requests of a fault. All given conditions must hold. */
export interface FaultMatch {
	method?: string;
	/** Regular expression for the path, without the query. */
	path?: string;
	/** Numbers of the affected ones among matching requests, counted from 1. */
	nth?: number | number[];
	/** Number of matching requests that are affected, from the first on. */
	first?: number;
}

/** Broken or hostile forms of an answer. `brokenAnswers.ts` defines them. */
export type BrokenForm =
	| 'dripping'
	| 'switching-protocols'
	| 'huge'
	| 'huge-headers'
	| 'wrong-length'
	| 'bad-chunk'
	| 'gzip-bomb'
	| 'bad-gzip';

/** Effects of a fault on a request. */
export type FaultKind =
	/** The connection is reset. `stored`: only after the change was stored (default false). */
	| { kind: 'reset'; stored?: boolean }
	/** The body is cut in the middle, despite its Content-Length (`stored` defaults to true). */
	| { kind: 'truncated'; stored?: boolean }
	/**
	 * Another answer. `body`: `html` (default) is a proxy's page, `json` a problem document; other values are sent
	 * unchanged. `stored` defaults to false.
	 */
	| {
			kind: 'status';
			status: number;
			body?: 'html' | 'json' | Record<string, unknown> | unknown[];
			/** A list is sent as several headers with the same name. */
			headers?: Record<string, string | string[]>;
			stored?: boolean;
	  }
	/** A success shows another record of the same kind, if there is one (`stored`: true). */
	| { kind: 'other-record'; stored?: boolean }
	/** The answer is broken or hostile on the wire (`stored` defaults to true). */
	| { kind: 'broken'; how: BrokenForm; stored?: boolean }
	/** The answer comes after this number of milliseconds, or never (`stored` defaults to true). */
	| { kind: 'slow'; afterMs?: number; stored?: boolean };

export type Fault = { match?: FaultMatch } & FaultKind;

/** Statuses of the undocumented collections `/users` and `/tags`. */
export type UndocumentedAnswer = 200 | 403 | 404 | 405;

/** A fixed time in milliseconds, or a range for a random time of each request. */
export type Latency = number | [number, number];

/** Settings of the service, for the start and at run time. */
export interface Switches {
	rateLimit: RateLimitRule;
	retryAfter: RetryAfterForm;
	/** Time between the arrival of a request and its stamp in the rate limit. */
	latencyBeforeMs: Latency;
	/** Time between the stamp and the answer. */
	latencyAfterMs: Latency;
	faults: Fault[];
	/** Whether the members of a collection begin with `hydra:`, as in version 3 of API Platform. */
	hydraPrefix: boolean;
	/** Whether collections are bare arrays, even as JSON-LD. */
	bareCollections: boolean;
	/** Whether null properties are left out, as API Platform does by default. */
	omitNulls: boolean;
	/** Form of a workspace's columns. */
	columns: 'objects' | 'iris';
	/** Whether lists of workspaces show the columns as well, or only a single workspace. */
	columnsIn: 'everywhere' | 'single';
	/** Form of identifiers (`view=idx`): in a bare array if the name ends in `array`, otherwise in an envelope. */
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
	/** Answer to PUT and PATCH of a task: the whole task, or the fields of an update. */
	updatedTask: 'task' | 'update-fields';
	users: UndocumentedAnswer;
	tags: UndocumentedAnswer;
	totalItems: boolean;
	view: boolean;
	ignoreFilters: boolean;
	/** Maximum number of entries on a page, whatever the request says. 0 means 30, as in the interface. */
	pageSize: number;
	/** Paths of lists without paging, such as `/tasks`. They send everything at once. */
	unpaged: string[];
	/** From this page on, every page repeats the one before; 0 for never. */
	repeatFromPage: number;
	/** Whether the service ignores the page number: every answer is page 1, and its `view` says so. */
	ignorePage: boolean;
	/**
	 * Order of records that are equal in the order of a list. Without a last criterion, a database may order them anew for
	 * each page. `swapped`: the last record of a page and the first of the next change places. `byPage`: they do so only
	 * for pages with an even number.
	 */
	equalRecords: 'fixed' | 'swapped' | 'byPage';
	/** Whether `view` names the next page. */
	viewNext: boolean;
	/**
	 * Text comparison of filters and searches. `literal`: whole values exactly, parts without case and accents.
	 * `forgiving`: everything without case. `exact`: everything exactly and as a whole. `partial`: parts suffice,
	 * without case. IDs are always compared as IDs.
	 */
	comparison: 'literal' | 'forgiving' | 'exact' | 'partial';
	/**
	 * Meaning of several values in `name[]`: any of them, all of them, only the last, no filter, a 400, or (`more`) any
	 * of them and half of all other records.
	 */
	severalValues: 'any' | 'all' | 'last' | 'dropped' | 'refused' | 'more';
	/** Query parameters that the service ignores. `name` includes `name[]`. */
	dropFilters: string[];
	/** Filters that are ignored if one of their values is unknown. */
	dropUnknownValues: string[];
	/** Mount path of the service, such as `/api`. IRIs in answers begin with it. */
	mountPath: string;
	/** Whether IRIs in filters need the mount path. Without it, they then match nothing. */
	prefixedFilters: boolean;
	/** Text before the path of every IRI in answers, such as `https://crm.example`. */
	iriOrigin: string;
	/**
	 * Accepted IRIs in requests: `paths` with or without the mount path, or `routes`, as API Platform's router does:
	 * absolute or relative, but always with the mount path.
	 */
	acceptedIris: 'paths' | 'routes';
	/** Form of a reference to another record: its IRI, or an object with few fields. */
	references: 'iris' | 'embedded';
	/** Records with an `@id` of `/.well-known/genid/…` beside the `id`: embedded ones, or all. */
	generatedIds: 'none' | 'embedded' | 'everywhere';
	/** `@id` and `@type` of embedded objects without an ID: `random` in every answer, always the same, or none. */
	embeddedIds: 'random' | 'fixed' | 'none';
	/** Form of an embedded object without values: `[]` or `{}`. */
	emptyObjects: 'list' | 'object';
	/** Whether `updatedAt` changes if only a list of embedded objects changes. */
	changedEntries: 'untimed' | 'timed';
	/**
	 * Effect of PUT on a record: it recreates the record (`anew`), does so but keeps read-only fields (`kept`), or
	 * merges like PATCH (`merged`).
	 */
	replaced: 'anew' | 'kept' | 'merged';
	/** Fields shown as maps with gaps instead of lists. `member` means the records of a collection. */
	mapLists: string[];
	/** Fields that answers do not show. */
	omitFields: string[];
	/** Content of a 201: the record, or only its IRI as `Location`, or nothing. */
	createdAnswer: 'record' | 'location' | 'nothing';
	/** Time that reads of people still show the state before a write, as database replicas do. */
	readsLagMs: number;
	/** Whether the service respects the offset of a time in a body or a filter, or drops it. */
	offsets: 'heeded' | 'dropped';
	/** IANA name of the service's time zone. It applies to times in answers, and to times without an offset. */
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
	totalItems: true,
	view: true,
	ignoreFilters: false,
	pageSize: 0,
	unpaged: [],
	repeatFromPage: 0,
	ignorePage: false,
	equalRecords: 'fixed',
	viewNext: true,
	comparison: 'literal',
	severalValues: 'any',
	dropFilters: [],
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
	// A unit test checks the schema itself. Here, the check would take half of the time.
	validateSchema: false,
	formats: { timezone: (name: string) => IANAZone.isValidZone(name) },
}).compile<SwitchChanges>(schema);

/** Returns the errors in switches from outside, such as a misspelt name. Empty if there are none. */
export function checkSwitches(value: unknown): ErrorObject[] {
	return validate(value) ? [] : (validate.errors ?? []);
}

/** Sets some switches in place. `rateLimit` is merged, everything else is replaced. */
export function changeSwitches(switches: Switches, changes: SwitchChanges): void {
	const { rateLimit, ...others } = structuredClone(changes);
	Object.assign(switches, others);
	Object.assign(switches.rateLimit, rateLimit);
}

/** Returns the default switches with changes. Throws for an invalid change. */
export function createSwitches(changes: SwitchChanges = {}): Switches {
	const [error] = checkSwitches(changes);
	if (error) throw new Error(`Switches${error.instancePath} ${error.message}`);
	const switches = structuredClone(DEFAULT_SWITCHES);
	changeSwitches(switches, changes);
	return switches;
}
