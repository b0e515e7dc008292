import { once } from 'lodash';
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
import { Headings } from '../schema/headings';
import type { TableColumn } from '../schema/tableColumns';
import { tableColumnsOf } from '../schema/tableColumns';

/** The function to which the engine hands a finished request. It does all that follows. */
export type Paginator = (
	this: IExecutePaginationFunctions,
	request: DeclarativeRestApiSettings.ResultOptions,
) => Promise<INodeExecutionData[]>;

/** Returns the title or name of a reference, if it is known. */
export type TitleOf = (reference: unknown, collection: Collection) => string | undefined;

/** The parameter of a filter. */
export type FilterParameter = Pick<Filter, 'label' | 'takesSeveral' | 'refersTo'> & {
	/** A choice is one of several words. */
	kind: FilterKind | 'choice';
	/** Whether it takes a person by e-mail address. */
	takesEmail?: boolean;
	/** Words of a choice beside "any", with their meanings. */
	choices?: Readonly<Record<string, string>>;
};

/** The present, for filters by time. */
export interface Moment {
	/** Time in ms since 1970. */
	wallTime: number;
	/** Time zone of the workflow, for a day without a time. */
	timezone: string;
}

/** A filter that the service lacks: the node applies it to the records that it reads. */
export interface ReadFilter extends FilterParameter {
	/** The field that it looks at. A service that shows it in no record cannot be filtered. */
	shownIn?: string;
	passes: (record: IDataObject, values: readonly string[], moment: Moment) => boolean;
}

/** The records of a resource. */
export interface RecordSpecification extends RecordContract {
	/** Returns at most ten flat fields that people use next; references with their titles. */
	simplify: (record: IDataObject, titleOf: TitleOf) => IDataObject;
	/** Columns of Selected Fields that the node works out of a record, by their names. */
	derived?: Readonly<Record<string, (record: IDataObject) => string>>;
	/** Filters of its list that the service lacks, by the names of their parameters. */
	readFilters?: Readonly<Record<string, ReadFilter>>;
}

/** The body of an operation: create, update, replace or duplicate. */
export interface BodySpecification {
	fields: RecordContract['fields'];
	/** Columns of a table for its fields. */
	columns: readonly TableColumn[];
	/** Returns the meanings of the headings of a table. The first call makes them, because few runs need them. */
	headings: () => Headings;
	/** Whether a body may link other records. */
	hasLinks: boolean;
	/** Returns the type of the body on the wire: every field optional, unknown fields pass. The first call makes it. */
	schema: () => AnyZodObject;
	/** Fields that may not be empty. */
	required: readonly string[];
	/** Fields that hold the present time if the user left them empty. */
	nowWhereEmpty: readonly string[];
	/** Fields that the operation empties. */
	emptied: readonly string[];
}

/**
 * Describes the body of an operation.
 *
 * @param body name of the fields in the contract
 * @param own if absent, it requires the same fields as the contract, and sets nothing by itself
 */
export function specifyBody(
	contract: RecordContract,
	body: Body,
	own: Partial<Pick<BodySpecification, 'required' | 'nowWhereEmpty' | 'emptied'>> = {},
): BodySpecification {
	const fields = fieldsOf(contract, body);
	const columns = tableColumnsOf(fields);
	return {
		fields,
		columns,
		headings: once(() => new Headings(fields, columns)),
		hasLinks: Object.values(fields).some(({ kind }) => kind === 'record'),
		schema: once(() => bodySchema(contract, body)),
		required: namesWhere(fields, ({ isRequired }) => isRequired),
		nowWhereEmpty: [],
		emptied: [],
		...own,
	};
}
