import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecutePaginationFunctions,
} from 'n8n-workflow';
import type { Client } from '../crm/client';
import type { Account } from '../crm/tenant';
import type { Match } from '../lookup/find';
import type { Lookups } from '../lookup/lookups';
import type { ReadRow } from '../tables/cell';
import type { Headings } from '../tables/headings';
import type { ResolvedByTitle } from '../lookup/byName';
import type { Resolved } from '../values/reference';
import type { Source } from './labels';

/** An input item of a run, with the members that `input/` needs. `run/item.ts` implements it. */
export interface InputItem {
	readonly context: IExecutePaginationFunctions;
	/** Request that n8n's engine built from the node's description: method, path template, query and body. */
	readonly request: DeclarativeRestApiSettings.ResultOptions['options'];
	/** Options that the user has added. Expressions may give them values of any type. */
	readonly options: { matchBy?: unknown; replaceLists?: unknown; whenFilterEmpty?: unknown };
	/** Whether the user gives values as columns of a table. */
	readonly isMapped: boolean;
	/** Whether the user gives the record as JSON. */
	readonly isJson: boolean;
	/** The changes that the option Approved Changes allows the item to make. Absent without this option. */
	readonly approval: { valueOf: (field: string) => unknown } | undefined;
	readonly run: {
		/** Whether an AI agent runs the node as a tool. */
		readonly isTool: boolean;
		readonly lookups: Lookups;
		/** Lookups of people for the checks of bodies, before any item of the run writes. */
		readonly checks: Lookups;
		/** Decrypts the credential of the node, once for all items. */
		openAccount(context: IExecutePaginationFunctions): Promise<Account>;
	};

	/**
	 * Rules that match the headings of the item's row to columns. Absent if the user maps each column by hand, or gives no
	 * columns.
	 */
	readonly headings: Headings | undefined;
	/**
	 * The row of the item, from its columns. The first use reads the row.
	 *
	 * @throws UnusableParameter as `readRow` does
	 */
	readonly row: ReadRow;
	/** The parameters and columns that gave the values of the item. Messages use their labels. */
	readonly sources: readonly Source[];

	/** Adds a note for the user. The output shows it in its field `note`. */
	addNote(note: string): void;
	/** Adds a note on an unusable value that the item leaves out. With On Error: Stop, this value would fail the item. */
	addNoteOfLeftOut(note: string): void;
	/** Returns the editor's label for a path into a body, such as `emailAddresses[0].email`. */
	labelAt(path: string, body: IDataObject): string;
	/** Returns advice for the user, or for the model of an AI agent: how to refer to a record of a collection. */
	adviceOn(collection: string): string;
	/** Announces a lookup of a person, so that several items can share one request. */
	looksFor(lookup: Match): Match;
	/**
	 * Returns the IRI of each reference, or an error text for an unusable reference. Looks titles up in the service. If a
	 * reference has an invalid form, sends no request, and returns only the error text of this reference.
	 */
	iris(
		references: readonly unknown[],
		collection: string,
	): Promise<Array<Resolved | ResolvedByTitle>>;
	/**
	 * Returns the IRI of a reference, or an error text if the reference is unusable. Looks titles up in the service.
	 *
	 * @param within IRIs of workspaces. If the reference is the title of a column, the node searches these workspaces
	 *   first
	 */
	iri(
		reference: unknown,
		collection: string,
		within?: readonly string[],
	): Promise<Resolved | ResolvedByTitle>;
	/** Does the same as `iri`, but returns the ID of the record. */
	id: InputItem['iri'];
	/** Sends a read for the check of the parameters, before any item of the run writes. */
	readAhead<T>(read: (client: Client) => Promise<T>): Promise<T>;
}
