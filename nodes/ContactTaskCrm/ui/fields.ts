import type { INodeProperties, INodePropertyTypeOptions, NodePropertyTypes } from 'n8n-workflow';
import type { Field, FieldKind } from '../schema/field';
import { EXAMPLES } from '../values/reference';
import {
	ANY,
	type Bound,
	type Filter,
	type FilterParameter,
	type ReadFilter,
} from '../schema/filter';
import { labelOf } from '../schema/label';
import { type RecordContract, referenceForm } from '../schema/record';
import { isSearched, locator, TITLE_EXAMPLES } from './locators';
import { choices as choicesOf, parameter, type Texts } from './parameters';

/** Texts of the editor for a field, a filter or a part of a field. Everything else comes from the schema. */
interface TableEntry extends Texts {
	/** Type of the parameter for a part of a field, because the schema has no types of parts. Text by default. */
	type?: NodePropertyTypes;
	/** Label of the button that adds an entry to a list. */
	addsEntry?: string;
}

/**
 * Texts by the name of a field, filter or part. A string is the description. For a reference, the string is only the
 * beginning: `dropDown` or `locator` adds the ways to choose the record.
 */
type Table = Readonly<Record<string, TableEntry | string>>;

/** Texts of fields that several resources have. `description.ts` joins parameters only if their texts are equal. */
export const SHARED = {
	archivedAt: 'When it was archived, such as 2026-12-31T17:00:00Z',
	title: { meaning: 'What it is called', example: 'Renewals in March' },
} satisfies Table;

export function fieldParameters({ fields }: RecordContract, table: Table): INodeProperties[] {
	return tableRows(table).map(([name, entry]) =>
		fieldParameter(name, describedBy(fields, name), entry),
	);
}

export function partParameters(table: Table): INodeProperties[] {
	return tableRows(table).map(([name, entry]) => parameter(name, entry.type ?? 'string', entry));
}

export function parameterNamed(parameters: INodeProperties[], name: string): INodeProperties {
	return parameters.find((one) => one.name === name)!;
}

function describedBy<T>(schema: Readonly<Record<string, T>>, name: string): T {
	const found = schema[name];
	if (found === undefined) throw new Error(`The schema has no ${name}`);
	return found;
}

function tableRows(table: Table): Array<[string, TableEntry]> {
	return Object.entries(table).map(([name, given]) => {
		const isText = typeof given === 'string';
		return [name, isText ? { meaning: given, description: given } : given];
	});
}

const PARAMETER_TYPES: Readonly<Record<FieldKind, NodePropertyTypes>> = {
	any: 'json',
	boolean: 'boolean',
	dateTime: 'dateTime',
	number: 'number',
	object: 'collection',
	record: 'string',
	reference: 'string',
	text: 'string',
	wholeNumber: 'number',
};

const ZONE = 'Without a time zone, it is in that of the workflow.';

function fieldParameter(name: string, field: Field, entry: TableEntry): INodeProperties {
	const { kind, isList, refersTo } = field;
	const { meaning = '', parts } = entry;
	const loaded = LOADED.get(refersTo ?? '');
	if (isList && refersTo && loaded) {
		const form = `${referenceForm(refersTo)}, such as ${TITLE_EXAMPLES[refersTo]}`;
		const label = labelOf(name).replace(/s$/, '');
		return dropDown(name, label, loaded, `${meaning}, each by ${form}`);
	}
	if (refersTo && isSearched(refersTo)) {
		const one = locator({ name, collection: refersTo, purpose: meaning });
		return isList ? { ...one, typeOptions: several(entry) } : one;
	}
	const example = refersTo && EXAMPLES[refersTo];
	if (isList && kind !== 'any') {
		const type = parts ? 'collection' : 'string';
		const list = parts ? {} : { default: [] };
		return parameter(name, type, { example, typeOptions: several(entry), ...list, ...entry });
	}
	const whole = kind === 'wholeNumber' ? { typeOptions: { numberPrecision: 0 } } : {};
	const { description = '' } = entry;
	const zoned = kind === 'dateTime' && { description: `${description}. ${ZONE}` };
	return parameter(name, PARAMETER_TYPES[kind], { example, ...whole, ...entry, ...zoned });
}

