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
import type { Collection } from '../tenant/collections';
import { bodySchema, fieldsOf, namesWhere, type RecordContract } from '../schema/record';
import { Headings } from '../schema/headings';
import { type TableColumn, tableColumnsOf } from '../schema/tableColumns';

/** Function that does all the work of an item. The engine calls it with the request of the item. */
export type Paginator = (
	this: IExecutePaginationFunctions,
	request: DeclarativeRestApiSettings.ResultOptions,
) => Promise<INodeExecutionData[]>;

/** Returns the title or name of a reference, if it is known. */
export type TitleOf = (reference: unknown, collection: Collection) => string | undefined;

/** Description of the node parameter that the editor shows for a filter. */
export type FilterParameter = Pick<Filter, 'label' | 'takesSeveral' | 'refersTo' | 'bound'> & {
	kind: FilterKind | 'choice';
	/** Whether the value may be the e-mail address of a person. */
	takesEmail?: boolean;
	/** Values of a choice except "any", with descriptions. */
	choices?: Readonly<Record<string, string>>;
};

/** The present time, for filters that compare times. */
export interface Moment {
	/** Time in ms since 1970. */
	wallTime: number;
	/** Time zone of the workflow, for a day without a time. */
	timezone: string;
}

/** A filter that the service lacks: the node applies it to the records that it reads. */
export interface ReadFilter extends FilterParameter {
	/** Field that the filter compares. If no record shows the field, the node cannot apply the filter. */
	shownIn?: string;
	passes: (record: IDataObject, values: readonly string[], moment: Moment) => boolean;
}

/** Description of the records of a resource, for requests and output. */
export interface RecordSpecification extends RecordContract {
	/** Returns the record in the form of Output: Simplified, with at most ten flat fields and titles of references. */
	simplify: (record: IDataObject, titleOf: TitleOf) => IDataObject;
	/** Columns of Selected Fields that the node computes from a record, by their names. */
	derived?: Readonly<Record<string, (record: IDataObject) => string>>;
	/** Filters of the list that the service lacks, by the names of their parameters. */
	readFilters?: Readonly<Record<string, ReadFilter>>;
}

/** The body of an operation: create, update, replace or duplicate. */
export interface BodySpecification {
	fields: RecordContract['fields'];
	/** Columns of a table for the fields of the body. */
	columns: readonly TableColumn[];
	/** Returns the rules that match table headings to fields. The first call builds them, as few runs need them. */
	headings: () => Headings;
	/** Returns the zod schema of the request body: every field is optional, and unknown fields pass. */
	schema: () => AnyZodObject;
	/** Fields that may not be empty. */
	required: readonly string[];
	/** Fields that get the present time if the user left them empty. */
	nowWhereEmpty: readonly string[];
	/** Fields that the operation always empties. */
	emptied: readonly string[];
}

/** Properties of a body specification that an operation may override. */
export type OwnOfBody = Partial<Pick<BodySpecification, 'required' | 'nowWhereEmpty' | 'emptied'>>;

/**
 * Describes the body of an operation.
 *
 * @param body kind of body, such as "update", to choose the fields of the contract
 * @param own properties that the operation overrides. `required` defaults to the required fields of the contract
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
		emptied: [],
		...own,
	};
}
