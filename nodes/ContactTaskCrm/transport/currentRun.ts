import type { IExecuteData, IExecuteSingleFunctions } from 'n8n-workflow';
import { systemClock } from './clock';
import { NodeRun } from './nodeRun';

/** Runs by what the engine hands to every item of the same run. */
const runs = new WeakMap<IExecuteData, NodeRun>();

/** The run that an item belongs to; the first item of a run begins it. */
export function runOf(context: IExecuteSingleFunctions): NodeRun {
	const executeData = context.getExecuteData();
	const known = runs.get(executeData);
	if (known?.continuesWith(context.getItemIndex())) return known;

	const run = new NodeRun({
		clock: systemClock,
		total: totalOf(context, executeData),
		mustBeWhole: !context.continueOnFail() && !isBatched(context),
		signal: context.getExecutionCancelSignal(),
		logger: context.logger,
	});
	runs.set(executeData, run);
	return run;
}

/** How many items the engine goes through: with "Execute Once" the first alone of those it was given. */
function totalOf(
	context: IExecuteSingleFunctions,
	{ data: { main, ai_tool: tool } }: IExecuteData,
): number | undefined {
	const given = (main ?? tool)?.[0]?.length;
	return given !== undefined && context.getNode().executeOnce ? Math.min(given, 1) : given;
}

/** With batches of the user's, the engine pauses while it builds the items. */
function isBatched(context: IExecuteSingleFunctions): boolean {
	const { batching } = context.getNodeParameter('requestOptions', {}) as {
		batching?: { batch?: { batchInterval?: number } };
	};
	return (batching?.batch?.batchInterval ?? 0) > 0;
}
