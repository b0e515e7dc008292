import type { TableColumn } from '../schema/tableColumns';

/** Headings of a row for one column: those with its values, and those that lose. */
export interface Taken {
	column: TableColumn;
	/**
	 * Headings that match best. Several headings may spell one name, such as "Email" and "E-Mail". For a list, only the
	 * first of them.
	 */
	best: string[];
	/**
	 * Headings of additional values. These are further list entries, such as "E-mail 2 Address". Or they are text to put
	 * behind the best value, such as "House Number". Headings with a kind word such as "Home" come last. "Work" ranks
	 * like no kind word.
	 */
	further: string[];
	/**
	 * Headings of values that go in front of the best one. In English and French, the house number goes in front of the
	 * street. The workspace goes in front of a task's column.
	 */
	inFront?: string[];
	/** Whether the best heading gives several parts of an address, and the column takes one of them. */
	isSplit?: boolean;
	/** Headings that match less well than `best`. The column does not take their values. */
	beaten: string[];
	/** Headings of cells that tell the kind of a phone number: "Phone 1 - Label" may hold "Home". */
	deciding: string[];
}
