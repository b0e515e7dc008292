import { groupBy, omit, uniq } from 'lodash';
import type { INodeProperties } from 'n8n-workflow';
import {
	additionalFields,
	fieldOf,
	fieldsAtTop,
	inputModes,
	listOptions,
	updateFields,
} from './input';
import { recordLocator } from './locators';
import { type PlainResource, type Resource, shownFor } from './operations';
import { approvalOptions, options, readOptions } from './options';
import { listParameters, outputOptions, outputs } from './output';
import { byLabel, sortedBy } from './parameters';
import { pathParameters } from '../values/reference';

export function parametersOf(resources: readonly PlainResource[]): INodeProperties[] {
	return [
		...joinAll([resourceParameter(resources), ...resources.flatMap(resourceParameters)], resources),
		options(joinAll(resources.flatMap(ownOptions), resources)),
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
		// An unknown operation has no routing. This routing makes the engine call `runUnknownOperation`. Otherwise the
		// engine would send a request without a path.
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

function ownOptions(resource: PlainResource | Resource): INodeProperties[] {
	const own = resource.operations.flatMap((operation) =>
		shownFor(resource, [operation], (place) => operation.options?.(place) ?? []),
	);
	return 'record' in resource
		? [
				...listOptions(resource),
				...outputOptions(resource),
				...readOptions(resource),
				...approvalOptions(resource),
				...own,
			]
		: own;
}

/**
 * Returns the parameter Operation, its choices sorted by name. The default is Create, or else the first operation.
 */
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

/** Returns the locators of a resource. They give the IDs for the paths of operations, such as `/people/{personId}`. */
function locators(resource: Resource): INodeProperties[] {
	const { value, record, operations } = resource;
	const own = operations.filter(
		({ url, isOfItem }) => !isOfItem && pathParameters(url).includes(record.locator),
	);
	const isBelowTask = pathParameters(record.collection).length > 0;
	return [
		...shownFor(resource, isBelowTask ? operations : [], ({ always }) => [
			recordLocator(
				'task',
				always,
				'The task to work with, or whose comments or history are meant',
			),
		]),
		...own.flatMap((operation) => {
			const { purpose, label } = operation.locates ?? {};
			return shownFor(resource, [operation], ({ always }) => [
				recordLocator(value, always, purpose, label),
			]);
		}),
	];
}

/*
 * Each resource describes its own parameters, so several properties of the node may have one name. For each item, the
 * engine resolves all of them, even hidden ones. To save this time, the functions below join equal properties into one.
 */

/** Order of the parameters in the node. "email!" is the required parameter Email, which finds the person to update. */
const ORDER = `
	resource operation
	personId workspaceId segmentId taskId commentId historyId
	method path queryParameters
	mergeFrom by
	replaceNotice inputMode jsonBody columns columnsNotice
	email! matchValue givenName familyName email phone jobTitle phoneNumber phoneType
	title icon status person description mentions
	tags segments archivedAt completedAt
	additionalFields updateFields clearFields
	returnAll limit filters sort
	output fields
`
	.trim()
	.split(/\s+/);

/** Joins the parameters of all resources, and sorts them. */
function joinAll(properties: INodeProperties[], resources: readonly PlainResource[]) {
	const places = resources.flatMap(({ value: resource, operations }) =>
		operations.map(({ value: operation }): OperationName => ({ resource, operation })),
	);
	// A parameter that `ORDER` does not name ranks like `archivedAt`, just before Additional Fields.
	const rank = ({ name, required }: INodeProperties) => {
		const places = [...(required ? [`${name}!`] : []), name, 'archivedAt'];
		return ORDER.indexOf(places.find((place) => ORDER.includes(place))!);
	};
	return joined(properties, places).sort((one, other) => rank(one) - rank(other));
}

/** One operation of one resource: the values of the parameters Resource and Operation. */
type OperationName = Record<'resource' | 'operation', string>;

/**
 * Joins properties that differ only in the resources and operations that show them. A display condition combines each
 * of its resources with each of its operations. With Person, Task, Create and Move, it would also show Move of a person.
 * Two properties stay apart if the joined property would show for such a further operation. Collections always join,
 * because each of their entries gets its own conditions.
 *
 * @param places all operations of all resources
 */
function joined(properties: INodeProperties[], places: OperationName[]): INodeProperties[] {
	const withoutPlaces = (property: INodeProperties) => {
		const { displayOptions, ...rest } = property;
		const own = rest.type === 'collection' ? omit(rest, 'options', 'default') : rest;
		const show = omit(displayOptions?.show, 'resource', 'operation');
		return JSON.stringify({ ...own, conditions: { ...displayOptions, show } });
	};
	return Object.values(groupBy(properties, withoutPlaces)).flatMap((alike) => {
		const [first, ...others] = alike as [INodeProperties, ...INodeProperties[]];
		if (others.length > 0 && first.type === 'collection') return [joinedCollection(alike)];
		const parts = [first];
		for (const property of others) {
			const partner = parts.findIndex((part) => mayJoin(part, property, places));
			if (partner === -1) parts.push(property);
			else parts[partner] = shownForAll([parts[partner]!, property]);
		}
		return parts;
	});
}

/** Returns whether the editor would show the joined property only where it shows `one` or `other`. */
function mayJoin(one: INodeProperties, other: INodeProperties, places: OperationName[]): boolean {
	const both = shownForAll([one, other]);
	const shown = places.filter((place) => isShown(both, place));
	return shown.every((place) => isShown(one, place) || isShown(other, place));
}

function isShown(
	{ displayOptions }: INodeProperties,
	{ resource, operation }: OperationName,
): boolean {
	const { show } = displayOptions ?? {};
	return !!show?.resource?.includes(resource) && !!show.operation?.includes(operation);
}

/** Joins equal properties into the first, and shows it for the resources and operations of all of them. */
function shownForAll(alike: INodeProperties[]): INodeProperties {
	const [first] = alike as [INodeProperties];
	const valuesOf = (name: 'resource' | 'operation') =>
		uniq(alike.flatMap(({ displayOptions }) => displayOptions?.show?.[name] ?? []));
	const show = {
		...first.displayOptions?.show,
		resource: valuesOf('resource'),
		operation: valuesOf('operation'),
	};
	return { ...first, displayOptions: { ...first.displayOptions, show } };
}

/**
 * Joins equal collections into one with the entries and defaults of all. Each entry has its own display conditions.
 */
function joinedCollection(alike: INodeProperties[]): INodeProperties {
	const presets = alike.map(({ default: preset }) => preset as object);
	const options = byLabel(alike.flatMap(collectionEntries));
	return { ...shownForAll(alike), default: Object.assign({}, ...presets), options };
}

/** Returns the entries of a collection. An entry without display conditions gets the conditions of the collection. */
function collectionEntries({ displayOptions, options }: INodeProperties): INodeProperties[] {
	const { resource, operation } = displayOptions?.show ?? {};
	return ((options ?? []) as INodeProperties[]).map((entry) => ({
		...entry,
		displayOptions: entry.displayOptions ?? {
			show: { '/resource': resource, '/operation': operation },
		},
	}));
}
