import type { INodeProperties } from 'n8n-workflow';
import { byLabel } from './parameters';

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
export function joined(
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
