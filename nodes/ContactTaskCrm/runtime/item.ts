import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecutePaginationFunctions,
	INodeExecutionData,
} from 'n8n-workflow';
import { Connection } from '../transport/connection';
import type { ItemEnd } from '../transport/tally';
import type { NodeRun } from '../transport/nodeRun';
import { runOf } from '../transport/currentRun';
import { withTally } from '../transport/tally';
import type { ConnectionOptions } from '../transport/send';
import { ServiceError } from '../transport/serviceErrors';
import { Cancelled } from '../transport/requestErrors';
import type { WaitLimits } from '../transport/waitLimits';
import { UnusableParameter } from '../common/errors';
import { asNodeError, detailsOf } from '../common/nodeErrors';
import { errorItem } from './errorItem';
import type { Place } from './itemOrder';
import { inItemOrder, takePlace } from './itemOrder';
import { keepFailure, keepResult, outcomeBefore } from './retriedRun';
import type { OutputForm } from './output';
import { asRecord } from './output';
import type { Paginator } from './specification';
import { allParametersRead, readParameters } from './parameters';
import type { References } from './references';
import { inForm } from './titles';

const MINUTE_MS = 60_000;
const DEFAULT_MAX_WAIT_MINUTES = 30;

type Request = DeclarativeRestApiSettings.ResultOptions;

/** One item, as an operation sees it. */
export interface Item {
	context: IExecutePaginationFunctions;
	/** What the engine made of the description: method, path template, query and body. */
	request: Request['options'];
	/** Reads the references that its parameters hold. */
	references: References;
}

/** What is left to do for an item once its parameters were read and found right. */
export interface Work {
	/** What it writes to, such as "person 1f0c": items that write to the same are done in their order. */
	targets?: readonly string[];
	/** Whether the operation may be repeated although it may create something, since it looks first. */
	isRepeatable?: boolean;
	/** Called once the item has ended, whatever came of it. */
	whenEnded?: () => void;
	/** The form in which the records leave the node; as they are where absent. */
	form?: OutputForm;
	/** Sends what has to be sent, and gives the records to return. */
	send: (connection: Connection, place: Place) => Promise<readonly unknown[]>;
}

/** A run that writes more items than this shows the titles that are known, and reads none. */
const MOST_WRITES_WITH_TITLES = 10;

/**
 * Makes the paginator of an operation.
 *
 * @param prepare reads and checks the parameters of an item without a pause, before anything of the
 *   run is sent, and gives the work to be done with a connection
 */
export function paginatorOf(prepare: (item: Item, run: NodeRun) => Work): Paginator {
	return async function (this: IExecutePaginationFunctions, request) {
		const run = runOf(this);
		run.join(this.getItemIndex());
		try {
			const items = outcomeBefore(this, run) ?? (await worked(this, run, prepare, request));
			keepResult(this, run, items);
			run.end('done');
			return items;
		} catch (error) {
			return await ended(this, run, error);
		}
	};
}

async function worked(
	context: IExecutePaginationFunctions,
	run: NodeRun,
	prepare: (item: Item, run: NodeRun) => Work,
	request: Request,
): Promise<INodeExecutionData[]> {
	const sender = { ...senderOf(context, run, request.options), maxRetries: 0 };
	const work = await readParameters({
		run,
		open: async () => await Connection.open(context, sender),
		read: (references) => prepare({ context, request: request.options, references }, run),
	});
	return await done(context, run, work, request);
}

