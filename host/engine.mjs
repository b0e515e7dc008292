// Executes workflows in n8n's own engine, n8n-core, without n8n.
import { createRequire } from 'node:module';
import { register } from 'tsx/cjs/api';
import { BASE_NODES } from './baseNodes.mjs';

// The engine reads this variable while it loads. Its log would mix with the lines of progress.
process.env.N8N_LOG_LEVEL ??= 'silent';

// Lets `require` load TypeScript: two files that the engine tests use as well.
register();
const require = createRequire(import.meta.url);
const { ExecutionLifecycleHooks, WorkflowExecute } = require('n8n-core');
const { createRunExecutionData, Workflow } = require('n8n-workflow');
const { GivenCredentials } = require('../test/engine/support/credentials.ts');
const { LoadedNodeTypes } = require('../test/engine/support/nodeTypes.ts');

let loading;

/**
 * Executes a workflow to its end.
 * @param {{ id: string, name: string, nodes: object[], connections: object, settings?: object }} saved
 * @param {{ url: string, apiKey: string }} service
 * @param {{ requestsPerMinute?: number, nodes?: Record<string, object>, onNodeDone?: (name: string, items: object[][]) => void }} [options] `nodes`: further nodes by their types
 * @returns {Promise<{ outputs: (node: string) => object[][], error?: Error }>} `outputs`: the items of each output of a node
 */
export async function executeWorkflow(saved, service, options = {}) {
	const { requestsPerMinute = 20, nodes: further = {}, onNodeDone } = options;
	loading ??= LoadedNodeTypes.load();
	const loaded = await loading;
	const known = { ...BASE_NODES, ...further };
	const nodeTypes = {
		getByName: (type) => nodeTypes.getByNameAndVersion(type),
		getByNameAndVersion: (type, version) =>
			known[type] ?? loaded.getByNameAndVersion(type, version),
		getKnownTypes: () => ({}),
	};
	const { id, nodes, connections, settings = {} } = saved;
	const workflow = new Workflow({ id, nodes, connections, active: false, nodeTypes, settings });
	const hooks = new ExecutionLifecycleHooks('manual', '1', saved);
	hooks.addHandler('nodeExecuteAfter', (name, { data }) => onNodeDone?.(name, data?.main ?? []));
	const additionalData = {
		credentialsHelper: GivenCredentials.of(loaded, service, { requestsPerMinute }),
		...{ hooks, executionId: '1', variables: {}, currentNodeExecutionIndex: 0 },
		...{ webhookWaitingBaseUrl: 'http://localhost', formWaitingBaseUrl: 'http://localhost' },
		logAiEvent: () => undefined,
	};
	const execution = new WorkflowExecute(additionalData, 'manual', createRunExecutionData());
	const startNode = nodes.find(({ type }) => type === 'n8n-nodes-base.manualTrigger').name;
	const { data } = await execution.run({ workflow, startNode: workflow.getNode(startNode) });
	const { runData, error } = data.resultData;
	return {
		outputs: (name) => (runData[name]?.[0].data?.main ?? []).map((items) => items ?? []),
		error,
	};
}
