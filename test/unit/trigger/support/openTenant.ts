/* eslint-disable @n8n/community-nodes/no-restricted-globals -- lets what is under way go on, while time stands still */
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
import '../../../engine/support/quiet';
import { GivenCredentials } from '../../../engine/support/credentials';
import { seededRandom } from '../../../support/seededRandom';
import type { TenantHabits } from './crmTenant';
import { CrmTenant } from './crmTenant';

const ORIGIN = 'https://crm.test';

/** How a trigger is set up, and what the host does. */
export interface TriggerSetup {
	/** As the credential says; polls take half of it at most. Default 20. */
	requestsPerMinute?: number;
	/**
	 * What n8n keeps of what the trigger remembers: by default in memory, saved with each execution; with
	 * its scheduler, loaded anew for each poll; with durable poll cursors, saved after each poll, too.
	 */
	host?: 'inMemory' | 'scheduler' | 'durableCursors';
	/** What n8n's database holds of the trigger already: it was active before. */
	memory?: string;
	/** How long n8n gives a poll, in ms; 5 minutes where it does not say. */
	pollBudgetMs?: number;
	/** The key of other triggers in the same process; one of its own where there is none. */
	apiKey?: string;
}

/** What a poll did. */
export interface PollEnd {
	/** The items that start the workflow: none for an execution without items, null for no execution. */
	items: IDataObject[] | null;
	/** What the execution failed with. */
	failure: Error | undefined;
}

/** More than any poll may wait for. */
const MOST_TURNS = 10_000_000;
/** What the service asks for whom it refuses to wait, in s. */
const RETRY_AFTER_S = 7;

const turn = async () => await new Promise<void>((resolve) => setImmediate(resolve));

/** Lets virtual time pass until the work is done. */
export async function inVirtualTime<T>(work: Promise<T>): Promise<T> {
	const ended = { isDone: false };
	void work.then(() => (ended.isDone = true));
	for (let turns = 1; !ended.isDone; turns++) {
		if (turns > MOST_TURNS) throw new Error('The poll does not end');
		await turn();
		// Nothing goes on by itself any more: it waits for its time.
		if (!ended.isDone && turns % 3 === 0) jest.advanceTimersToNextTimer();
	}
	return await work;
}

let opened = 0;

/** Opens a tenant in virtual time, which begins at a full minute; whoever opens one ends with `closeTenant`. */
export function openTenant(habits: Partial<TenantHabits> = {}): CrmTenant {
	jest.useFakeTimers({
		doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'clearImmediate'],
		now: Date.UTC(2026, 0, 5, 9),
	});
	// How long the node waits before it tries again is drawn, too: the same schedule ends the same each time.
	jest.spyOn(Math, 'random').mockImplementation(seededRandom(habits.seed ?? 1));
	return new CrmTenant(habits);
}

/** Back to real time, and to real chance. */
export function closeTenant(): void {
	jest.useRealTimers();
	jest.restoreAllMocks();
}

/** The trigger node in an active workflow, polled by n8n-core's own machinery over a tenant. */
export class OpenTrigger {
	private process!: { workflow: Workflow; node: INode; context: PollContext };

	/** What the node remembers, as its polls find it, and as n8n's database holds it. */
	private remembered: IDataObject = {};

	/** As JSON. */
	database = '{}';

	private isActivated = false;

	/** Other triggers have other keys, and with them limits of their own. */
	private readonly apiKey = `key-${++opened}`;

	constructor(
		private readonly tenant: CrmTenant,
		private parameters: INodeParameters,
		private readonly setup: TriggerSetup = {},
	) {
		if (setup.memory !== undefined) {
			this.database = setup.memory;
			this.isActivated = true;
		}
		this.start();
	}

	/** Polls at a time to come, in ms since 1970; what is due until then happens before. */
	async poll(at: number = this.tenant.now): Promise<PollEnd> {
		this.tenant.passTo(at);
		return await inVirtualTime(this.begin());
	}

	/** Polls now; time has to pass for it to end. */
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

	/** The process was killed and started again: it knows what the database holds. */
	kill(): void {
		this.start();
		// n8n publishes its workflows again as it starts.
		this.isActivated = false;
	}

	/** The workflow is published once more, with the same parameters or others, in the same process. */
	publish(parameters = this.parameters): void {
		this.parameters = parameters;
		const { id } = this.process.node;
		this.start();
		this.process.node.id = id;
		// Whatever is published is polled once and saved.
		this.isActivated = false;
	}

	/** What the node remembers becomes something else, in memory and in n8n's database. */
	damage(how: (saved: IDataObject) => unknown): void {
		const { state } = JSON.parse(this.database) as { state: IDataObject };
		this.database = JSON.stringify({ state: how(state) });
		this.remembered = JSON.parse(this.database) as IDataObject;
	}

	/** Letters of static data. */
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
				{
					baseUrl: ORIGIN + this.tenant.habits.prefix,
					apiKey: this.setup.apiKey ?? this.apiKey,
					requestsPerMinute: this.setup.requestsPerMinute ?? 20,
				} as never,
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

	/** Stands where n8n sends a request over the network. */
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
