import {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecuteData,
	IExecutePaginationFunctions,
	IExecuteSingleFunctions,
	INodeExecutionData,
} from 'n8n-workflow';
import { quoted, shortened, textIn } from '../values/text';
import {
	asExplained,
	asNodeError,
	detailsOf,
	errorItem,
	hideItemIndex,
	PartlyWritten,
	UnusableParameter,
} from '../util/errors';
import { rowName } from '../output/writeOutput';
import { Busy, isAboutItem, RunStopped } from '../util/failures';
import { isRepeatable as isRepeatableMethod } from '../http/retry';
import { ItemEnd, Run } from './run';
import { Item, Work } from './item';

/**
 * Function that does all the work of an item. n8n's engine takes it for a function that reads pages, and so leaves all
 * requests of the item to it.
 */
export type Paginator = (
	this: IExecutePaginationFunctions,
	request: DeclarativeRestApiSettings.ResultOptions,
) => Promise<INodeExecutionData[]>;

/** Maximum length, in characters, of the name that a message gives for a row of the input. */
const LONGEST_NAME = 60;

/** Makes the paginator of an operation: the function that n8n's engine calls for each item. */
export function paginatorOf(work: Work): Paginator {
	return async function (this: IExecutePaginationFunctions, request) {
		const run = runOf(this);
		const item = new Item(this, request.options, run, work);
		run.join(item.index);
		try {
			const items = run.outcomeBefore(item.index) ?? linked(item, await item.perform());
			// Each preview builds on the previews of earlier items. So a retry of the run previews all items again.
			if (!item.isPreview) run.keepOutcome(item.index, items);
			run.noteEnd('done');
			return items;
		} catch (error) {
			const end = endOf(error);
			const { isRepeatable = isRepeatableMethod(request.options.method ?? 'GET') } = work;
			if (end === 'uncertain' && !isRepeatable) run.keepOutcome(item.index, 'unknown');
			run.noteEnd(end);
			return await failed(item, error);
		} finally {
			item.release();
		}
	};
}

/** Returns the output of an item, with its link to the input item. */
function linked({ index }: Item, output: readonly IDataObject[]): INodeExecutionData[] {
	return output.map((json) => ({ json, pairedItem: { item: index } }));
}

/** Returns an error item for a failed item if the node continues on errors. Otherwise, stops the run and throws. */
async function failed(item: Item, error: unknown): Promise<INodeExecutionData[]> {
	const { context, index, run } = item;
	// n8n shows why a run stopped: the user cancelled it, or another item failed. So this item gives no error, unless
	// its write may have taken effect before the user cancelled.
	if (error instanceof RunStopped && !(run.isCancelled && error.mayHaveTakenEffect)) return [];
	const nodeError = asNodeError(context.getNode(), error, index, run.isTool);
	if (context.continueOnFail()) {
		const { written } = asExplained(error).facts;
		const done = written ? await item.inOutput(written) : [];
		return [failedItem(item, nodeError.message, error), ...linked(item, done)];
	}
	run.stop();
	item.release();
	if (run.size > 1) {
		if (!(error instanceof RunStopped)) nodeError.message += rowText(item);
		hideItemIndex(nodeError);
	}
	const whole = await run.withSummary(nodeError, isAboutItem(error));
	// If n8n's engine has given up the run, it no longer waits for items. No code would then handle a rejection.
	if (run.isAbandoned) return [];
	throw whole;
}

/**
 * Returns the output of a failed item. With On Error: Continue, failed and successful writes come out in one table. So
 * the output of a failed write begins with the same columns. In an error output, n8n accepts only the error, and adds
 * the input item itself.
 */
function failedItem(item: Item, message: string, error: unknown): INodeExecutionData {
	const { context, index, isWrite, run } = item;
	const failure = errorItem(message, detailsOf(error, run.isTool), index);
	const isInTable = context.getNode().onError === 'continueRegularOutput';
	if (!isWrite || run.isTool || !isInTable) return failure;
	const name = rowName(item);
	const said = {
		...{ result: 'failed', ...(name !== null && { name }) },
		summary: `${extentOf(error)}${message}`,
	};
	return { ...failure, json: { ...said, ...failure.json } };
}

/** Returns the start of the summary of a failed item: "Partly written: " or "Not written: "; empty if not known. */
function extentOf(error: unknown): string {
	if (error instanceof PartlyWritten) return 'Partly written: ';
	return asExplained(error).mayHaveTakenEffect ? '' : 'Not written: ';
}

/** Returns the end of a message about an item, such as ` [row 3: Eva Vos]`. The number of the first row is 1. */
function rowText(item: Item): string {
	const called = textIn(rowName(item));
	const who = called === '' ? '' : `: ${shortened(called, LONGEST_NAME)}`;
	return ` [row ${item.index + 1}${who}]`;
}

function endOf(error: unknown): ItemEnd {
	if (asExplained(error).mayHaveTakenEffect) return 'uncertain';
	return error instanceof RunStopped || error instanceof Busy ? 'notSent' : 'failed';
}

/**
 * Runs, keyed by an object that n8n's engine hands to every item of a run. If n8n tries the run again (Retry On Fail),
 * the object is the same.
 */
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
	// With Batching in Request Options, the engine pauses between items. The first items then run before the last items
	// join, so the run cannot wait for all items (`mustBeWhole`).
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

/**
 * Refuses an operation that the node does not have, because the engine would otherwise send a request without a path.
 * Somebody may have written the workflow by hand or for a later version, or have chosen n8n's "Custom API Call".
 */
export const runUnknownOperation = paginatorOf({
	run: async ({ context }) => {
		const [resource, operation] = ['resource', 'operation'].map((name) => {
			const value: unknown = context.getNodeParameter(name, '');
			return typeof value === 'string' ? value : '';
		});
		const message =
			operation === '__CUSTOM_API_CALL__'
				? 'Operation is Custom API Call, which is no operation of this node'
				: `Operation: there is no operation ${quoted(operation)} of the resource ${quoted(resource)}`;
		const advice =
			'Choose from the list. For a request of your own, choose the resource API Request';
		throw new UnusableParameter(message, advice);
	},
});
