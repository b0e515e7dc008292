import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { UnusableParameter } from '../common/errors';
import { outputFormOf } from '../runtime/output';
import { watchOf } from './events';
import { progressOf } from './progress';
import { firstState, mustOutlast, nextQuery, withPage } from './reading';
import { explained, PollRequests } from './requests';
import { newest } from './sample';
import type { TriggerState } from './state';
import { savedState } from './state';
import type { Happening, Watch } from './watch';

type Items = INodeExecutionData[][] | null;

/** Memories that a poll is working with: n8n starts the next poll even while one is under way. */
const inUse = new WeakSet<IDataObject>();

/**
 * One poll: reads what may have changed, and hands over what has.
 *
 * @throws NodeApiError that says what is wrong; nothing is remembered of such a poll
 */
export async function poll(this: IPollFunctions): Promise<Items> {
	return await explained(this, async () => {
		if (this.getMode() === 'manual') return await sample(this);
		const memory = this.getWorkflowStaticData('node');
		if (inUse.has(memory)) return null;
		inUse.add(memory);
		try {
			return await pollWith(this, memory);
		} finally {
			inUse.delete(memory);
		}
	});
}

async function pollWith(context: IPollFunctions, memory: IDataObject): Promise<Items> {
	const requests = await PollRequests.open(context);
	const watch = watchOf(context, requests.tenant);
	const trigger = `${context.getWorkflow().id}/${context.getNode().id}`;
	const loaded = savedState(memory.state, watch.key);
	const { state: before, keep } = progressOf(trigger, watch.key, loaded);
	const { state, happenings } = await read(requests, watch, before);
	if (state === undefined) return null;
	if (state !== loaded) memory.state = state as unknown as IDataObject;
	if (happenings.length > 0) return [itemsOf(context, watch, happenings)];
	if (isWorthAnExecution(context, before, state)) return [[]];
	keep(state);
	return null;
}

/** Reads on from where the last poll stopped, until nothing is left to read or to spend. */
async function read(requests: PollRequests, watch: Watch, saved: TriggerState | undefined) {
	const happenings: Happening[] = [];
	let state = saved ?? firstState(watch);
	if (watch.anchor && (!saved || saved.isAnchorDue)) {
		const anchor = await requests.assertExists(watch);
		if (!anchor) return { state: saved, happenings };
		// What happens before the first page is read has happened since the trigger began.
		state = { ...state, isAnchorDue: false, since: state.since ?? anchor.servedAt };
	}
	for (let isDone = false; !isDone; ) {
		const page = await requests.page(watch, nextQuery(watch, state));
		if (!page) break;
		const step = withPage(watch, state, page, requests.wallTime);
		state = step.state;
		happenings.push(...step.happenings);
		isDone = step.isDone;
		if (step.foundNone && watch.anchor) {
			state = { ...state, isAnchorDue: !(await requests.assertExists(watch)) };
		}
	}
	return { state, happenings };
}

/**
 * n8n saves what a trigger remembers only when it is activated or hands something over. A first read
 * that took several polls is worth an execution without items: without it, a restart would forget
 * what everything is compared with.
 */
function isWorthAnExecution(
	context: IPollFunctions,
	saved: TriggerState | undefined,
	state: TriggerState,
): boolean {
	// A node that always has output would start the workflow with an empty item.
	return mustOutlast(saved, state) && !context.getNode().alwaysOutputData;
}

function itemsOf(
	context: IPollFunctions,
	{ record, unknownBefore }: Watch,
	happenings: Happening[],
): INodeExecutionData[] {
	const form = outputFormOf({ context }, record);
	return happenings.map((happening) => ({
		json: { ...form.of(happening.record), ...unknownBefore, ...happening.before },
	}));
}

/** The newest record at once, to build a workflow with; nothing is remembered of it. */
async function sample(context: IPollFunctions): Promise<Items> {
	const requests = await PollRequests.open(context);
	const watch = watchOf(context, requests.tenant);
	await requests.assertExists(watch);
	const record = await newest(requests, watch);
	if (record === undefined) throw nothingYet(watch);
	return [itemsOf(context, watch, [{ record, before: {} }])];
}

function nothingYet({ subject }: Watch): UnusableParameter {
	return new UnusableParameter(
		`There is nothing to show yet: the ${subject.noun} is empty`,
		'Add something in the CRM and test again, or publish the workflow: it starts with what comes',
	);
}