function several({ addsEntry }: TableEntry): INodePropertyTypeOptions {
	return { multipleValues: true, ...(addsEntry && { multipleValueButtonText: addsEntry }) };
}

/** Method of `lists/loadOptions.ts` that fills a drop-down, and advice for the case that its records have no names. */
type LoadedList = readonly [method: string, advice: string];

const LOADED: ReadonlyMap<string, LoadedList> = new Map([
	['/segments', ['getSegments', '']],
	['/tags', ['getTags', ' Where tags have no names here, give them some in the credential.']],
	[
		'/users',
		['getOwners', ' Where colleagues have no names here, give them some in the credential.'],
	],
]);

/** Returns a drop-down for several records. n8n's lint requires the words of its label and description. */
function dropDown(
	name: string,
	label: string,
	[loadOptionsMethod, advice]: LoadedList,
	meaning: string,
): INodeProperties {
	return parameter(name, 'multiOptions', {
		label: `${label} Names or IDs`,
		typeOptions: { loadOptionsMethod },
		description: `${meaning}.${advice} Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.`,
	});
}

const BOUNDS: Readonly<Record<Bound, string>> = {
	after: 'at this time or later',
	before: 'at this time or earlier',
	strictly_after: 'later than this time',
	strictly_before: 'earlier than this time',
};

/**
 * Returns the parameters of filters, with the texts of the table. A filter by a point in time needs no entry in the
 * table, because its texts follow from its bound.
 *
 * @param plural noun for the records of the list: "people"
 */
export function filterParameters(
	filters: Readonly<Record<string, Filter | ReadFilter>>,
	plural: string,
	table: Table,
): INodeProperties[] {
	const bounds = Object.entries(filters).flatMap(([name, filter]): Array<[string, TableEntry]> => {
		if (!filter.bound) return [];
		const [verb] = filter.label.toLowerCase().split(' ');
		return [[name, { meaning: `Return ${plural} ${verb} ${BOUNDS[filter.bound]}` }]];
	});
	return [...bounds, ...tableRows(table)].map(([name, entry]) =>
		filterParameter(name, describedBy(filters, name), entry),
	);
}

function filterParameter(
	name: string,
	{ label, kind, takesSeveral, choices, refersTo }: FilterParameter,
	entry: TableEntry,
): INodeProperties {
	const { meaning = '' } = entry;
	const loaded = LOADED.get(refersTo ?? '');
	if (loaded) return dropDown(name, label, loaded, meaning);
	if (refersTo && isSearched(refersTo)) {
		return locator({ name, displayName: label, collection: refersTo, purpose: meaning });
	}
	if (kind === 'boolean' || kind === 'choice') {
		const options = [...(choices ? choicesOf(choices) : YES_OR_NO), ANY_VALUE];
		return parameter(name, 'options', { label, default: 'true', ...entry, options });
	}
	const list = takesSeveral ? { typeOptions: several(entry), default: [] } : {};
	const example = kind === 'dateTime' ? '2026-01-31T09:00:00Z' : refersTo && EXAMPLES[refersTo];
	const type = kind === 'dateTime' ? kind : 'string';
	return parameter(name, type, { label, example, ...list, ...entry });
}

/** Choices of a filter by yes or no. A switch has only two positions, and this filter has three: Yes, No and Any. */
const YES_OR_NO = [
	{ name: 'Yes', value: 'true' },
	{ name: 'No', value: 'false' },
];
const ANY_VALUE = { name: 'Any', value: ANY, description: 'As though this filter was not there' };

type OrderEntry = Record<'default' | 'description' | 'ascending' | 'descending', string>;

export function orderParameters(table: Readonly<Record<string, OrderEntry>>): INodeProperties[] {
	return Object.entries(table).map(([name, { ascending, descending, ...texts }]) =>
		parameter(name, 'options', {
			...texts,
			options: [
				{ name: 'Ascending', value: 'asc', description: ascending },
				{ name: 'Descending', value: 'desc', description: descending },
			],
		}),
	);
}
