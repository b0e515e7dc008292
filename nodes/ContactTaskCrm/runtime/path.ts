import { filledPath, idOf, pathParameters } from '../common/iri';
import type { Item } from './item';
import { UnusableParameter } from '../common/errors';

/** The parameters that address one record, with their labels and the collections they point into. */
const LOCATORS: Readonly<Record<string, { label: string; collection: string }>> = {
	personId: { label: 'Person', collection: '/people' },
	workspaceId: { label: 'Workspace', collection: '/workspaces' },
	segmentId: { label: 'Segment', collection: '/segments' },
	taskId: { label: 'Task', collection: '/tasks' },
	commentId: { label: 'Comment', collection: '/tasks/{taskId}/comments' },
	historyId: { label: 'History Entry', collection: '/tasks/{taskId}/history' },
};

/** Where a request goes. */
export interface Address {
	path: string;
	/** Id of the record that is addressed; absent for a collection. */
	id?: string;
}

/**
 * The path of an item's request, from the template in the description and the item's parameters.
 *
 * @throws UnusableParameter naming the locator that holds no id
 */
export function addressOf({ context, request }: Item): Address {
	const { url: template = '' } = request;
	const names = pathParameters(template);
	const ids = Object.fromEntries(
		names.map((name) => [
			name,
			locatedId(name, context.getNodeParameter(name, undefined, { extractValue: true })),
		]),
	);
	const last = names.at(-1);
	return {
		path: filledPath(template, ids),
		...(last === undefined ? {} : { id: ids[last] }),
	};
}

function locatedId(name: string, value: unknown): string {
	const { label, collection } = LOCATORS[name];
	if (value === undefined || value === null || value === '') {
		throw new UnusableParameter(
			`${label} is empty`,
			`Choose a ${label.toLowerCase()} from the list, or give its ID. An expression must give an ID for every item`,
		);
	}
	const id = idOf(value, collection);
	if ('value' in id) return id.value;
	throw new UnusableParameter(
		`${label}: ${id.expected}`,
		`Give the ID of the ${label.toLowerCase()} as the service shows it, without any other part of an address`,
	);
}
