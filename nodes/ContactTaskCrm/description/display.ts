import type { IDisplayOptions, NodeParameterValue } from 'n8n-workflow';

/** Shows a parameter for these operations of one resource. */
export function shownFor(
	resource: string,
	operations: string[],
	also: Record<string, NodeParameterValue[]> = {},
): IDisplayOptions {
	return { show: { resource: [resource], operation: operations, ...also } };
}
