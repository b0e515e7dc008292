import type { IExecuteData, IExecutePaginationFunctions, INodeExecutionData } from 'n8n-workflow';
import { isAgentTool } from '../common/agentTool';
import { ExplainedError } from '../common/errors';
import type { NodeRun } from '../transport/nodeRun';
import { Cancelled } from '../transport/requestErrors';
import { ServiceError } from '../transport/serviceErrors';

/** How an item ended: with what it gave, or in a write of which nobody knows whether it took effect. */
type Outcome = INodeExecutionData[] | 'unknown';

interface Try {
	run: NodeRun;
	outcomes: Map<number, Outcome>;
	/** How the items ended in earlier tries. */
	before: ReadonlyMap<number, Outcome>;
}

/**
 * The last try of each run with Retry On Fail, by the object that the engine hands over in every try.
 */
const tries = new WeakMap<IExecuteData, Try>();

/**
 * What an item gave in an earlier try. n8n's Retry On Fail hands all items to the node again: an item
 * that is done gives what it gave, and one whose write may have taken effect is not sent again.
 *
 * @returns undefined where the item has to be done
 * @throws ExplainedError where the item may have been done
 */
export function outcomeBefore(
	context: IExecutePaginationFunctions,
	run: NodeRun,
): INodeExecutionData[] | undefined {
	const outcome = tryOf(context, run)?.before.get(context.getItemIndex());
	if (outcome !== 'unknown') return outcome;
	throw new ExplainedError(
		'This item is not sent again, since it may have taken effect in the try before',
		'Look for the record in the CRM, and run the items that are missing again. Create or Update can be tried again without harm',
	);
}

/** Keeps what an item gave, should the run be tried again. */
export function keepResult(
	context: IExecutePaginationFunctions,
	run: NodeRun,
	items: INodeExecutionData[],
): void {
	tryOf(context, run)?.outcomes.set(context.getItemIndex(), items);
}

/** Remembers that the write of an item may have taken effect, should the run be tried again. */
export function keepFailure(
	context: IExecutePaginationFunctions,
	run: NodeRun,
	error: unknown,
): void {
	const isOpen =
		(error instanceof ServiceError || error instanceof Cancelled) && error.mayHaveTakenEffect;
	if (!isOpen) return;
	tryOf(context, run)?.outcomes.set(context.getItemIndex(), 'unknown');
}

function tryOf(context: IExecutePaginationFunctions, run: NodeRun): Try | undefined {
	const node = context.getNode();
	// An AI agent calls its tool again on purpose.
	if (!node.retryOnFail || isAgentTool(node)) return undefined;
	const executeData = context.getExecuteData();
	const last = tries.get(executeData);
	if (last?.run === run) return last;
	const before = new Map([...(last?.before ?? []), ...(last?.outcomes ?? [])]);
	const current = { run, outcomes: new Map(), before };
	tries.set(executeData, current);
	return current;
}
