/* eslint-disable @n8n/community-nodes/no-restricted-globals -- lets pending work go on while time stands still */
import { PollContext, TriggersAndPollers } from 'n8n-core';
import type {
	IDataObject,
	IHttpRequestOptions,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeTypes,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import { Workflow } from 'n8n-workflow';
import { ContactTaskCrmApi } from '../../../../credentials/ContactTaskCrmApi.credentials';
import { ContactTaskCrmTrigger } from '../../../../nodes/ContactTaskCrm/ContactTaskCrmTrigger.node';
import { memoryOf } from '../../../../nodes/ContactTaskCrm/trigger/memory';
import '../../../engine/support/quiet';
import { GivenCredentials } from '../../../engine/support/credentials';
import { seededRandom } from '../../../support/seededRandom';
import type { TenantHabits } from './habits';
import { CrmTenant } from './crmTenant';

export const ORIGIN = 'https://crm.test';

/** Parameters of a trigger, and the behaviour of its host. */
export interface TriggerSetup {
	/** Limit of the credential; default 20. Polls use at most half of it. */
	requestsPerMinute?: number;
	/**
	 * Ways that n8n keeps the trigger's memory. By default, it is in memory and saved with each execution. With the
	 * scheduler, it is loaded for each poll. With durable poll cursors, it is also saved after each poll.
	 */
	host?: 'inMemory' | 'scheduler' | 'durableCursors';
	/** Saved memory of a trigger that was active before. */
	memory?: string;
	/** Time that n8n gives a poll, in ms; by default, 5 minutes. */
	pollBudgetMs?: number | undefined;
	/** API key of other triggers in the same process; by default, a new one. */
	apiKey?: string;
}

/** The result of a poll. */
export interface PollEnd {
	/** Items that start the workflow. Empty for an execution without items, null for no execution. */
	items: IDataObject[] | null;
	/** Error of the execution. */
	failure: Error | undefined;
}

/** More turns of the event loop than any poll needs. */
const MOST_TURNS = 10_000_000;
/** Seconds in the service's Retry-After. */
const RETRY_AFTER_S = 7;

const turn = async () => await new Promise<void>((resolve) => setImmediate(resolve));

/** Lets virtual time pass until the work is done. */
export async function inVirtualTime<T>(work: Promise<T>): Promise<T> {
	const ended = { isDone: false };
	void work.then(() => (ended.isDone = true));
	for (let turns = 1; !ended.isDone; turns++) {
		if (turns > MOST_TURNS) throw new Error('The poll does not end');
		await turn();
		// After three turns of the event loop, all work waits for a timer.
		if (!ended.isDone && turns % 3 === 0) jest.advanceTimersToNextTimer();
	}
	return await work;
}

let opened = 0;

/** Opens a tenant in virtual time, beginning at a full minute. End with `closeTenant`. */
export function openTenant(habits: Partial<TenantHabits> = {}): CrmTenant {
	jest.useFakeTimers({
		doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'clearImmediate'],
		now: Date.UTC(2026, 0, 5, 9),
	});
	// The node's random waits are seeded as well, so that a schedule always ends the same way.
	jest.spyOn(Math, 'random').mockImplementation(seededRandom(habits.seed ?? 1));
	return new CrmTenant(habits);
}

/** A time so late that the node has forgotten every trigger. */
const LONG_AFTER_MS = Number.MAX_SAFE_INTEGER;

/** Returns to real time and random values. The node forgets all triggers, because each poll looks through them. */
export function closeTenant(): void {
	memoryOf('none', LONG_AFTER_MS);
	jest.useRealTimers();
	jest.restoreAllMocks();
}

/** The trigger node in an active workflow, with n8n-core's own polling over a tenant. */
export class OpenTrigger {
	private process!: { workflow: Workflow; node: INode; context: PollContext };

	/** The static data of the node as its polls see it. */
	private remembered: IDataObject = {};

	/** The static data of the node in n8n's database, as JSON. */
	database = '{}';

	private isActivated = false;

	/** The credential, which users may change. By default, each trigger has its own key, and so its own limit. */
	readonly credential: { baseUrl: string; apiKey: string; requestsPerMinute: number };

	constructor(
		public tenant: CrmTenant,
		private parameters: INodeParameters,
		private readonly setup: TriggerSetup = {},
	) {
		const { apiKey = `key-${++opened}`, requestsPerMinute = 20 } = setup;
		this.credential = { baseUrl: ORIGIN + tenant.habits.prefix, apiKey, requestsPerMinute };
		if (setup.memory !== undefined) {
			this.database = setup.memory;
			this.isActivated = true;
		}
		this.start();
	}

