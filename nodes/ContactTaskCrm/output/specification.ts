import type { IDataObject } from 'n8n-workflow';
import type { ReadFilter } from '../schema/filter';
import type { Collection } from '../schema/collections';
import type { RecordContract } from '../schema/record';

/** Returns the title or name of a reference, if it is known. */
export type TitleOf = (reference: unknown, collection: Collection) => string | undefined;

/** Description of the records of a resource, for requests and output. */
export interface RecordSpecification extends RecordContract {
	/** Returns the record in the form of Output: Simplified, with at most ten flat fields and titles of references. */
	simplify: (record: IDataObject, titleOf: TitleOf) => IDataObject;
	/** Columns of Selected Fields that the node computes from a record, by their names. */
	derived?: Readonly<Record<string, (record: IDataObject) => string>>;
	/** Filters of the list that the service lacks, by the names of their parameters. */
	readFilters?: Readonly<Record<string, ReadFilter>>;
}
