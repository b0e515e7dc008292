import type { IDataObject, IHttpRequestMethods, INodeProperties } from 'n8n-workflow';
import type { Body } from '../schema/field';
import { labelOf } from '../schema/label';
import { runGetAll } from '../run/list';
import type { BodySpecification, Paginator, RecordSpecification } from '../run/specification';
import { setEmpty, setNow, specifyBody } from '../run/specification';
import { runCommand, runGet, runWrite } from '../run/record';
import type { Place } from './display';
import { required } from './parameters';

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
	const written = (specification: BodySpecification) => runWrite(record, specification);

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
				run: written(specifyBody(record, 'create')),
				takes: { body: 'create', fields: 'whole', columns: 'add' },
			}),

		duplicate: (description: string) =>
			operation({
				value: 'duplicate',
				description,
				method: 'POST',
				url: `${url}/duplicate`,
				run: written(specifyBody(record, 'duplicate', { required: [] })),
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
				run: written(specifyBody(record, 'update', { required: [] })),
				takes: { body: 'update', fields: 'changes', columns: 'add' },
			}),

		replace: () =>
			operation({
				value: 'replace',
				description: `Replace all fields of ${one}; fields that are not given are reset`,
				method: 'PUT',
				url,
				run: written(specifyBody(record, 'update')),
				takes: { body: 'update', fields: 'whole' },
			}),

		/** Sets one field, and nothing else. */
		setOne: (field: string, own: Own) =>
			changed({
				...own,
				run: written(specifyBody(record, 'update', { required: [field] })),
				parameters: ({ asField }, parameter) => [required(parameter(field), asField)],
			}),

		/** Sets one point in time, to the present one where the user gives none. */
		setNow: (field: string, own: Own) =>
			changed({
				...own,
				run: written(setNow(record, field)),
				parameters: ({ always: displayOptions }, parameter) => {
					const point = parameter(field);
					const description = `${point.description}. Empty means now.`;
					return [{ ...point, description, displayOptions }];
				},
			}),

		/** Empties one field. */
		setEmpty: (field: string, own: Own) =>
			changed({ ...own, run: written(setEmpty(record, field)) }),

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
