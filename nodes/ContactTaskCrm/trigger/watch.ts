import type { IDataObject } from 'n8n-workflow';
import type { OutputForm } from '../run/output';
import type { RecordSpecification } from '../run/specification';
import type { EventDefinition, WatchedList } from './events';
import type { Aspect } from './remembered';
import type { Page } from '../http/paging';
import type { Subject } from '../http/request';

/** A query parameter as it goes out. */
export type QueryPair = readonly [name: string, value: string];

/** A page of a list, and when the service gave it by its own clock (its `Date` header). */
export interface ServedPage extends Page {
	servedAt: number;
}

/** A record that has to exist for anything to happen: a segment, a task, a workspace. */
export interface Anchor {
	path: string;
	subject: Subject;
	/** @throws UnusableParameter where the record is not what the parameters need it to be */
	assertSuits?: (record: IDataObject) => void;
}

/** What a trigger watches: a list, and which events of its records start the workflow. */
export interface Watch {
	/** The list, events, filters and the tenant in a few letters: what a state belongs to. */
	key: string;
	list: WatchedList;
	/** Path of the list. */
	path: string;
	/** What the list is about, for messages. */
	subject: Subject;
	record: RecordSpecification;
	/** In which its records leave the node. */
	form: OutputForm;
	events: readonly EventDefinition[];
	/** What is remembered of each record, in the order of `ASPECTS`. */
	aspects: readonly Aspect[];
	/** Fields of which one has to change for a record to count as updated; any, where there are none. */
	watchedFields: readonly string[];
	/** When Task Due has to be told of a task; undefined where it is never due. */
	dueTimeOf: (record: IDataObject) => number | undefined;
	/** Filters that the service applies. */
	filters: readonly QueryPair[];
	/** The same filters once more, and those the service lacks: filters of such services fail open. */
	matches: (record: IDataObject) => boolean;
	/** Of a segment: whether a record that was read shows that the person is in it. */
	isMember?: (record: IDataObject) => boolean;
	/** Whether the service can be asked for the list by creation time (interface, section 4.1). */
	isTimed: boolean;
	/** Whether what is new is looked for by creation time. */
	hasWindow: boolean;
	/** Whether the list is read from its first record to its last, again and again. */
	hasScan: boolean;
	/** Whether records may say that they are older than they are: a comment's time can be written. */
	mayBeBackdated: boolean;
	anchors: readonly Anchor[];
	pageSize: number;
}

/** Something that starts the workflow: what has happened, to which record, and what it was before. */
export interface ChangeEvent {
	event: EventDefinition;
	record: IDataObject;
	before: IDataObject;
}
