import './quiet';
import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import type {
	IConnections,
	IDataObject,
	INode,
	INodeExecutionData,
	IRun,
	IWorkflowExecuteAdditionalData,
	NodeApiError,
	NodeConnectionType,
} from 'n8n-workflow';
import { createRunExecutionData, NodeConnectionTypes, Workflow } from 'n8n-workflow';
import type { Service } from '../../service';
import { GivenCredentials } from './credentials';
import { AGENT } from './agent';
import { INPUT, LoadedNodeTypes, PACKAGE } from './nodeTypes';

export type OnError = 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';

export interface NodeSetup {
	/** Parameters as the editor saves them. */
	parameters: Record<string, unknown>;
	/** Whether Output keeps its default. Otherwise, writes have Output: Raw, which needs no request for titles. */
	isAsSaved?: boolean;
	/** JSON of the input items; one empty item by default. */
	input?: IDataObject[];
	onError?: OnError;
	credentials?: {
		baseUrl?: unknown;
		apiKey?: unknown;
		requestsPerMinute?: unknown;
		names?: unknown;
	};
	retryOnFail?: boolean;
	/** Whether an AI agent uses the node as its tool, once for each item, with the item as the model's parameters. */
	isTool?: boolean;
	executeOnce?: boolean;
	/** Time zone of the workflow. */
	timezone?: string;
	/** Node types of another n8n process, without shared memory. */
	types?: LoadedNodeTypes;
}

export interface NodeResult {
	/** Items of the first output. */
	items: INodeExecutionData[];
	/** Items of the error output, if the node has one. */
	errorItems: INodeExecutionData[];
	/** Error that stopped the execution. */
	error?: NodeApiError | undefined;
	run: IRun;
}

/** Full type of the action node. */
export const PACKAGE_NODE = `${PACKAGE}.contactTaskCrm`;

let loaded: Promise<LoadedNodeTypes> | undefined;

/** The built package, loaded once for a test file. */
export async function nodeTypes(): Promise<LoadedNodeTypes> {
	loaded ??= LoadedNodeTypes.load();
	return await loaded;
}

let executions = 0;

/**
 * Starts the node in n8n-core's own engine, behind a node that outputs the items.
 *
 * @returns the execution; a test can cancel it like the editor's stop button
 */
export async function startNode(service: Pick<Service, 'url' | 'apiKey'>, setup: NodeSetup) {
	const types = setup.types ?? (await nodeTypes());
	const workflow = new Workflow({
		id: 'workflow',
		nodes: nodesOf(setup),
		connections: connectionsOf(setup),
		active: false,
		nodeTypes: types,
		settings: { timezone: setup.timezone ?? 'Europe/Amsterdam' },
	});
	const executionId = String(++executions);
	const saved = { id: 'workflow', name: 'Test', nodes: [], connections: {} };
	const additionalData = {
		credentialsHelper: GivenCredentials.of(types, service, setup.credentials),
		hooks: new ExecutionLifecycleHooks('manual', executionId, saved as never),
		executionId,
		variables: {},
		currentNodeExecutionIndex: 0,
		webhookWaitingBaseUrl: 'http://localhost',
		formWaitingBaseUrl: 'http://localhost',
		logAiEvent: () => undefined,
	} as unknown as IWorkflowExecuteAdditionalData;
	const execute = new WorkflowExecute(additionalData, 'manual', createRunExecutionData());
	return { execution: execute.run({ workflow, startNode: workflow.getNode('Input')! }) };
}

/** Runs the node to its end. */
export async function runNode(
	service: Pick<Service, 'url' | 'apiKey'>,
	setup: NodeSetup,
): Promise<NodeResult> {
	const { execution } = await startNode(service, setup);
	return resultOf(await execution);
}

export function resultOf(run: IRun): NodeResult {
	const [task] = run.data.resultData.runData.CRM ?? [];
	const [items, errorItems] = task?.data?.main ?? task?.data?.ai_tool ?? [];
	return {
		items: items ?? [],
		errorItems: errorItems ?? [],
		error: run.data.resultData.error as NodeApiError | undefined,
		run,
	};
}

function connectionsOf({ isTool = false }: NodeSetup): IConnections {
	const to = (node: string, type: NodeConnectionType) => ({ [type]: [[{ node, type, index: 0 }]] });
	const { Main, AiTool } = NodeConnectionTypes;
	if (!isTool) return { Input: to('CRM', Main) };
	return { Input: to('Agent', Main), CRM: to('Agent', AiTool) };
}

function nodesOf({
	parameters,
	isAsSaved = false,
	input = [{}],
	onError,
	retryOnFail,
	executeOnce,
	isTool = false,
}: NodeSetup): INode[] {
	const given = { items: JSON.stringify(input.map((json) => ({ json }))) };
	const crm: INode = {
		...nodeOf('CRM', isTool ? `${PACKAGE_NODE}Tool` : PACKAGE_NODE, {
			...parameters,
			...(isAsSaved ? {} : outputOf(parameters)),
		}),
		credentials: { contactTaskCrmApi: { id: '1', name: 'CRM' } },
		...(onError ? { onError } : {}),
		...(executeOnce ? { executeOnce } : {}),
		...(retryOnFail ? { retryOnFail, maxTries: 2, waitBetweenTries: 0 } : {}),
	};
	return [nodeOf('Input', INPUT, given), crm, ...(isTool ? [nodeOf('Agent', AGENT, {})] : [])];
}

/** Returns a node of the workflow. */
export function nodeOf(name: string, type: string, parameters: object): INode {
	const id = name.toLowerCase();
	return { id, name, type, typeVersion: 1, position: [0, 0], parameters: { ...parameters } };
}

/** Returns Options with Output: Raw for writes, unless a test sets Output. Raw output needs no request for titles. */
function outputOf({ operation = '', options }: Record<string, unknown>): Record<string, unknown> {
	return /^get/.test(String(operation))
		? {}
		: { options: { output: 'raw', ...(options as object) } };
}
