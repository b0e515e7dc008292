import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecutePaginationFunctions,
	INodeExecutionData,
} from 'n8n-workflow';
import type { AnyZodObject } from 'zod';
import type { Body } from '../schema/field';
import type { Filter, FilterKind } from '../schema/filter';
import type { RecordContract } from '../schema/record';
import type { Collection } from '../tenant/directory';
import { bodySchema, fieldsOf, namesWhere } from '../schema/record';
import type { TableColumn } from '../schema/tableColumns';
import { tableColumnsOf } from '../schema/tableColumns';

/** The function the engine hands a finished request to; it owns all that follows. */
export type Paginator = (
	this: IExecutePaginationFunctions,
	request: DeclarativeRestApiSettings.ResultOptions,
) => Promise<INodeExecutionData[]>;

/** The title or name of a record that another one refers to, where it is known. */
export type TitleOf = (reference: unknown, collection: Collection) => string | undefined;

/** What reading the value of a filter needs to know of it. */
export type FilterParameter = Pick<Filter, 'label' | 'takesSeveral' | 'refersTo'> & {
	/** A choice is one of several words. */
	kind: FilterKind | 'choice';
	/** Whether a person may be given by e-mail address, to be looked up once all is read. */
	takesEmail?: boolean;
	/** Of a choice: the words that it takes beside "any", with what each means. */
	choices?: Readonly<Record<string, string>>;
};

/** When and where a filter is applied. */
export interface Moment {
	/** ms since 1970. */
	wallTime: number;
	/** Of the workflow, in which a day without a time is meant. */
	timezone: string;
}

/** A filter that the service lacks: the node applies it to what it reads. */
export interface ReadFilter extends FilterParameter {
	/** The field that each record shows, without which nobody could tell who passes. */
	shownIn?: string;
	/** Whether a record passes, by values as they stand for parameters of the kind. */
	passes: (record: IDataObject, values: readonly string[], moment: Moment) => boolean;
}

/** What the operations of a resource need to know of its records. */
export interface RecordSpecification extends RecordContract {
	/** At most ten flat fields, chosen for what people use next; references with their titles. */
	simplify: (record: IDataObject, titleOf: TitleOf) => IDataObject;
	/** Columns of Selected Fields that the node works out of a record, by their names. */
	derived?: Readonly<Record<string, (record: IDataObject) => string>>;
	/** Filters of its list that the service lacks, by the names of their parameters. */
	readFilters?: Readonly<Record<string, ReadFilter>>;
}

/** What a body may hold. One for each shape the service takes (create, update, replace, duplicate). */
export interface BodySpecification {
	fields: RecordContract['fields'];
	/** The columns of a table that may give them. */
	columns: readonly TableColumn[];
	/** Whether it may link other records. */
	hasLinks: boolean;
	/** The body on the wire: every field optional, unknown fields pass. */
	schema: AnyZodObject;
	/** Fields that must be there and not empty before a request is spent. */
	required: readonly string[];
	/** Fields that are set to the present time where the user left them empty. */
	nowWhereEmpty: readonly string[];
	/** Fields that the operation empties, whatever the user gives. */
	emptied: readonly string[];
}

/**
 * The body of an operation.
 *
 * @param body whose fields it may hold
 * @param own where absent, it needs all that the contract needs of a record, and sets nothing by itself
 */
export function specifyBody(
	contract: RecordContract,
	body: Body,
	own: Partial<Pick<BodySpecification, 'required' | 'nowWhereEmpty' | 'emptied'>> = {},
): BodySpecification {
	const fields = fieldsOf(contract, body);
	return {
		fields,
		columns: tableColumnsOf(fields),
		hasLinks: Object.values(fields).some(({ kind }) => kind === 'record'),
		schema: bodySchema(contract, body),
		required: namesWhere(fields, ({ isRequired }) => isRequired),
		nowWhereEmpty: [],
		emptied: [],
		...own,
	};
}
