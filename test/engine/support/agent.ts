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
 * Uses the tool "CRM" once for each item, with the item as the model's parameters. It calls the engine in the way of
 * n8n's agent.
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

/** Turns a node into a tool. n8n's program does so, but n8n-core does not. */
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
