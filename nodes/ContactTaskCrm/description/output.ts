import type { IDisplayOptions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import type { RecordContract } from '../contract/record';
import { namesWhere } from '../contract/record';
import { labelled } from './input';

const simplified: INodePropertyOptions = {
	name: 'Simplified',
	value: 'simplified',
	description:
		'The fields that are used most, without nesting, and with the titles of what they refer to',
};
const raw: INodePropertyOptions = {
	name: 'Raw',
	value: 'raw',
	description: 'Everything the service answers, as it answers it',
};
const selectedFields: INodePropertyOptions = {
	name: 'Selected Fields',
	value: 'selectedFields',
	description: 'Only the fields you choose, as the service answers them',
};
const identifiers: INodePropertyOptions = {
	name: 'Identifiers',
	value: 'identifiers',
	description: 'Only the ID of each record, which is the quickest',
};

const count: INodePropertyOptions = {
	name: 'Count',
	value: 'count',
	description: 'How many records there are, from one request, as one item',
};

function output(options: INodePropertyOptions[], displayOptions: IDisplayOptions): INodeProperties {
	return {
		displayName: 'Output',
		name: 'output',
		type: 'options',
		default: 'simplified',
		description: 'How much of each record to return',
		displayOptions,
		options,
	};
}

/** Output, for operations that are answered with one record. */
export function recordOutput(displayOptions: IDisplayOptions): INodeProperties {
	return output([raw, selectedFields, simplified], displayOptions);
}

/**
 * Output, for lists.
 *
 * @param mayIdentify whether the service can give identifiers alone (interface, sections 4.1 and 4.4)
 */
export function listOutput(displayOptions: IDisplayOptions, mayIdentify = false): INodeProperties {
	const options = mayIdentify ? [count, identifiers] : [count];
	return output([...options, raw, selectedFields, simplified], displayOptions);
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
	return {
		displayName: 'Fields',
		name: 'fields',
		type: 'multiOptions',
		default: ['id'],
		description: 'Fields of each record to return, by the names they have in the service',
		displayOptions: { show: { ...displayOptions.show, output: ['selectedFields'] } },
		options: labelled(names),
	};
}
