import { IExecuteData, IExecuteSingleFunctions } from 'n8n-workflow';
import { Run } from './run';

/** Runs, keyed by an object that the engine hands to every item of a run. Every try of the run has the same object. */
const runs = new WeakMap<IExecuteData, Run>();

/** Returns the run of an item. The first item begins the run. */
export function runOf(context: IExecuteSingleFunctions): Run {
	const executeData = context.getExecuteData();
	const last = runs.get(executeData);
	if (last?.continuesWith(context.getItemIndex())) return last;
	const node = context.getNode();
	// If the node is a tool of an AI agent, n8n adds "Tool" to the name of its type.
	const isTool = node.type.endsWith('Tool');
	const { main, ai_tool: tool } = executeData.data;
	const given = (main ?? tool)?.[0]?.length;
	const { batching } = context.getNodeParameter('requestOptions', {}) as {
		batching?: { batch?: { batchInterval?: number } };
	};
	// With Batching in Request Options, the engine pauses between items. The run then begins before all items have
	// joined, so it cannot wait for all items (`mustBeWhole`).
	const isBatched = (batching?.batch?.batchInterval ?? 0) > 0;
	const options = {
		// With "Execute Once", the engine processes only the first item.
		total: given !== undefined && node.executeOnce ? Math.min(given, 1) : given,
		mustBeWhole: !context.continueOnFail() && !isBatched,
		isTool,
		// A repeated call by an AI agent is a new call on purpose, and not a retry.
		mayBeRetried: node.retryOnFail === true && !isTool,
		cancelled: context.getExecutionCancelSignal(),
	};
	const run = new Run(options, last);
	runs.set(executeData, run);
	return run;
}
