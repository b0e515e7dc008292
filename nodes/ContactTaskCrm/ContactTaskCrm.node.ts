import { type INodeType, type INodeTypeDescription, NodeConnectionTypes } from 'n8n-workflow';
import { parametersOf } from './ui/description';
import { hintsOf } from './ui/hints';
import { credentialTest, listSearch, loadOptions, resourceMapping } from './lists/methods';
import { allResources, resources } from './resources';
import { lazily } from './util/lazily';

const runUnknownOperation = lazily(
	async () => (await import('./run/paginator')).runUnknownOperation,
);

export class ContactTaskCrm implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Contact Task CRM',
		name: 'contactTaskCrm',
		icon: {
			light: 'file:../../icons/contactTaskCrm.svg',
			dark: 'file:../../icons/contactTaskCrm.dark.svg',
		},
		group: ['output'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description:
			'Read and write people, segments, tasks, comments and history in a contact and task CRM',
		defaults: { name: 'Contact Task CRM' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'contactTaskCrmApi', required: true, testedBy: 'testCredential' }],
		requestDefaults: {},
		// Runs only for an unknown operation, because each operation of the node sets a `pagination` that replaces this
		// one.
		requestOperations: { pagination: runUnknownOperation },
		hints: hintsOf(Object.values(resources)),
		properties: parametersOf(allResources),
	};

	methods = { credentialTest, listSearch, loadOptions, resourceMapping };
}
