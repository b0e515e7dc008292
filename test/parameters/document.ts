/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- a document of the repository */
import path from 'node:path';
import type { INodeTypeDescription } from 'n8n-workflow';
import { actionParameters, tableOf, triggerParameters } from './parameters';

export const DOCUMENT = path.join(__dirname, 'parameters.md');

const INTRODUCTION = `# Parameters

What saved workflows hold of the two nodes: names, types, defaults, and the values that may be chosen. All of it is a
public contract, and stays: [docs/releasing.md](../../docs/releasing.md#what-breaks-a-saved-workflow)
says what breaks a workflow and what does not. Labels and
descriptions are no part of it.

Written by \`npx gulp parameters\` from the descriptions of the nodes. \`test/unit/parameters.test.ts\` holds that nothing
of it is removed or changed; what is new is added by writing the document anew.

`;

/** Returns the expected document. */
export function parametersDocument(
	action: INodeTypeDescription,
	trigger: INodeTypeDescription,
): string {
	const tables = [
		[action.displayName, tableOf(actionParameters(action))],
		[trigger.displayName, tableOf(triggerParameters(trigger))],
	];
	return INTRODUCTION + tables.map(([name, table]) => `## ${name}\n\n${table}\n`).join('\n');
}
