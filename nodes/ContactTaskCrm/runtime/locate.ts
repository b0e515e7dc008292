import type { IDataObject } from 'n8n-workflow';
import type { Connection } from '../transport/connection';
import type { NodeRun } from '../transport/nodeRun';
import type { Place } from './itemOrder';

/** What an item is going to do, once it is known whom it found. */
export type Intent = 'create' | 'change' | 'leave' | 'read' | 'refuse';

/** An e-mail address to look for. */
export interface EmailSearch {
	run: NodeRun;
	/** Who looks for it, apart from all others of the run: an item, or one of the links of an item. */
	key: string;
	email: string;
	/** Label of the parameter that holds it: "Person". */
	label: string;
	/** Whether who is found is written to, and so is looked up shortly before. */
	isToBeWritten: boolean;
	/** What the item is going to do with the record found, for the plan of the run. */
	intend: (record: IDataObject) => Intent;
}

/** Announces that an item looks for a record by e-mail address. */
export type LocateByEmail = (search: EmailSearch) => {
	/** What the record is known by before it is looked up: items that have one in common take turns. */
	targets: readonly string[];
	whenEnded: () => void;
	/** @throws ExplainedError where nobody is found, or several are */
	find: (connection: Connection, place: Place) => Promise<FoundRecord>;
};

/** A record that was looked up. */
export interface FoundRecord {
	id: string;
	/** The record as it was looked up, unless it was written to since. */
	current: () => IDataObject | undefined;
}
