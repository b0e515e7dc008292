import type {
	IDataObject,
	IDisplayOptions,
	IHttpRequestMethods,
	IN8nRequestOperations,
	INodeProperties,
	NodeParameterValue,
} from 'n8n-workflow';
import type { contracts } from '../schema';
import type { Body } from '../schema/field';
import type { RecordSpecification } from '../output/specification';

/** Display conditions for parameters of some operations of a resource. */
export interface Display {
	always: IDisplayOptions;
	/** Shows a parameter unless the user gives the record as JSON or as columns of a table. */
	asField: IDisplayOptions;
	unlessJson: IDisplayOptions;
	unlessColumns: IDisplayOptions;
	forJson: IDisplayOptions;
	forColumns: IDisplayOptions;
}

export interface Operation {
	value: string;
	name: string;
	/** Name in n8n's node panel, in sentence case and without articles, such as "Create person". */
	action: string;
	description: string;
	method: IHttpRequestMethods;
	/** Path template, such as `/people/{personId}`. The function in `run` fills in the IDs. */
	url: string;
	/** Does all the work of an item. n8n's engine calls it as the paginator of the operation. */
	run: NonNullable<IN8nRequestOperations['pagination']>;
	/** Whether the ID of the record comes from the parameter Output Item, as for Undo. If absent, a locator gives it. */
	isOfItem?: boolean;
	/**
	 * Kind of output. If absent, the operation returns the record that it reads or writes. `list`: the records of a
	 * list. `nothing`: no record, because the service answers without one. `other`: items that are no records.
	 */
	gives?: 'list' | 'nothing' | 'other';
	/**
	 * Returns an example of the output with a record ID, for n8n's output previews. Present if the output is no record.
	 */
	answer?: (id: string) => IDataObject;
	/**
	 * The way that the user gives the fields to send. Absent if the operation sends no fields, or itself names the
	 * fields, as Move does.
	 */
	takes?: TakesRecord;
	/**
	 * When the operation reads the record before it writes; absent if it never reads. `always`: for each item. `lookup`:
	 * by a lookup that up to 30 items share. `ifAsked`: for a preview, and if the user sets Tell What Changed or
	 * Approved Changes. Such an item also reads if it finds the person by e-mail address, or adds to a list from a
	 * column.
	 */
	reads?: 'always' | 'lookup' | 'ifAsked';
	/** Usual number of requests of an item, such as 5 for Merge, for the hint before a run. If absent, `reads` tells it. */
	requests?: number;
	/** Texts of the operation's locator, if the general ones do not fit. `purpose`: first words of the description. */
	locates?: { label: string; purpose: string };
	/**
	 * Returns the parameters of this operation only. `place` has the display conditions, `field` returns the parameter of
	 * a field.
	 */
	parameters?: (place: Display, field: (name: string) => INodeProperties) => INodeProperties[];
	/** Returns the options of this operation only. */
	options?: (place: Display) => INodeProperties[];
}

/** The way that an operation takes the fields of a record from the user. */
export interface TakesRecord {
	body: Body;
	/**
	 * Place of the fields in the editor. `requiredAtTop`: required fields are at the top level, the others in Additional
	 * Fields. `ownAtTop`: likewise, but the operation itself describes its required fields. `allAdditional`: all are in
	 * Additional Fields. `updateFields`: all are in Update Fields.
	 */
	fields: 'requiredAtTop' | 'ownAtTop' | 'allAdditional' | 'updateFields';
	/** Names of optional fields that the editor shows at the top level, and not in Additional Fields. */
	first?: readonly string[];
	/** Present if the user may map columns of a table. With `upsert`, one of the columns finds an existing record. */
	columns?: 'add' | 'upsert';
}

/** A resource in the editor. API Request has no records, so its operations define all of their parameters. */
export interface PlainResource {
	value: string;
	name: string;
	description: string;
	operations: readonly [Operation, ...Operation[]];
	fields?: INodeProperties[];
}

/** A resource with records, such as Person. */
export interface Resource extends PlainResource {
	value: keyof typeof contracts;
	record: RecordSpecification;
	/** Names of the fields that Additional Fields shows in a new node, with their defaults. */
	addedAtFirst?: string[];
	filters?: INodeProperties[];
	orders?: INodeProperties[];
	/** An example of a record as JSON. */
	json?: string;
	/** Method of `lists/tableColumns.ts` that returns the columns to map, and headings as examples for the editor. */
	columns?: { method: string; examples: string };
	/** Whether the service can return a list with nothing but identifiers (interface, sections 4.1 and 4.4). */
	givesIdentifiers?: boolean;
}

/** Returns parameters that the editor shows for some operations of a resource; none if `operations` is empty. */
export function shownFor(
	{ value: resource }: { value: string },
	operations: ReadonlyArray<{ value: string }>,
	parameters: (place: Display) => INodeProperties[],
): INodeProperties[] {
	if (operations.length === 0) return [];
	const show = { resource: [resource], operation: operations.map(({ value }) => value) };
	const where = (inputMode: NodeParameterValue) => ({ show: { ...show, inputMode: [inputMode] } });
	// An operation without the parameter `inputMode` shows all its parameters. So these conditions name the modes that
	// hide a parameter, and not the modes that show it.
	const unless = (...inputMode: NodeParameterValue[]) => ({ show, hide: { inputMode } });
	return parameters({
		always: { show },
		asField: unless('columns', 'json'),
		unlessJson: unless('json'),
		unlessColumns: unless('columns'),
		forJson: where('json'),
		forColumns: where('columns'),
	});
}
