import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { pathParameters } from '../util/iri';
import { shownFor } from './display';
import { fieldLists, fieldOf, fieldsAtTop, inputModes, listOptions } from './input';
import { parentTaskLocator, recordLocator } from './locators';
import type { Operation } from './operations';
import { options } from './options';
import { sortedBy } from './order';
import { listParameters, outputOptions, outputs } from './output';
import type { PlainResource, Resource } from './resource';
import { joined } from './shared';

/** The parameters of the node, from its resources. */
export function parametersOf(resources: readonly PlainResource[]): INodeProperties[] {
	const places = resources.flatMap(({ value, operations }) =>
		operations.map((operation) => `${value} ${operation.value}`),
	);
	return [
		...joined([resourceParameter(resources), ...resources.flatMap(resourceParameters)], places),
		options(joined(resources.flatMap(ownOptions), places)),
	];
}

/** What kind of record the node works with. */
function resourceParameter(resources: readonly PlainResource[]): INodeProperties {
	return {
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		default: 'person',
		description: 'What kind of record to work with',
		// Where the operation is unknown, nothing else has a routing: the engine would send a bare request.
		routing: { send: { paginate: true } },
		options: resources.map(resourceOption),
	};
}

function resourceOption({ name, value, description }: PlainResource): INodePropertyOptions {
	return { name, value, description };
}

/** The parameters of one resource, each shown for the operations that need it. */
function resourceParameters(resource: PlainResource | Resource): INodeProperties[] {
	const field = (name: string) => fieldOf(resource, name);
	const own = resource.operations.flatMap((operation) =>
		shownFor(resource, [operation], (place) => operation.parameters?.(place, field) ?? []),
	);
	if (!('record' in resource)) return [operationParameter(resource), ...own];
	return [
		operationParameter(resource),
		...locators(resource),
		...inputModes(resource),
		...fieldsAtTop(resource),
		...own,
		...fieldLists(resource),
		...listParameters(resource),
		...outputs(resource),
	];
}

/** What the operations of one resource offer among Options. */
function ownOptions(resource: PlainResource | Resource): INodeProperties[] {
	const own = resource.operations.flatMap((operation) =>
		shownFor(resource, [operation], (place) => operation.options?.(place) ?? []),
	);
	return 'record' in resource
		? [...listOptions(resource), ...outputOptions(resource), ...own]
		: own;
}

/** The operations in alphabetical order of their names. The default is Create, or the first one. */
function operationParameter({ value: resource, operations }: PlainResource): INodeProperties {
	const { value: preset } = operations.find(({ value }) => value === 'create') ?? operations[0];
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		default: preset,
		displayOptions: { show: { resource: [resource] } },
		description: 'What to do with the records of the resource',
		options: sortedBy(operations.map(operationOption), ({ name }) => name),
	};
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

/** The records that the paths of its operations name: its own, and the task above. */
function locators(resource: Resource): INodeProperties[] {
	const { value, record, operations, below = [] } = resource;
	const own = operations.filter(({ url }) => pathParameters(url).includes(record.locator));
	const isBelow = pathParameters(record.collection).length > 0;
	const inOrder = sortedBy(operations, (operation) => String(below.indexOf(operation.value)));
	return [
		...shownFor(resource, isBelow ? inOrder : [], ({ always }) => [parentTaskLocator(always)]),
		...shownFor(resource, own, ({ always }) => [recordLocator(value, always)]),
	];
}
