import type { INodeExecutionData } from 'n8n-workflow';
import * as host from 'n8n-workflow';
import type { ErrorDetails } from '../common/nodeErrors';

/**
 * Whether the engine takes an item with `error` and `details` for one that failed. It does so since 2.35;
 * n8n-workflow has exported `redactedHeaders` since 2.36. Before, `error` and `message` were all that
 * such an item might hold, and one with anything else went out as if it had been done.
 */
const takesDetails = 'redactedHeaders' in host;

/**
 * An item that failed, in the form into which the engine of n8n puts the row that it came from, on the
 * error output: without the property `error` beside `json`, for which it would cut the row.
 *
 * @param message what happened
 * @param itemIndex of the input item, to which it stays linked
 */
export function errorItem(
	message: string,
	details: ErrorDetails,
	itemIndex: number,
	isWithDetails = takesDetails,
): INodeExecutionData {
	return {
		json: isWithDetails
			? { error: message, details }
			: { error: message, message: details.howToGoOn || message },
		pairedItem: { item: itemIndex },
	};
}
