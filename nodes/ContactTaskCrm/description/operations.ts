import type { IHttpRequestMethods, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import type { Paginator } from '../runtime/specification';
import { sortedBy } from './order';

/** One operation: its texts, the request it sends, and the function that runs that request. */
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
}

function operationOption(operation: Operation): INodePropertyOptions {
	const { value, name, action, description, method, url, run } = operation;
	return {
		name,
		value,
		action,
		description,
		routing: {
			request: { method, url },
			send: { paginate: true },
			operations: { pagination: run },
		},
	};
}

/**
 * The Operation parameter of a resource, its operations in alphabetical order of their names; the
 * first one given is the default.
 */
export function operations(resource: string, list: Operation[]): INodeProperties {
	const options = sortedBy(list.map(operationOption), ({ name }) => name);
	const [{ value: preset }] = list;
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		default: preset,
		displayOptions: { show: { resource: [resource] } },
		description: 'What to do with the records of the resource',
		options,
	};
}
