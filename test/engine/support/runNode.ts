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
	/** As the editor keeps them. */
	parameters: Record<string, unknown>;
	/** Whether parameters without a value keep their defaults. Otherwise, writes output the whole record. */
	isAsSaved?: boolean;
	/** JSON of the input items; one empty item where absent. */
	input?: IDataObject[];
	onError?: OnError;
	credentials?: {
		baseUrl?: unknown;
		apiKey?: unknown;
		requestsPerMinute?: unknown;
		names?: unknown;
	};
	retryOnFail?: boolean;
	/** Whether an AI agent uses the node as its tool, once with each item as what its model fills in. */
	isTool?: boolean;
	executeOnce?: boolean;
	/** Of the workflow. */
	timezone?: string;
	/** Of another process of n8n, which shares no memory with this one. */
	types?: LoadedNodeTypes;
}

export interface NodeResult {
	/** Items of the first output. */
	items: INodeExecutionData[];
	/** Items of the error output, where the node has one. */
	errorItems: INodeExecutionData[];
	/** What stopped the execution. */
	error?: NodeApiError;
	run: IRun;
}

/** The action node, by its full type. */
export const PACKAGE_NODE = `${PACKAGE}.contactTaskCrm`;

let loaded: Promise<LoadedNodeTypes> | undefined;

/** The built package, loaded once for a test file. */
export async function nodeTypes(): Promise<LoadedNodeTypes> {
	loaded ??= LoadedNodeTypes.load();
	return await loaded;
}

let executions = 0;

/**
 * Starts the node in n8n-core's own engine, behind a node that gives it items.
 *
 * @returns the execution, which can be cancelled as the stop button of the editor does
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

/** A node of the workflow, by its name. */
export function nodeOf(name: string, type: string, parameters: object): INode {
	const id = name.toLowerCase();
	return { id, name, type, typeVersion: 1, position: [0, 0], parameters: { ...parameters } };
}

/** Makes writes output the whole record unless a test says otherwise. This needs no request for titles. */
function outputOf({ operation = '', options }: Record<string, unknown>): Record<string, unknown> {
	return /^get/.test(String(operation))
		? {}
		: { options: { output: 'raw', ...(options as object) } };
}
