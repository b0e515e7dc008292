import type {
	IDataObject,
	IDisplayOptions,
	IHttpRequestMethods,
	INodeProperties,
	NodeParameterValue,
} from 'n8n-workflow';
import type { contracts } from '../schema';
import type { Body } from '../schema/field';
import { labelOf } from '../schema/label';
import { runGetAll } from '../run/list';
import type { Paginator, RecordSpecification } from '../run/specification';
import { specifyBody } from '../run/specification';
import { runCommand, runGet, runWrite } from '../run/record';
import { required } from './parameters';

/** When a parameter of some operations of a resource is shown. */
export interface Place {
	always: IDisplayOptions;
	/** Unless the record is given as JSON or as columns. */
	asField: IDisplayOptions;
	unlessJson: IDisplayOptions;
	unlessColumns: IDisplayOptions;
	forJson: IDisplayOptions;
	forColumns: IDisplayOptions;
}

/** One operation: its texts, the request it sends, the function that runs that request, and what it shows. */
export interface Operation {
	value: string;
	name: string;
	/** Sentence case, without articles: "Create person". */
	action: string;
	description: string;
	method: IHttpRequestMethods;
	/** A constant template such as `/people/{personId}`; the paginator fills in the ids. */
	url: string;
	run: Paginator;
	/** What it gives; one record where absent. */
	gives?: 'list' | 'nothing';
	/** Of what gives nothing: what the node puts out instead, by the id of the record. */
	answer?: (id: string) => IDataObject;
	/** Absent where it takes no record. */
	takes?: TakesRecord;
	/** Parameters that it alone shows; `field` gives that of a field of the record. */
	parameters?: (place: Place, field: (name: string) => INodeProperties) => INodeProperties[];
	/** What it alone offers among Options. */
	options?: (place: Place) => INodeProperties[];
}

/** How an operation takes a record. */
export interface TakesRecord {
	body: Body;
	/**
	 * `whole`: what a record needs stands at the top level, what else it may hold under Additional Fields;
	 * `further`: the latter alone; `any`: nothing is needed, so that all stands there; `changes`: all stands
	 * under Update Fields, and Clear Fields empties it.
	 */
	fields: 'whole' | 'further' | 'any' | 'changes';
	/** `upsert` where one of the columns tells whether the record exists; absent where it takes no columns. */
	columns?: 'add' | 'upsert';
}

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
}

/** Parameters for some operations of a resource, each by its value; none where there is no such operation. */
export function shownFor(
	{ value: resource }: { value: string },
	operations: ReadonlyArray<{ value: string }>,
	parameters: (place: Place) => INodeProperties[],
): INodeProperties[] {
	if (operations.length === 0) return [];
	const show = { resource: [resource], operation: operations.map(({ value }) => value) };
	const where = (inputMode: NodeParameterValue) => ({ show: { ...show, inputMode: [inputMode] } });
	// Hidden for these rather than shown for fields, since not every operation has the choice.
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

/** What an operation says for itself; its name and action follow from its value where absent. */
type Own<Given extends keyof Operation = never> = Partial<Operation> &
	Pick<Operation, 'value' | 'description' | Given>;

/**
 * Makes the operations of one kind of record.
 *
 * @param one how descriptions call a record: "a segment (list of people)"
 */
export function operationsOn(record: RecordSpecification, one = `a ${record.noun}`) {
	const { noun, plural, collection } = record;
	const url = `${collection}/{${record.locator}}`;

	function operation(own: Own<'method' | 'url' | 'run'>): Operation {
		const { value, name = labelOf(value) } = own;
		const action = `${name.charAt(0)}${name.slice(1).toLowerCase()} ${noun}`;
		return { name, action, ...own };
	}
	const changed = (own: Own<'run'>) => operation({ method: 'PATCH', url, ...own });
	const written = (body: Body, own?: Parameters<typeof specifyBody>[2]) =>
		runWrite(record, specifyBody(record, body, own));

	const verbs = {
		/** Works with the collection as a whole. */
		onCollection: (own: Own<'method' | 'run'>) => operation({ url: collection, ...own }),

		/** Changes one record in a way of its own. */
		changed,

		create: (description: string) =>
			operation({
				value: 'create',
				description,
				method: 'POST',
				url: collection,
				run: written('create'),
				takes: { body: 'create', fields: 'whole', columns: 'add' },
			}),

		duplicate: (description: string) =>
			operation({
				value: 'duplicate',
				description,
				method: 'POST',
				url: `${url}/duplicate`,
				run: written('duplicate', { required: [] }),
				takes: { body: 'duplicate', fields: 'any' },
			}),

		get: (description: string) =>
			operation({ value: 'get', description, method: 'GET', url, run: runGet(record) }),

		getAll: (description: string) =>
			operation({
				value: 'getAll',
				name: 'Get Many',
				action: `Get many ${plural}`,
				description,
				method: 'GET',
				url: collection,
				run: runGetAll(record),
				gives: 'list',
			}),

		update: () =>
			changed({
				value: 'update',
				description: `Change some fields of ${one} and keep the others`,
				run: written('update', { required: [] }),
				takes: { body: 'update', fields: 'changes', columns: 'add' },
			}),

		replace: () =>
			operation({
				value: 'replace',
				description: `Replace all fields of ${one}; fields that are not given are reset`,
				method: 'PUT',
				url,
				run: written('update'),
				takes: { body: 'update', fields: 'whole' },
			}),

		/** Sets one field, and nothing else. */
		setOne: (field: string, own: Own) =>
			changed({
				...own,
				run: written('update', { required: [field] }),
				parameters: ({ asField }, parameter) => [required(parameter(field), asField)],
			}),

		/** Sets one point in time, to the present one where the user gives none. */
		setNow: (field: string, own: Own) =>
			changed({
				...own,
				run: written('update', { required: [field], nowWhereEmpty: [field] }),
				parameters: ({ always: displayOptions }, parameter) => {
					const point = parameter(field);
					const description = `${point.description}. Empty means now.`;
					return [{ ...point, description, displayOptions }];
				},
			}),

		/** Empties one field. */
		setEmpty: (field: string, own: Own) =>
			changed({
				...own,
				run: written('update', { required: [], emptied: [field] }),
			}),

		/**
		 * Has the service do something with a record, which it answers without a result.
		 *
		 * @param answer what the node gives instead, by the id of the record
		 */
		command: (answer: (id: string) => IDataObject, own: Own) =>
			operation({
				...own,
				method: 'POST',
				url: `${url}/${own.value}`,
				run: runCommand(record, own.value, answer),
				gives: 'nothing',
				answer,
			}),
	};

	return {
		...verbs,
		archive: () =>
			verbs.setNow('archivedAt', { value: 'archive', description: `Mark ${one} as archived` }),
		unarchive: () =>
			verbs.setEmpty('archivedAt', {
				value: 'unarchive',
				description: `Take ${one} back from the archive`,
			}),
	};
}
