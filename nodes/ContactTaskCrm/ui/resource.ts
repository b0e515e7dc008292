import type { INodeProperties } from 'n8n-workflow';
import type { contracts } from '../schema';
import type { RecordSpecification } from '../run/specification';
import type { Operation } from './operations';

/** A resource of the node without records of its own: its operations bring all of their parameters. */
export interface PlainResource {
	/** Its value of the Resource parameter. */
	value: string;
	name: string;
	description: string;
	operations: Operation[];
	/** The parameters of its fields. */
	fields?: INodeProperties[];
}

/** One resource of the node: its records, its texts, its operations, and what the editor shows for them. */
export interface Resource extends PlainResource {
	/** By which its contract is called, too. */
	value: keyof typeof contracts;
	record: RecordSpecification;
	/** In the order in which the choice of fields names them. */
	operations: Operation[];
	/** Fields that stand at the top level of Create although a record does not need them. */
	first?: string[];
	/** Fields of Additional Fields that are there without a click, as blanks. */
	open?: string[];
	filters?: INodeProperties[];
	orders?: INodeProperties[];
	/** A record as JSON, to begin with; where a record can be written. */
	json?: string;
	/** Where its records can be taken from tables: the method that gives the columns, and some that fit. */
	columns?: { method: string; examples: string };
	/** Whether the service can give the identifiers of a list alone (interface, sections 4.1 and 4.4). */
	givesIdentifiers?: boolean;
	/** The order in which the locator of the task above names the operations, where it is another one. */
	below?: string[];
}
