import type { IDataObject } from 'n8n-workflow';
import type { ReadFilter } from '../schema/filter';
import type { Collection, RecordContract } from '../schema/record';

/** Returns the title or name of a referenced record; undefined if the node does not know it. */
export type TitleOf = (reference: unknown, collection: Collection) => string | undefined;

/** Description of the records of a resource: the contract, and the form of the records in the output. */
export interface RecordSpecification extends RecordContract {
	/**
	 * Returns a record in the form of Output: Simplified. This form has at most ten flat fields. A title or name
	 * replaces most references.
	 */
	simplify: (record: IDataObject, titleOf: TitleOf) => IDataObject;
	/** Columns of Selected Fields that the node computes from a record, by their names. */
	derived?: Readonly<Record<string, (record: IDataObject) => string>>;
	/** Filters that the service lacks, and that the node applies to a list itself. The keys are names of parameters. */
	readFilters?: Readonly<Record<string, ReadFilter>>;
}
