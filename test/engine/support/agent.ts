import type {
	EngineRequest,
	EngineResponse,
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

export const AGENT = 'test.agent';

/**
 * A node that calls the tool "CRM" once for each item, in the way of n8n's AI agent. The item stands for the parameters
 * that a model would give.
 */
export class Agent implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Agent',
		name: 'agent',
		group: ['transform'],
		version: 1,
		description: 'Uses a tool',
		defaults: { name: 'Agent' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main, NodeConnectionTypes.AiTool],
		outputs: [NodeConnectionTypes.Main],
		properties: [],
	};

	async execute(
		this: IExecuteFunctions,
		response?: EngineResponse,
	): Promise<INodeExecutionData[][] | EngineRequest> {
		if (response && response.actionResponses.length > 0) return [[]];
		return {
			actions: this.getInputData().map(({ json }, index) => ({
				actionType: 'ExecutionNodeAction',
				nodeName: 'CRM',
				input: json,
				type: NodeConnectionTypes.AiTool,
				id: `call_${index}`,
				metadata: {},
			})),
			metadata: {},
		};
	}
}

/** Turns a node into a tool of AI agents. n8n itself does so, but not n8n-core, which these tests use. */
export function asTool(type: INodeType): INodeType {
	const { description } = type;
	return Object.create(type, {
		description: {
			value: {
				...description,
				name: `${description.name}Tool`,
				inputs: [],
				outputs: [NodeConnectionTypes.AiTool],
			},
		},
	}) as INodeType;
}
