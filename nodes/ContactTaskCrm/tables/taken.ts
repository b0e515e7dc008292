import type { TableColumn } from '../schema/tableColumns';

/** The headings of a row that give a column its value. */
export interface Taken {
	column: TableColumn;
	/** Headings that match best. There are several if they spell one name differently, such as "Email" and "E-Mail". */
	best: string[];
	/** Headings of additional values for the column: "E-mail 2 Address", "House Number". Headings for work come first. */
	further: string[];
	/** Headings of values that go in front of the best one: in French, the house number stands before the street. */
	inFront?: string[];
	/** Headings that match less well. The column does not take their values. */
	beaten: string[];
	/** Headings of values that tell the kind of a phone number: "Phone 1 - Label" may hold "Home". */
	deciding: string[];
}