	/** Polls at a later time, in ms since 1970. Scheduled changes happen before. */
	async poll(at: number = this.tenant.now): Promise<PollEnd> {
		this.tenant.passTo(at);
		return await inVirtualTime(this.begin());
	}

	/** Polls now. Time has to pass for the poll to end. */
	async begin(): Promise<PollEnd> {
		const { workflow, node, context } = this.process;
		const { host = 'inMemory' } = this.setup;
		if (host !== 'inMemory') this.remembered = JSON.parse(this.database) as IDataObject;
		const work = new TriggersAndPollers().runPollFunction(workflow, node, context as never);
		const { items, failure } = await work.then(
			(result): PollEnd => ({ items: result && itemsIn(result), failure: undefined }),
			(failure: Error): PollEnd => ({ items: null, failure }),
		);
		const isActivation = !this.isActivated && failure === undefined;
		const isCommitted = host === 'durableCursors' && failure === undefined;
		if (isActivation || items !== null || isCommitted) {
			this.database = JSON.stringify(this.remembered);
			this.isActivated = true;
		}
		return { items, failure };
	}

	/** Kills and restarts the process. It then knows only the saved memory. */
	kill(): void {
		this.start();
		// n8n publishes its workflows again when it starts.
		this.isActivated = false;
	}

	/** Publishes the workflow again in the same process, with the same parameters or others. */
	publish(parameters = this.parameters): void {
		this.parameters = parameters;
		const { id } = this.process.node;
		this.start();
		this.process.node.id = id;
		// n8n polls a newly published workflow once, and saves it.
		this.isActivated = false;
	}

	/** Changes the node's memory, in the process and in n8n's database. */
	damage(how: (saved: IDataObject) => unknown): void {
		const { state } = JSON.parse(this.database) as { state: IDataObject };
		this.database = JSON.stringify({ state: how(state) });
		this.remembered = JSON.parse(this.database) as IDataObject;
	}

	/** Number of characters of static data. */
	get size(): number {
		return JSON.stringify(this.remembered).length;
	}

	private start(): void {
		const type = new ContactTaskCrmTrigger();
		const nodeTypes = { getByNameAndVersion: () => type } as unknown as INodeTypes;
		this.remembered = JSON.parse(this.database) as IDataObject;
		const node: INode = {
			id: `trigger ${++opened}`,
			name: 'Trigger',
			type: 'n8n-nodes-contact-task-crm.contactTaskCrmTrigger',
			typeVersion: 1,
			position: [0, 0],
			parameters: this.parameters,
			credentials: { contactTaskCrmApi: { id: '1', name: 'CRM' } },
		};
		const nodes = [node];
		const workflow = new Workflow({ nodes, connections: {}, active: true, nodeTypes });
		const additionalData = {
			credentialsHelper: new GivenCredentials(
				{ credentialTypes: { contactTaskCrmApi: new ContactTaskCrmApi() } },
				this.credential as never,
			),
			variables: {},
		} as unknown as IWorkflowExecuteAdditionalData;
		const { pollBudgetMs } = this.setup;
		const hostDefault = undefined;
		const context = new PollContext(
			workflow,
			node,
			additionalData,
			'trigger',
			'activate',
			hostDefault,
			hostDefault,
			hostDefault,
			hostDefault,
			() => this.remembered,
			pollBudgetMs === undefined ? hostDefault : () => pollBudgetMs,
		);
		context.helpers.httpRequestWithAuthentication = this.send.bind(this) as never;
		this.process = { workflow, node, context };
	}

	/** Replaces n8n's request over the network. */
	private async send(_: string, { url }: IHttpRequestOptions): Promise<unknown> {
		const { pathname, searchParams } = new URL(url);
		const path = pathname.slice(this.tenant.habits.prefix.length);
		const answer = await this.tenant.answer(path, searchParams);
		if (answer === 'reset')
			throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
		if (answer === 'silence') return await new Promise(() => {});
		const date = new Date(this.tenant.now).toUTCString();
		return {
			statusCode: answer.status,
			headers: {
				date,
				'content-type': 'application/ld+json',
				...(answer.status === 429 ? { 'retry-after': String(RETRY_AFTER_S) } : {}),
			},
			body: structuredClone(answer.body),
		};
	}
}

function itemsIn(result: INodeExecutionData[][]): IDataObject[] {
	return (result[0] ?? []).map(({ json }) => json);
}
