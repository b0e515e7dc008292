import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecutePaginationFunctions,
	INodeExecutionData,
} from 'n8n-workflow';
import type { AnyZodObject } from 'zod';
import type { Body } from '../contract/field';
import type { RecordContract } from '../contract/record';
import type { Collection } from '../directory/directory';
import type { LocateByEmail } from './locate';
import type { ReadFilter } from './readFilter';
import { bodySchema, fieldsOf, namesWhere } from '../contract/record';

/** The function the engine hands a finished request to; it owns all that follows. */
export type Paginator = (
	this: IExecutePaginationFunctions,
	request: DeclarativeRestApiSettings.ResultOptions,
) => Promise<INodeExecutionData[]>;

/** The title or name of a record that another one refers to, where it is known. */
export type TitleOf = (reference: unknown, collection: Collection) => string | undefined;

/** What the operations of a resource need to know of its records. */
export interface RecordSpecification extends RecordContract {
	/** At most ten flat fields, chosen for what people use next; references with their titles. */
	simplify: (record: IDataObject, titleOf: TitleOf) => IDataObject;
	/** Filters of its list that the service lacks, by the names of their parameters. */
	readFilters?: Readonly<Record<string, ReadFilter>>;
	/** Finds a record by e-mail address, where its kind has one. */
	locateByEmail?: LocateByEmail;
	/** Takes notice that a record was written to, so that what was read before is read again. */
	noticeWrite?: (credential: string, id: string) => void;
}

/** What a body may hold. One for each shape the service takes (create, update, replace, duplicate). */
export interface BodySpecification {
	fields: RecordContract['fields'];
	/** The body on the wire: every field optional, unknown fields pass. */
	schema: AnyZodObject;
	/** Fields that must be there and not empty before a request is spent. */
	required: readonly string[];
	/** Fields that are set to the present time where the user left them empty. */
	nowWhereEmpty: readonly string[];
	/** Fields that the operation empties, whatever the user gives. */
	emptied: readonly string[];
	/** Finds people who are linked by e-mail address, where the body may link people. */
	locateByEmail?: LocateByEmail;
}

/**
 * The body of an operation.
 *
 * @param body whose fields it may hold
 * @param required what it needs; all that the contract needs of a record where absent
 */
export function specifyBody(
	contract: RecordContract,
	body: Body,
	{
		required,
		nowWhereEmpty = [],
		emptied = [],
		locateByEmail,
	}: {
		required?: readonly string[];
		nowWhereEmpty?: readonly string[];
		emptied?: readonly string[];
		locateByEmail?: LocateByEmail;
	} = {},
): BodySpecification {
	const fields = fieldsOf(contract, body);
	return {
		fields,
		schema: bodySchema(contract, body),
		required: required ?? namesWhere(fields, ({ isRequired }) => isRequired),
		nowWhereEmpty,
		emptied,
		...(locateByEmail ? { locateByEmail } : {}),
	};
}

/** The body that sets one point in time, to the present one where the user gives none. */
export function setNow(contract: RecordContract, name: string): BodySpecification {
	return specifyBody(contract, 'update', { required: [name], nowWhereEmpty: [name] });
}

/** The body that empties one field, and nothing else. */
export function setEmpty(contract: RecordContract, name: string): BodySpecification {
	return specifyBody(contract, 'update', { required: [], emptied: [name] });
}
