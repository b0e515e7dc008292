import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { systemClock } from '../util/clock';
import { asNodeError, ExplainedError } from '../util/errors';
import { itemsOf, readTitles, sampleOf } from './items';
import type { StaticData, TriggerMemory } from './memory';
import {
	keepState,
	memoryOf,
	isErrorDue,
	noteSaved,
	resumeState,
	joinSharedPages,
	starvationError,
} from './memory';
import { readChanges } from './read';
import { assertAnchorsExist } from './requests';
import { Spending } from './spending';
import type { Watch } from './watch';
import { watchOf } from './watch';

type Items = INodeExecutionData[][] | null;

/**
 * Polls the service once, and returns the items of all new events; null if the workflow need not start.
 *
 * @throws NodeApiError with the cause. Once a trigger has begun, its polls throw the same error at most once an hour
 */
export async function poll(this: IPollFunctions): Promise<Items> {
	const trigger = `${this.getWorkflow().id}/${this.getNode().id}`;
	try {
		if (this.getMode() === 'manual') return await sample(this);
		const memory = memoryOf(trigger, systemClock.now());
		if (memory.isPolling) return null;
		memory.isPolling = true;
		return await pollAs(this, memory).finally(() => {
			memory.isPolling = false;
		});
	} catch (error) {
		throw asNodeError(this.getNode(), error, 0);
	}
}

async function pollAs(context: IPollFunctions, memory: TriggerMemory): Promise<Items> {
	const { pendingError, state: latest } = memory;
	delete memory.pendingError;
	// If memory has no state, this poll may publish the workflow. The poll then does not throw the error of an earlier
	// poll, because the error would stop the publishing.
	if (pendingError !== undefined && latest) throw pendingError;
	const opened = await openPoll(context, memory).catch((error: unknown) => {
		if (isErrorDue(memory, error) || !memory.state) throw error;
	});
	if (!opened) return null;
	const { spending, watch } = opened;
	const { client } = spending;
	const staticData: StaticData = context.getWorkflowStaticData('node');
	joinSharedPages(memory, client.tenant, watch);
	const before = resumeState(memory, watch, staticData, context.logger);
	spending.hasBegun = before !== undefined;
	spending.checks = watch.anchors.length;
	const reading = await readChanges(spending, watch, memory, before);
	const { state, changes, hasBegun, mustOutlast, failure } = reading;
	const { sent, limit, hasRead } = spending;
	context.logger.debug('The poll has read what it may', { sent, limit });
	const starved = starvationError(memory, hasRead || failure !== undefined, client.limit);
	const error = failure ? failure.error : starved;
	const hasItems = changes.length > 0;
	const isDue = error !== undefined && isErrorDue(memory, error);
	// A poll cannot both return items and throw, so the next poll throws the error.
	if (isDue && hasItems) memory.pendingError = error;
	// A poll that publishes a workflow (without `before`) throws here, before it keeps a state. n8n then does not publish
	// the workflow.
	if (error !== undefined && (!hasBegun || (!before && !hasItems))) throw error;
	const isWorthAnExecution = keepState(memory, staticData, state, mustOutlast);
	if (isDue && !hasItems) throw error;
	// With Always Output Data, n8n adds an empty item to an execution without items. The workflow would run with this
	// item, so the poll returns null instead.
	if (!hasItems && (!isWorthAnExecution || context.getNode().alwaysOutputData)) return null;
	noteSaved(memory);
	if (hasItems) return itemsOf(watch, client, changes);
	memory.savedEmptyAt = memory.polledAt;
	return [[]];
}

/**
 * Opens the client of a poll, and reads the parameters of the trigger.
 *
 * @param memory absent in a test in the editor
 * @throws ExplainedError if the credential or a parameter cannot be used
 */
async function openPoll(
	context: IPollFunctions,
	memory?: TriggerMemory,
): Promise<{ spending: Spending; watch: Watch }> {
	const spending = await Spending.open(context, memory);
	const { tenant, names } = spending.client;
	return { spending, watch: watchOf(context, tenant, names) };
}

/**
 * Returns the item of a sample event for a test in the editor, so that the user can build a workflow. Changes no state.
 */
async function sample(context: IPollFunctions): Promise<Items> {
	const { spending, watch } = await openPoll(context);
	await assertAnchorsExist(spending, watch.anchors);
	const change = await sampleOf(spending, watch);
	if (change === undefined) {
		throw new ExplainedError(
			`There is nothing to show yet: the ${watch.subject.noun} is empty`,
			'Add a record in the CRM and test again, or publish the workflow. New records then start it',
			{ code: 'not-found' },
		);
	}
	await readTitles(spending, watch, [change]);
	return itemsOf(watch, spending.client, [change]);
}
