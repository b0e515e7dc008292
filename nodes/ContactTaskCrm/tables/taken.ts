import type { TableColumn } from '../schema/tableColumns';

/** The headings of a row that give one column its value, by their roles. */
export interface Taken {
	column: TableColumn;
	/** Headings that match best. There are several if they spell one name differently, such as "Email" and "E-Mail". */
	best: string[];
	/**
	 * Headings of additional values for the column: "E-mail 2 Address", "House Number". Those with a kind word other
	 * than work, such as home, come last.
	 */
	further: string[];
	/**
	 * Headings of values that go in front of the best one: in English and French, the house number in front of the
	 * street.
	 */
	inFront?: string[];
	/** Headings that match less well. The column does not take their values. */
	beaten: string[];
	/** Headings of cells that tell the kind of a phone number: "Phone 1 - Label" may hold "Home". */
	deciding: string[];
}
