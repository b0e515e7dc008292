import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecutePaginationFunctions,
	INodeExecutionData,
} from 'n8n-workflow';
import type { ZodTypeAny } from 'zod';

/** The function the engine hands a finished request to; it owns all that follows. */
export type Paginator = (
	this: IExecutePaginationFunctions,
	request: DeclarativeRestApiSettings.ResultOptions,
) => Promise<INodeExecutionData[]>;

/** What the operations of a resource need to know of its records. */
export interface RecordSpecification {
	/** How messages call one record, in lower case: "person". */
	noun: string;
	/** How messages call several: "people". */
	plural: string;
	/** Path of the collection; a record's IRI is this and its id. May hold parameters: "/tasks/{taskId}/comments". */
	collection: string;
	/** At most ten flat fields, chosen for what people use next. */
	simplify: (record: IDataObject) => IDataObject;
}

/** What a body may hold. One for each shape the service takes (create, update, replace, duplicate). */
export interface BodySpecification {
	/** The fields on the wire (an object schema that lets unknown fields pass); every field optional. */
	schema: ZodTypeAny;
	/** Fields that must be there and not empty before a request is spent. */
	required: readonly string[];
	/**
	 * Fields that point to other records, with the collection they point into, such as
	 * `{ owner: '/users' }`: ids and embedded records given there become IRIs.
	 */
	references: Readonly<Record<string, string>>;
	/**
	 * Lists of entries, with the field of an entry that must hold something: one that does not is
	 * left out, so that a blank cell of a table neither is sent nor replaces what is there.
	 */
	entries?: Readonly<Record<string, string>>;
	/** Fields that are set to the present time where the user left them empty. */
	nowWhereEmpty?: readonly string[];
}

/**
 * What a query parameter holds: free text, the id or the IRI of a record (given as either),
 * a point in time, a yes or no, or a direction of sorting.
 */
export type QueryKind = 'text' | 'id' | 'iri' | 'dateTime' | 'boolean' | 'direction';

/**
 * The documented query parameters of a list, by the name that goes over the wire, with what messages
 * call them: as their parameters are called in the node.
 */
export type QuerySpecification = Readonly<
	Record<string, { kind: QueryKind; collection?: string; label?: string }>
>;
