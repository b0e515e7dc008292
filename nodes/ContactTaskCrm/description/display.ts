import type { IDisplayOptions, NodeParameterValue } from 'n8n-workflow';

/** Shows a parameter for these operations of one resource. */
export function shownFor(
	resource: string,
	operations: string[],
	also: Record<string, NodeParameterValue[]> = {},
): IDisplayOptions {
	return { show: { resource: [resource], operation: operations, ...also } };
}

/**
 * Shows a field for these operations of one resource, unless the record is given as JSON or as columns.
 * Hidden for those rather than shown for fields, since not every operation has the choice.
 */
export function shownAsField(resource: string, operations: string[]): IDisplayOptions {
	return { ...shownFor(resource, operations), hide: { inputMode: ['columns', 'json'] } };
}

/** Shows a parameter for these operations of one resource, unless the record is given as JSON. */
export function shownUnlessJson(resource: string, operations: string[]): IDisplayOptions {
	return { ...shownFor(resource, operations), hide: { inputMode: ['json'] } };
}

/** Shows a parameter for these operations of one resource where the record is given as columns. */
export function shownForColumns(resource: string, operations: string[]): IDisplayOptions {
	return shownFor(resource, operations, { inputMode: ['columns'] });
}

/** Shows a parameter for these operations of one resource, unless the record is given as columns. */
export function shownUnlessColumns(resource: string, operations: string[]): IDisplayOptions {
	return { ...shownFor(resource, operations), hide: { inputMode: ['columns'] } };
}
