import type { IDisplayOptions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { namesWhere } from '../schema/record';
import { type Resource, shownFor } from './operations';
import { choices, collection, filters, labelled, parameter } from './parameters';
import type { RecordSpecification } from '../output/specification';

export function listParameters(resource: Resource): INodeProperties[] {
	const { operations, filters: fields, orders } = resource;
	const lists = operations.filter(({ gives }) => gives === 'list');
	return shownFor(resource, lists, ({ always }) => [
		...listing(always),
		...(fields ? [filters(fields, always)] : []),
		...(orders
			? [collection('sort', 'Add Sort Rule', 'The order in which the records come', orders, always)]
			: []),
	]);
}

/** Returns the parameters Return All and Limit. */
export function listing(displayOptions: IDisplayOptions): INodeProperties[] {
	return [
		parameter('returnAll', 'boolean', {
			default: false,
			description: 'Whether to return all results or only up to a given limit',
			displayOptions,
		}),
		parameter('limit', 'number', {
			typeOptions: { minValue: 1 },
			default: 50,
			description: 'Max number of results to return',
			displayOptions: { show: { ...displayOptions.show, returnAll: [false] } },
		}),
	];
}

/** Choices of Output for one record. */
const RECORD_FORMS = choices({
	raw: 'Everything the service answers, as it answers it',
	selectedFields:
		'Only the fields you choose, as flat columns for a spreadsheet: several values in one cell with commas',
	simplified:
		'The fields that are used most, without nesting; titles and names of what they refer to, or else IDs',
});
const COUNT = choices({
	count: 'How many records there are, as one item, from one request and one more for each filter',
});
const IDENTIFIERS = [
	{ name: 'IDs Only', value: 'identifiers', description: 'Only the ID of each record' },
];

/** Returns the parameters Output and Fields for operations that read. */
export function outputs(resource: Resource): INodeProperties[] {
	const { operations, record, givesIdentifiers } = resource;
	const ofLists = [...COUNT, ...(givesIdentifiers ? IDENTIFIERS : []), ...RECORD_FORMS];
	const reading = operations.filter(({ method, gives }) => method === 'GET' && gives !== 'other');
	const ofOne = reading.filter(({ gives }) => gives !== 'list');
	const ofMany = reading.filter(({ gives }) => gives === 'list');
	return [
		...shownFor(resource, ofOne, ({ always }) => [recordOutput(always)]),
		...shownFor(resource, ofMany, ({ always }) => [recordOutput(always, ofLists)]),
		...shownFor(resource, reading, ({ always }) => [fieldChoice(record, always)]),
	];
}

/** Returns the parameters Output and Fields for operations that write. The editor shows them under Options. */
export function outputOptions(resource: Resource): INodeProperties[] {
	const { operations, record } = resource;
	const writing = operations.filter(({ method, gives }) => method !== 'GET' && gives !== 'nothing');
	return shownFor(resource, writing, ({ always }) => [
		recordOutput(always),
		fieldChoice(record, always),
	]);
}

/** Returns the parameter Output. By default, it has the options for one record. */
export function recordOutput(
	displayOptions: IDisplayOptions,
	options: INodePropertyOptions[] = RECORD_FORMS,
): INodeProperties {
	return parameter('output', 'options', {
		default: 'simplified',
		description: 'How much of each record to return',
		displayOptions,
		options,
	});
}

/** Returns the parameter Fields: the choice of fields for the output "Selected Fields". */
export function fieldChoice(
	{ fields, usual, derived = {} }: Pick<RecordSpecification, 'fields' | 'usual' | 'derived'>,
	displayOptions: IDisplayOptions,
): INodeProperties {
	// The interface marks deprecated fields with "_". Only raw output shows these fields.
	const names = namesWhere(fields, ({ shown }) => shown !== undefined).filter(
		(name) => !name.startsWith('_'),
	);
	return parameter('fields', 'multiOptions', {
		default: usual.split(' '),
		description:
			'Fields of each record to return, as flat columns: several values with commas; an address as street, postalCode, city and country; users, tags and segments by name, or else ID; status and workspace with the title beside; other parts as JSON',
		displayOptions: { show: { ...displayOptions.show, output: ['selectedFields'] } },
		options: labelled([...names, ...Object.keys(derived)]),
	});
}
