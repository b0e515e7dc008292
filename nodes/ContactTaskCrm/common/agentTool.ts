import type { INode } from 'n8n-workflow';

/** Whether a node runs as a tool of an AI agent: n8n makes a type of its own for that, named after the node's. */
export function isAgentTool({ type }: Pick<INode, 'type'>): boolean {
	return type.endsWith('Tool');
}
