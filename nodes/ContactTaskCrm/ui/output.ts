import type { IDisplayOptions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import type { RecordContract } from '../schema/record';
import { namesWhere } from '../schema/record';
import { shownFor } from './display';
import { choices, collection, filters, labelled, notice, parameter } from './parameters';
import type { Resource } from './resource';

/** How far a list is read, which of its records are returned, and in which order. */
export function listParameters(resource: Resource): INodeProperties[] {
	const { operations, record, filters: fields, orders } = resource;
	const lists = operations.filter(({ gives }) => gives === 'list');
	const { plural, readFilters } = record;
	return shownFor(resource, lists, ({ always }) => [
		...listing(always),
		// The service lacks these filters: what they cost should be no surprise.
		...(readFilters
			? [
					notice(
						'filtersNotice',
						`The node applies filters of ${plural} while it reads, 30 ${plural} a request, and stops when the limit is reached`,
						always,
					),
				]
			: []),
		...(fields ? [filters(fields, always)] : []),
		...(orders
			? [
					collection(
						'sort',
						'Add Sort Rule',
						'The order in which the service returns the records',
						orders,
						always,
					),
				]
			: []),
	]);
}

/** Return All and Limit, as every "Get Many" has them. */
function listing(displayOptions: IDisplayOptions): INodeProperties[] {
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

const OF_RECORDS = choices({
	raw: 'Everything the service answers, as it answers it',
	selectedFields: 'Only the fields you choose, as the service answers them',
	simplified:
		'The fields that are used most, without nesting, and with the titles of what they refer to',
});
const COUNT = choices({ count: 'How many records there are, from one request, as one item' });
const IDENTIFIERS = choices({
	identifiers: 'Only the ID of each record, which is the quickest',
});

/** How much of each record is returned. */
export function outputs(resource: Resource): INodeProperties[] {
	const { operations, record, givesIdentifiers } = resource;
	const ofLists = [...COUNT, ...(givesIdentifiers ? IDENTIFIERS : []), ...OF_RECORDS];
	const giving = (...kinds: Array<'list' | undefined>) =>
		operations.filter(({ gives }) => gives !== 'nothing' && kinds.includes(gives));
	return [
		...shownFor(resource, giving(undefined), ({ always }) => [recordOutput(always)]),
		...shownFor(resource, giving('list'), ({ always }) => [output(ofLists, always)]),
		...shownFor(resource, giving('list', undefined), ({ always }) => [fieldChoice(record, always)]),
	];
}

function output(options: INodePropertyOptions[], displayOptions: IDisplayOptions): INodeProperties {
	return parameter('output', 'options', {
		default: 'simplified',
		description: 'How much of each record to return',
		displayOptions,
		options,
	});
}

/** Output, for operations that are answered with one record. */
export function recordOutput(displayOptions: IDisplayOptions): INodeProperties {
	return output(OF_RECORDS, displayOptions);
}

/** The choice of fields that Output leaves to the user, from the fields a record has on the wire. */
export function fieldChoice(
	{ fields }: RecordContract,
	displayOptions: IDisplayOptions,
): INodeProperties {
	// "_" marks a deprecated field, which remains in the raw output.
	const names = namesWhere(fields, ({ shown }) => shown !== undefined).filter(
		(name) => !name.startsWith('_'),
	);
	return parameter('fields', 'multiOptions', {
		default: ['id'],
		description: 'Fields of each record to return, by the names they have in the service',
		displayOptions: { show: { ...displayOptions.show, output: ['selectedFields'] } },
		options: labelled(names),
	});
}