async function done(
	context: IExecutePaginationFunctions,
	run: NodeRun,
	{ targets = [], isRepeatable = false, whenEnded, form, send }: Work,
	{ options }: Request,
): Promise<INodeExecutionData[]> {
	const place = takePlace(run);
	const sender = senderOf(context, run, options);
	let identity = '';
	const records = await inItemOrder(run, targets, async () => {
		await run.begin();
		// Nothing is sent before the parameters of all items were found right.
		await allParametersRead(run);
		const connection = await Connection.open(context, sender);
		({ identity } = connection);
		return await send(connection, place);
	})
		.catch(async (error: unknown) => {
			if (!isRepeatable) keepFailure(context, run, error);
			return await Promise.reject(error);
		})
		.finally(() => {
			place.settle();
			whenEnded?.();
		});
	const toItem = (json: IDataObject) => ({ json, pairedItem: { item: context.getItemIndex() } });
	if (!form) return records.map(asRecord).map(toItem);
	const isBulkWrite = options.method !== 'GET' && run.size > MOST_WRITES_WITH_TITLES;
	const open = async () => await Connection.open(context, { ...sender, maxRetries: 0 });
	return (await inForm(records, form, identity, isBulkWrite ? undefined : open)).map(toItem);
}

/**
 * What becomes of an item that was not done: a linked error item, no item at all, or the error that
 * stops the run.
 */
async function ended(
	context: IExecutePaginationFunctions,
	run: NodeRun,
	error: unknown,
): Promise<INodeExecutionData[]> {
	run.end(itemEndOf(error));
	// Where another item's failure stopped the run, that one has the message to show.
	if (error instanceof Cancelled && !(run.isCancelled && error.mayHaveTakenEffect)) return [];
	const itemIndex = context.getItemIndex();
	const nodeError = asNodeError(context.getNode(), error, itemIndex);
	if (context.continueOnFail()) {
		return [errorItem(nodeError.message, detailsOf(error), itemIndex)];
	}
	run.stop();
	const tally = await run.tally();
	// The engine has given up this run and waits for no item of it: a rejection would be unhandled.
	if (run.isBroken) return [];
	throw withTally(nodeError, tally);
}

function itemEndOf(error: unknown): ItemEnd {
	const mayHaveTakenEffect =
		(error instanceof Cancelled || error instanceof ServiceError) && error.mayHaveTakenEffect;
	if (mayHaveTakenEffect) return 'uncertain';
	return error instanceof Cancelled ? 'notSent' : 'failed';
}

function senderOf(context: IExecutePaginationFunctions, run: NodeRun, request: Request['options']) {
	return {
		queueKey: run,
		item: context.getItemIndex(),
		urgent: false,
		waitLimits: waitLimitsOf(context),
		connection: connectionOptionsOf(context, request),
		cancellation: run,
	};
}

function waitLimitsOf(context: IExecutePaginationFunctions): WaitLimits {
	const { whenRateLimited, maxWaitMinutes } = context.getNodeParameter('options', {}) as {
		whenRateLimited?: 'wait' | 'fail';
		maxWaitMinutes?: number;
	};
	if (whenRateLimited === 'fail') return { slotMs: 0, throttledMs: 0 };
	const minutes = Number(maxWaitMinutes ?? DEFAULT_MAX_WAIT_MINUTES);
	if (Number.isNaN(minutes)) {
		throw new UnusableParameter(
			`Max Wait (Minutes): expected a number, got ${JSON.stringify(maxWaitMinutes)}`,
			'Enter how many minutes to wait, such as 30 or 0.5',
		);
	}
	return {
		slotMs: Infinity,
		throttledMs: (minutes > 0 ? minutes : DEFAULT_MAX_WAIT_MINUTES) * MINUTE_MS,
	};
}

/** The engine fills in a timeout of its own where the user set none, so the parameter is asked. */
function connectionOptionsOf(
	context: IExecutePaginationFunctions,
	request: Request['options'],
): ConnectionOptions {
	const { timeout } = context.getNodeParameter('requestOptions', {}) as { timeout?: number };
	const { proxy, skipSslCertificateValidation, allowedDomains } = request;
	return {
		...(proxy ? { proxy } : {}),
		...(skipSslCertificateValidation ? { skipSslCertificateValidation: true } : {}),
		...(allowedDomains ? { allowedDomains } : {}),
		...(timeout ? { timeout } : {}),
	};
}
