import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { parametersOf } from './ui/description';
import { hintsOf } from './ui/hints';
import { credentialTest } from './lists/credentialTest';
import { listSearch } from './lists/listSearch';
import { loadOptions } from './lists/loadOptions';
import { resourceMapping } from './lists/tableColumns';
import { allResources, resources } from './resources';
import { runUnknownOperation } from './run/unknownOperation';

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
		// Each operation has its own.
		requestOperations: { pagination: runUnknownOperation },
		hints: hintsOf(Object.values(resources)),
		properties: parametersOf(allResources),
	};

	methods = { credentialTest, listSearch, loadOptions, resourceMapping };
}
