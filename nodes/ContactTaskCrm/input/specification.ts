import { once } from 'lodash';
import type { AnyZodObject } from 'zod';
import type { Body } from '../schema/field';
import { bodySchema, fieldsOf, namesWhere, type RecordContract } from '../schema/record';
import { Headings } from '../tables/headings';
import { type TableColumn, tableColumnsOf } from '../schema/tableColumns';
import type { IDataObject } from 'n8n-workflow';

/** Description of the request body of an operation: create, update, replace or duplicate. */
export interface BodySpecification {
	fields: RecordContract['fields'];
	/** Columns of a table that can give the fields their values. */
	columns: readonly TableColumn[];
	/**
	 * Returns the rules that match table headings to columns. The first call builds them, because few runs need them.
	 */
	headings: () => Headings;
	/** Returns the zod schema that checks the body. Every field is optional, and unknown fields pass. */
	schema: () => AnyZodObject;
	/** Names of the fields that must have a value. */
	required: readonly string[];
	/** Names of the fields that get the present time if the user leaves them empty. */
	nowWhereEmpty: readonly string[];
	/** Fields that the operation always sets, with their values. */
	fixed: Readonly<IDataObject>;
}

/** Properties of `BodySpecification` that an operation may set instead of the defaults. */
export type OwnOfBody = Partial<Pick<BodySpecification, 'required' | 'nowWhereEmpty' | 'fixed'>>;

/**
 * Describes the body of an operation.
 *
 * @param body kind of body, such as "update". The body takes the fields that the contract lists for this kind
 * @param own properties that the operation sets itself. Without `required`, the body requires the required fields of
 *   the contract
 */
export function specifyBody(
	contract: RecordContract,
	body: Body,
	own: OwnOfBody = {},
): BodySpecification {
	const fields = fieldsOf(contract, body);
	const columns = tableColumnsOf(fields);
	return {
		fields,
		columns,
		headings: once(() => new Headings(fields, columns)),
		schema: once(() => bodySchema(contract, body)),
		required: namesWhere(fields, ({ isRequired }) => isRequired),
		nowWhereEmpty: [],
		fixed: {},
		...own,
	};
}
