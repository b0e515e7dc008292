import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { hints } from './description/hints';
import { options } from './description/options';
import { resources } from './description/resources';
import { shared } from './description/shared';
import { credentialTest, listSearch, loadOptions, resourceMapping } from './lookups';
import { resourceParameters } from './resources';
import { runUnknownOperation } from './runtime/unknownOperation';

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
		hints,
		properties: shared([resources, ...Object.values(resourceParameters).flat(), options]),
	};

	methods = { credentialTest, listSearch, loadOptions, resourceMapping };
}
