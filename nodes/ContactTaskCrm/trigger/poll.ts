import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { ExplainedError, UnusableParameter } from '../common/errors';
import { asNodeError } from '../common/nodeErrors';
import { keyLengthOf } from './compare';
import { itemsOf } from './items';
import { hasPolled, startFrom } from './progress';
import { readChanges } from './readChanges';
import { leavesOut } from './reading';
import { noteError, noteSuccess, takeDue } from './repeatedErrors';
import { PollRequests } from './requests';
import { sampleOf } from './sample';
import { starvation } from './starvation';
import type { TriggerState } from './state';
import { fromSaved, toSaved } from './state';
import { columnsNamedIn, readTitles, titlesOf } from './titles';
import type { Watch } from './watch';
import { watchOf } from './watchOf';

type Items = INodeExecutionData[][] | null;

/** Triggers that are polling: n8n starts the next poll even while one is under way. */
const polling = new Set<string>();

/** Triggers of which the user was told that what they remembered cannot be read. */
const toldUnreadable = new Set<string>();

/**
 * One poll: reads what may have changed, and hands over what has.
 *
 * @throws NodeApiError that says what is wrong, the same no more often than once an hour
 */
export async function poll(this: IPollFunctions): Promise<Items> {
	const trigger = `${this.getWorkflow().id}/${this.getNode().id}`;
	const isTest = this.getMode() === 'manual';
	if (!isTest && polling.has(trigger)) return null;
	if (!isTest) polling.add(trigger);
	try {
		return isTest ? await sample(this) : await pollAs(this, trigger);
	} catch (error) {
		throw asNodeError(this.getNode(), error, 0);
	} finally {
		if (!isTest) polling.delete(trigger);
	}
}

async function pollAs(context: IPollFunctions, trigger: string): Promise<Items> {
	const due = takeDue(trigger, Date.now());
	if (due !== undefined) throw due;
	const memory = context.getWorkflowStaticData('node');
	const opened = await openPoll(context).catch(async (error: unknown) => {
		const repeats = { wallTime: Date.now(), isLater: false };
		const isSilent = hasPolled(trigger) && !noteError(trigger, error, repeats);
		return isSilent ? undefined : await Promise.reject(error);
	});
	if (!opened) return null;
	const { requests, watch } = opened;
	const start = startFrom({ trigger, key: watch.key, holder: memory }, memory.state, () =>
		loadedState(context, trigger, memory.state, watch),
	);
	const isFirst = start.state === undefined;
	requests.shareAs({ trigger, isFirst });
	const result = await readChanges({ requests, watch, logger: context.logger }, start.state);
	const { state, changes, hasRead } = result;
	if (state === undefined) throw result.failure?.error;
	const hasWord = hasRead || result.failure !== undefined;
	const starved = starvation(trigger, hasWord, Date.now());
	const failure = result.failure ?? starved;
	const saved = toSaved(state);
	memory.state = saved as unknown as IDataObject;
	toldUnreadable.delete(trigger);
	const isWorthAnExecution = start.keep(state, saved, requests.now);
	const isLater = changes.length > 0;
	if (failure === undefined && hasRead && !leavesOut(state)) noteSuccess(trigger, Date.now());
	if (failure) {
		const isThrown = noteError(trigger, failure.error, { wallTime: Date.now(), isLater });
		if (isThrown || (isFirst && !isLater)) {
			start.fail();
			throw failure.error;
		}
	}
	if (changes.length > 0) {
		start.handOver(true);
		return [itemsOf(context, watch, { changes, titleOf: titlesOf(requests.identity) })];
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
	return { requests, watch: watchOf(context, requests.tenant) };
}

/**
 * The state that n8n has saved.
 *
 * @throws ExplainedError once, where there is one that cannot be read
 */
function loadedState(
	{ logger }: IPollFunctions,
	trigger: string,
	saved: unknown,
	watch: Watch,
): TriggerState | undefined {
	const loaded = fromSaved(saved, watch.key, keyLengthOf(watch));
	if (loaded.kind === 'state') return loaded.state;
	if (loaded.kind !== 'unreadable' || toldUnreadable.has(trigger)) return undefined;
	toldUnreadable.add(trigger);
	const cause = loaded.isLater
		? 'it was written by a later version of this package'
		: 'it is damaged, or was written by another program';
	const message = `What this trigger remembered cannot be read: ${cause}`;
	logger.warn(`${message}. It begins anew with the next poll`, { trigger });
	throw new ExplainedError(
		message,
		loaded.isLater
			? 'Install the later version again, or publish the workflow once more: the trigger then begins anew, and what happened in the meantime does not start it'
			: 'Publish the workflow once more: the trigger then begins anew, and what happened in the meantime does not start it',
	);
}

/** The newest record at once, to build a workflow with; nothing is remembered of it. */
async function sample(context: IPollFunctions): Promise<Items> {
	const { requests, watch } = await openPoll(context);
	await requests.assertExist(watch.anchors);
	const change = await sampleOf(requests, watch);
	if (change === undefined) throw nothingYet(watch);
	if (watch.list === 'tasks') {
		await readTitles(requests, columnsNamedIn(change.record, change.before), requests.now);
	}
	return [itemsOf(context, watch, { changes: [change], titleOf: titlesOf(requests.identity) })];
}

function nothingYet({ subject }: Watch): UnusableParameter {
	return new UnusableParameter(
		`There is nothing to show yet: the ${subject.noun} is empty`,
		'Add something in the CRM and test again, or publish the workflow: it starts with what comes',
	);
}
