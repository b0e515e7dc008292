import { groupBy } from 'lodash';
import type { INodeProperties } from 'n8n-workflow';
import { pathParameters } from '../util/iri';
import {
	additionalFields,
	fieldOf,
	fieldsAtTop,
	inputModes,
	listOptions,
	updateFields,
} from './input';
import { recordLocator } from './locators';
import type { PlainResource, Resource } from './operations';
import { shownFor } from './operations';
import { options } from './options';
import { listParameters, outputOptions, outputs } from './output';
import { byLabel, sortedBy } from './parameters';

/** Returns the parameters of the node. */
export function parametersOf(resources: readonly PlainResource[]): INodeProperties[] {
	const places = resources.flatMap(({ value, operations }) =>
		operations.map((operation) => `${value} ${operation.value}`),
	);
	return [
		...joinAll([resourceParameter(resources), ...resources.flatMap(resourceParameters)], places),
		options(joinAll(resources.flatMap(ownOptions), places)),
	];
}

function resourceParameter(resources: readonly PlainResource[]): INodeProperties {
	return {
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		default: 'person',
		description: 'What kind of record to work with',
		// An unknown operation has no routing of its own. Without this one, the engine would send a request by itself.
		routing: { send: { paginate: true } },
		options: resources.map(({ name, value, description }) => ({ name, value, description })),
	};
}

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
		...additionalFields(resource),
		...updateFields(resource),
		...listParameters(resource),
		...outputs(resource),
	];
}

/** Returns the options for the operations of one resource. */
function ownOptions(resource: PlainResource | Resource): INodeProperties[] {
	const own = resource.operations.flatMap((operation) =>
		shownFor(resource, [operation], (place) => operation.options?.(place) ?? []),
	);
	return 'record' in resource
		? [...listOptions(resource), ...outputOptions(resource), ...own]
		: own;
}

/** Returns the parameter Operation, sorted by name. The default is Create, or the first operation of the resource. */
function operationParameter({ value: resource, operations }: PlainResource): INodeProperties {
	const { value: preset } = operations.find(({ value }) => value === 'create') ?? operations[0];
	const options = operations.map(({ value, name, action, description, method, url, run }) => ({
		name,
		value,
		action,
		description,
		routing: {
			request: { method, url },
			send: { paginate: true },
			operations: { pagination: run },
		},
	}));
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		default: preset,
		displayOptions: { show: { resource: [resource] } },
		description: 'What to do with the records of the resource',
		options: sortedBy(options, ({ name }) => name),
	};
}

/** Returns the locators of the records that the paths of a resource's operations name. */
function locators(resource: Resource): INodeProperties[] {
	const { value, record, operations } = resource;
	const own = operations.filter(({ url }) => pathParameters(url).includes(record.locator));
	const isBelowTask = pathParameters(record.collection).length > 0;
	return [
		...shownFor(resource, isBelowTask ? operations : [], ({ always }) => [
			recordLocator(
				'task',
				always,
				'The task to work with, or whose comments or history are meant',
			),
		]),
		...shownFor(resource, own, ({ always }) => [recordLocator(value, always)]),
	];
}

/*
 * For each item, the engine resolves the expressions of a parameter once for each property with its name, even a
 * hidden one. Each resource describes its own parameters. The functions below join properties with the same name if
 * the user sees no difference. A place is a resource with an operation: "person create".
 */

/** Order of the parameters in the node. */
const ORDER = `
	resource operation
	personId workspaceId segmentId taskId commentId historyId
	method path queryParameters
	inputMode jsonBody columns
	email matchValue familyName phone phoneNumber phoneType
	title icon status person description mentions
	tags segments archivedAt completedAt
	additionalFields updateFields clearFields
	returnAll limit filters sort
	output fields
`
	.trim()
	.split(/\s+/);

/**
 * Joins the parameters of all resources, and sorts them.
 *
 * @param places all existing places, such as "person create"
 */
function joinAll(properties: INodeProperties[], places: string[]): INodeProperties[] {
	const joined = Object.values(groupBy(properties, lookOf)).flatMap((alike) =>
		joinAlike(alike, places),
	);
	// A parameter that `ORDER` does not name stands beside `archivedAt`, among the single fields.
	const rank = ({ name }: INodeProperties) =>
		ORDER.indexOf(ORDER.includes(name) ? name : 'archivedAt');
	return joined.sort((one, other) => rank(one) - rank(other));
}

/** Joins properties with the same look, which a joined property keeps. */
function joinAlike(alike: INodeProperties[], places: string[]): INodeProperties[] {
	const result = new Set<INodeProperties>();
	for (const property of alike) {
		let whole = property;
		const findPart = () => [...result].find((other) => canJoin(other, whole, places));
		// The joined property may fit a third property that neither of the two fitted, so the search goes on.
		for (let part = findPart(); part; part = findPart()) {
			result.delete(part);
			whole = joinedProperty(part, whole);
		}
		result.add(whole);
	}
	return [...result];
}

/** Resources and operations for which the editor shows a property. */
type Scope = Record<'resource' | 'operation', string[]>;

function scopeOf({ displayOptions }: INodeProperties): Scope {
	const { resource = [], operation = [] } = displayOptions?.show ?? {};
	return { resource, operation } as Scope;
}

function placesOf({ resource, operation }: Scope): string[] {
	return resource.flatMap((one) => operation.map((other) => `${one} ${other}`));
}

function union(one: INodeProperties, other: INodeProperties): Scope {
	const [first, second] = [scopeOf(one), scopeOf(other)];
	return {
		resource: [...new Set([...first.resource, ...second.resource])],
		operation: [...new Set([...first.operation, ...second.operation])],
	};
}

/** Returns whether the joined property would be visible in the places of both, and in no other. */
function canJoin(one: INodeProperties, other: INodeProperties, places: string[]): boolean {
	if (one.name === 'operation') return false;
	const shown = [one, other].map(scopeOf).flatMap(placesOf);
	return placesOf(union(one, other)).every(
		(place) => shown.includes(place) || !places.includes(place),
	);
}

/**
 * Returns the look of a property: its description as text, without the places that show it. For a collection, the text
 * leaves out the entries, because each has its own conditions, and the default, because it names entries.
 */
function lookOf({ displayOptions, options, default: preset, ...rest }: INodeProperties): string {
	const show = { ...displayOptions?.show, resource: undefined, operation: undefined };
	const isCollection = rest.type === 'collection';
	return JSON.stringify({
		...rest,
		conditions: { ...displayOptions, show },
		...(isCollection ? {} : { options, preset }),
	});
}

function joinedProperty(one: INodeProperties, other: INodeProperties): INodeProperties {
	const { displayOptions } = one;
	const property = {
		...one,
		displayOptions: { ...displayOptions, show: { ...displayOptions?.show, ...union(one, other) } },
	};
	if (one.type !== 'collection') return property;
	const [first, second] = [one, other].map(({ default: preset }) => preset as object);
	return {
		...property,
		default: { ...first, ...second },
		options: byLabel([...collectionEntries(one), ...collectionEntries(other)]),
	};
}

/** Returns the entries of a collection with the conditions of the collection. */
function collectionEntries(collection: INodeProperties): INodeProperties[] {
	const { resource, operation } = scopeOf(collection);
	return ((collection.options ?? []) as INodeProperties[]).map((entry) => ({
		...entry,
		displayOptions: entry.displayOptions ?? {
			show: { '/resource': resource, '/operation': operation },
		},
	}));
}
