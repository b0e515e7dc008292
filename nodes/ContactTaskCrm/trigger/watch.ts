import type { IDataObject } from 'n8n-workflow';
import type { RecordSpecification } from '../runtime/specification';
import type { Subject } from '../transport/serviceErrors';
import type { Page } from '../transport/paging';
import type { Rule } from './rules';
import type { Instant } from './times';

/** A query parameter as it goes out. */
export type QueryPair = readonly [name: string, value: string];

/**
 * How a list can be read. `window`: by creation time, from shortly before the newest record on.
 * `people`: by creation time, the whole of it. `tasks`: page by page. `newTasks`: page by page,
 * after a look at the end where new ones are likely. `entries`: page by page, and new ones at one end.
 */
export type Reading = 'window' | 'people' | 'tasks' | 'newTasks' | 'entries';

/** A page of a list, and when the service gave it by its own clock (its `Date` header). */
export interface ServedPage extends Page {
	servedAt?: Instant;
}

/** What a trigger watches: a list, and what to tell of its records. */
export interface Watch {
	/** The event, its filters and the tenant in a few letters: what a memory belongs to. */
	key: string;
	/** Path of the list. */
	path: string;
	/** What the list is about, for messages. */
	subject: Subject;
	record: RecordSpecification;
	reading: Reading;
	/** Filters that the service applies. */
	filters: readonly QueryPair[];
	/** One more filter, left out where the list is read page by page and leaving it must be seen. */
	membership?: QueryPair;
	/** The same filters once more, since those of a service may fail open. */
	matches: (record: IDataObject) => boolean;
	rule: Rule;
	/** What an item says of before where that is not known, so that it has the same fields. */
	unknownBefore: IDataObject;
	/** Whether many records share what is remembered of them. */
	sharesTexts: boolean;
	/** What must exist for the event to be possible: a segment, a task, a workspace. */
	anchor?: {
		path: string;
		subject: Subject;
		/** @throws UnusableParameter where the record is not what the parameters need it to be */
		assertSuits?: (record: IDataObject) => void;
	};
	pageSize: number;
}

/** What an event and its filters make of a watch. */
export type WatchSettings = Omit<Watch, 'key' | 'pageSize' | 'unknownBefore'>;

/** A record to which the event has happened, and what it was before where that is known. */
export interface Happening {
	record: IDataObject;
	before: IDataObject;
}
