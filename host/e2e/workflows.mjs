export const NODE_TYPE = 'n8n-nodes-contact-task-crm.contactTaskCrm';

export const TRIGGER_TYPE = 'n8n-nodes-contact-task-crm.contactTaskCrmTrigger';

const DISTANCE = 220;

/** Returns a node of this package. */
export function crmNode(name, credential, parameters) {
	return {
		name,
		type: NODE_TYPE,
		typeVersion: 1,
		parameters,
		credentials: { contactTaskCrmApi: credential },
	};
}

/** Returns the trigger of this package, polling as often as n8n allows. */
export function crmTrigger(name, credential, parameters) {
	return {
		...crmNode(name, credential, {
			pollTimes: { item: [{ mode: 'everyMinute' }] },
			...parameters,
		}),
		type: TRIGGER_TYPE,
	};
}

/** Returns nodes that create a number of items. */
export function itemsNode(name, count) {
	return rowsNode(
		name,
		Array.from({ length: count }, (_, index) => ({ name: `Jansen ${index + 1}` })),
	);
}

/**
 * Returns nodes that output rows as items. They need no Code node, because n8n would have to start a program for it.
 */
export function rowsNode(name, rows) {
	return [
		{
			name: 'All Rows',
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			parameters: { mode: 'raw', jsonOutput: JSON.stringify({ rows }) },
		},
		{
			name,
			type: 'n8n-nodes-base.splitOut',
			typeVersion: 1,
			parameters: { fieldToSplitOut: 'rows' },
		},
	];
}

const BY_HAND = { name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1 };

/** Returns a workflow with a manual start, or another trigger, and these nodes one after another. */
export function workflowOf(name, nodes, start = BY_HAND) {
	const all = [start, ...nodes];
	return {
		name,
		nodes: all.map((node, index) => ({
			parameters: {},
			id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
			position: [index * DISTANCE, 0],
			...node,
		})),
		connections: Object.fromEntries(
			nodes.map((node, index) => [
				all[index].name,
				{ main: [[{ node: node.name, type: 'main', index: 0 }]] },
			]),
		),
		settings: { executionOrder: 'v1' },
	};
}
