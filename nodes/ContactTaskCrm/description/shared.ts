import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import { byLabel } from './parameters';

/*
 * The engine resolves the expressions of a parameter once for each property of that name in the
 * description, shown or not, for each item. Resources describe their parameters for themselves;
 * here properties of one name become one, wherever that changes nothing for the user.
 */

/** A resource with an operation: "person create". */
type Place = string;

/** The order of the parameters in the node, whatever the resource. */
const ORDER = [
	'resource',
	'operation',
	'personId',
	'workspaceId',
	'segmentId',
	'taskId',
	'commentId',
	'historyId',
	'inputMode',
	'jsonBody',
	'columns',
	'columnsNotice',
	'matchBy',
	'matchValue',
	'familyName',
	'email',
	'phone',
	'phoneNumber',
	'phoneType',
	'title',
	'icon',
	'status',
	'person',
	'description',
	'mentions',
	'tags',
	'segments',
	'archivedAt',
	'completedAt',
	'additionalFields',
	'replaceLists',
	'updateFields',
	'clearFields',
	'returnAll',
	'limit',
	'filtersNotice',
	'filters',
	'sort',
	'output',
	'fields',
	'options',
];

/** The parameters of all resources, one of a name where they can be, in the order of the node. */
export function shared(properties: INodeProperties[]): INodeProperties[] {
	const places = existingPlaces(properties);
	const result: INodeProperties[] = [];
	for (const property of properties) {
		let whole = property;
		let index = -1;
		const findPart = () => result.findIndex((other) => canJoin(other, whole, places));
		// What was joined may fit a third that neither of the two fitted.
		while ((index = findPart()) >= 0) {
			whole = joinedProperty(result[index], whole);
			result.splice(index, 1);
		}
		result.push(whole);
	}
	return result.sort((one, other) => ORDER.indexOf(one.name) - ORDER.indexOf(other.name));
}

function existingPlaces(properties: INodeProperties[]): Place[] {
	return properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ displayOptions, options = [] }) =>
			placesOf(
				scopeOf({ displayOptions }).resource,
				options.map((option) => ('value' in option ? String(option.value) : '')),
			),
		);
}

function placesOf(resources: string[], operations: string[]): Place[] {
	return resources.flatMap((resource) => operations.map((operation) => `${resource} ${operation}`));
}

function scopeOf({ displayOptions }: { displayOptions?: IDisplayOptions }) {
	const { resource = [], operation = [] } = displayOptions?.show ?? {};
	return { resource: resource as string[], operation: operation as string[] };
}

function canJoin(one: INodeProperties, other: INodeProperties, places: Place[]): boolean {
	return (
		one.name === other.name &&
		one.name !== 'operation' &&
		isSame(one, other) &&
		addsNoPlace(one, other, places)
	);
}

/**
 * Whether two properties are equal but for where they are shown. Entries of a collection may differ,
 * since each can be shown on its own.
 */
function isSame(one: INodeProperties, other: INodeProperties): boolean {
	const [first, second] = [one, other].map(({ displayOptions, options, ...rest }) => ({
		...rest,
		conditions: {
			...displayOptions,
			show: { ...displayOptions?.show, resource: undefined, operation: undefined },
		},
		options: one.type === 'collection' ? undefined : options,
	}));
	return JSON.stringify(first) === JSON.stringify(second);
}

/** Whether the property that joins the two would be shown where they were, and nowhere else. */
function addsNoPlace(one: INodeProperties, other: INodeProperties, places: Place[]): boolean {
	const shown = new Set(
		[one, other].map(scopeOf).flatMap(({ resource, operation }) => placesOf(resource, operation)),
	);
	const { resource, operation } = union(one, other);
	return placesOf(resource, operation).every(
		(place) => shown.has(place) || !places.includes(place),
	);
}

function union(one: INodeProperties, other: INodeProperties) {
	const [first, second] = [one, other].map(scopeOf);
	return {
		resource: [...new Set([...first.resource, ...second.resource])],
		operation: [...new Set([...first.operation, ...second.operation])],
	};
}

function joinedProperty(one: INodeProperties, other: INodeProperties): INodeProperties {
	const { displayOptions } = one;
	const property = {
		...one,
		displayOptions: { ...displayOptions, show: { ...displayOptions?.show, ...union(one, other) } },
	};
	if (one.type !== 'collection') return property;
	return {
		...property,
		options: byLabel([...collectionEntries(one), ...collectionEntries(other)]),
	};
}

/** The entries of a collection, each shown where the collection was. */
function collectionEntries(collection: INodeProperties): INodeProperties[] {
	const { resource, operation } = scopeOf(collection);
	return ((collection.options ?? []) as INodeProperties[]).map((entry) => ({
		...entry,
		displayOptions: entry.displayOptions ?? {
			show: { '/resource': resource, '/operation': operation },
		},
	}));
}
