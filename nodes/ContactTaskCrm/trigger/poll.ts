import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { systemClock } from '../http/clock';
import { ExplainedError, UnusableParameter } from '../util/errors';
import { asNodeError } from '../util/nodeErrors';
import { noteError, starvation, takeDue } from './failures';
import { itemsOf } from './items';
import type { TriggerMemory } from './process';
import { memoryOf, startFrom } from './process';
import { readChanges } from './readChanges';
import { PollRequests } from './requests';
import { sampleOf } from './sample';
import type { TriggerState } from './state';
import { fromSaved, toSaved } from './state';
import { columnsNamedIn, readTitles, titlesOf } from './titles';
import type { Watch } from './watch';
import { watchOf } from './watchOf';

type Items = INodeExecutionData[][] | null;

/**
 * One poll: reads what may have changed, and hands over what has.
 *
 * @throws NodeApiError that says what is wrong, the same no more often than once an hour
 */
export async function poll(this: IPollFunctions): Promise<Items> {
	const trigger = `${this.getWorkflow().id}/${this.getNode().id}`;
	try {
		if (this.getMode() === 'manual') return await sample(this);
		const memory = memoryOf(trigger, systemClock.wallTime());
		if (memory.isPolling) return null;
		memory.isPolling = true;
		return await pollAs(this, trigger, memory).finally(() => {
			memory.isPolling = false;
		});
	} catch (error) {
		throw asNodeError(this.getNode(), error, 0);
	}
}

async function pollAs(
	context: IPollFunctions,
	trigger: string,
	memory: TriggerMemory,
): Promise<Items> {
	const due = takeDue(memory);
	if (due !== undefined) throw due;
	const holder = context.getWorkflowStaticData('node');
	const opened = await openPoll(context).catch(async (error: unknown) => {
		const isSilent = !noteError(memory, error, false) && memory.progress !== undefined;
		return isSilent ? undefined : await Promise.reject(error);
	});
	if (!opened) return null;
	const { requests, watch } = opened;
	const { logger } = context;
	const start = startFrom(memory, { key: watch.key, holder, saved: holder.state }, () =>
		loadedState(context, { trigger, memory }, holder.state, watch),
	);
	const isFirst = start.state === undefined;
	requests.shareAs(trigger, isFirst);
	const result = await readChanges({ requests, watch, memory, logger }, start.state);
	const { state, changes, hasRead, mustOutlast } = result;
	const starved = starvation(memory, hasRead || result.failure !== undefined);
	const failure = result.failure ?? starved;
	const hasItems = changes.length > 0;
	const isThrown = failure !== undefined && noteError(memory, failure.error, hasItems);
	// Publishing fails with it, and what was read then counts for nothing.
	if (failure && (state === undefined || (isFirst && !hasItems))) throw failure.error;
	if (!state) return null;
	const saved = toSaved(state);
	holder.state = saved as unknown as IDataObject;
	memory.hasToldUnreadable = false;
	const isWorthAnExecution = start.keep(state, saved, mustOutlast);
	if (failure && isThrown) {
		start.fail();
		throw failure.error;
	}
	if (hasItems) {
		start.handOver(true);
		return [itemsOf(context, watch, { changes, titleOf: titlesOf(requests.tenant) })];
	}
	// A node that always has output would start the workflow with an empty item.
	if (!isWorthAnExecution || context.getNode().alwaysOutputData) return null;
	start.handOver(false);
	return [[]];
}

/** @throws ExplainedError where the credential or a parameter cannot be used */
async function openPoll(
	context: IPollFunctions,
): Promise<{ requests: PollRequests; watch: Watch }> {
	const requests = await PollRequests.open(context);
	return { requests, watch: watchOf(context, requests.tenant.identity) };
}

const UNREADABLE = {
	damaged: {
		cause: 'it is damaged, or was written by another program',
		advice: 'Publish the workflow once more',
	},
	earlier: {
		cause: 'it was written by an earlier version of this package',
		advice: 'Publish the workflow once more',
	},
	later: {
		cause: 'it was written by a later version of this package',
		advice: 'Install the later version again, or publish the workflow once more',
	},
};

/**
 * The state that n8n has saved.
 *
 * @throws ExplainedError once, where there is one that cannot be read
 */
function loadedState(
	{ logger }: IPollFunctions,
	{ trigger, memory }: { trigger: string; memory: TriggerMemory },
	saved: unknown,
	watch: Watch,
): TriggerState | undefined {
	const loaded = fromSaved(saved, watch.key);
	if (loaded.kind === 'state') return loaded.state;
	if (loaded.kind === 'none' || loaded.kind === 'foreign') return undefined;
	if (memory.hasToldUnreadable) return undefined;
	memory.hasToldUnreadable = true;
	const { cause, advice } = UNREADABLE[loaded.kind];
	const message = `What this trigger remembered cannot be read: ${cause}`;
	logger.warn(`${message}. It begins anew with the next poll`, { trigger });
	throw new ExplainedError(
		message,
		`${advice}: the trigger then begins anew, and what happened in the meantime does not start it`,
	);
}

/** The newest record at once, to build a workflow with; nothing is remembered of it. */
async function sample(context: IPollFunctions): Promise<Items> {
	const { requests, watch } = await openPoll(context);
	await requests.assertExist(watch.anchors);
	const change = await sampleOf(requests, watch);
	if (change === undefined) throw nothingYet(watch);
	if (watch.list === 'tasks') {
		await readTitles(requests, columnsNamedIn(change.record, change.before));
	}
	return [itemsOf(context, watch, { changes: [change], titleOf: titlesOf(requests.tenant) })];
}

function nothingYet({ subject }: Watch): UnusableParameter {
	return new UnusableParameter(
		`There is nothing to show yet: the ${subject.noun} is empty`,
		'Add something in the CRM and test again, or publish the workflow: it starts with what comes',
	);
}
