import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { pathParameters } from '../util/iri';
import { fieldLists, fieldOf, fieldsAtTop, inputModes, listOptions } from './input';
import { parentTaskLocator, recordLocator } from './locators';
import type { Operation, PlainResource, Resource } from './operations';
import { shownFor } from './operations';
import { options } from './options';
import { listParameters, outputOptions, outputs } from './output';
import { byLabel, sortedBy } from './parameters';

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
		options: resources.map(({ name, value, description }) => ({ name, value, description })),
	};
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
	const { value, record, operations } = resource;
	const own = operations.filter(({ url }) => pathParameters(url).includes(record.locator));
	const isBelow = pathParameters(record.collection).length > 0;
	return [
		...shownFor(resource, isBelow ? operations : [], ({ always }) => [parentTaskLocator(always)]),
		...shownFor(resource, own, ({ always }) => [recordLocator(value, always)]),
	];
}

/*
 * The engine resolves the expressions of a parameter once for each property of that name in the
 * description, shown or not, for each item. Resources describe their parameters for themselves;
 * here properties of one name become one, wherever that changes nothing for the user.
 */

/** A resource with an operation: "person create". */
type Place = string;

/**
 * The order of the parameters in the node, whatever the resource: a line for each group of them. A field that
 * is not named stands behind those that are.
 */
const ORDER = `
	resource operation
	personId workspaceId segmentId taskId commentId historyId
	method path queryParameters
	inputMode jsonBody columns
	matchValue email familyName phone phoneNumber phoneType
	title icon status person description mentions
	tags segments archivedAt completedAt
	additionalFields updateFields clearFields
	returnAll limit filters sort
	output fields
`
	.trim()
	.split(/\s+/);

const LAST_FIELD = 'archivedAt';

/**
 * The parameters of all resources, one of a name where they can be, in the order of the node.
 *
 * @param places all that there are
 */
function joined(
	properties: readonly INodeProperties[],
	places: readonly Place[],
): INodeProperties[] {
	// Each with its look, which what joins two of one look keeps.
	const result = new Map<INodeProperties, string>();
	for (const property of properties) {
		const look = lookOf(property);
		let whole = property;
		const findPart = () =>
			[...result.keys()].find(
				(other) => result.get(other) === look && canJoin(other, whole, places),
			);
		// What was joined may fit a third that neither of the two fitted.
		for (let part = findPart(); part; part = findPart()) {
			result.delete(part);
			whole = joinedProperty(part, whole);
		}
		result.set(whole, look);
	}
	const rank = ({ name }: INodeProperties) =>
		ORDER.indexOf(ORDER.includes(name) ? name : LAST_FIELD);
	return [...result.keys()].sort((one, other) => rank(one) - rank(other));
}

function placesOf(resources: string[], operations: string[]): Place[] {
	return resources.flatMap((resource) => operations.map((operation) => `${resource} ${operation}`));
}

function scopeOf({ displayOptions }: INodeProperties) {
	const { resource = [], operation = [] } = displayOptions?.show ?? {};
	return { resource: resource as string[], operation: operation as string[] };
}

function union(one: INodeProperties, other: INodeProperties) {
	const [first, second] = [one, other].map(scopeOf);
	return {
		resource: [...new Set([...first.resource, ...second.resource])],
		operation: [...new Set([...first.operation, ...second.operation])],
	};
}

/** Whether what joins two that look alike would be shown where they were, and nowhere else. */
function canJoin(one: INodeProperties, other: INodeProperties, places: readonly Place[]): boolean {
	if (one.name === 'operation') return false;
	const shown = [one, other]
		.map(scopeOf)
		.flatMap(({ resource, operation }) => placesOf(resource, operation));
	const { resource, operation } = union(one, other);
	return placesOf(resource, operation).every(
		(place) => shown.includes(place) || !places.includes(place),
	);
}

/**
 * All of a property but where it is shown. Entries of a collection may differ, and so which of them are
 * there from the start, since each can be shown on its own.
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
		options: byLabel([...entriesOf(one), ...entriesOf(other)]),
	};
}

/** The entries of a collection, each shown where the collection was. */
function entriesOf(collection: INodeProperties): INodeProperties[] {
	const { resource, operation } = scopeOf(collection);
	return ((collection.options ?? []) as INodeProperties[]).map((entry) => ({
		...entry,
		displayOptions: entry.displayOptions ?? {
			show: { '/resource': resource, '/operation': operation },
		},
	}));
}
