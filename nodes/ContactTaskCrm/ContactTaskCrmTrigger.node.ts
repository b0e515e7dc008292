import { type INodeType, type INodeTypeDescription, NodeConnectionTypes } from 'n8n-workflow';
import { credentialTest, listSearch, loadOptions } from './lists/methods';
import { parameters } from './trigger/parameters';
import { lazily } from './util/lazily';

export class ContactTaskCrmTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Contact Task CRM Trigger',
		name: 'contactTaskCrmTrigger',
		icon: {
			light: 'file:../../icons/contactTaskCrm.svg',
			dark: 'file:../../icons/contactTaskCrm.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle:
			'={{ [].concat($parameter["events"]).map((event) => event.replace(/[A-Z]/g, " $&").toLowerCase()).join(", ") }}',
		description:
			'Starts the workflow when people, tasks, comments or history change in a contact and task CRM',
		defaults: { name: 'Contact Task CRM Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'contactTaskCrmApi', required: true, testedBy: 'testCredential' }],
		hints: [
			{
				message:
					'A test shows the newest record that one of the events may have happened to. Once the workflow is published, it starts with what changes from then on. Publishing reads 300 records. Reading the rest of 1,000 takes about 5 minutes, of 5,000 about 32. Until then, a task that moves may count as updated only.',
				type: 'info',
				location: 'outputPane',
				whenToDisplay: 'afterExecution',
			},
		],
		properties: parameters,
	};

	methods = { credentialTest, listSearch, loadOptions };

	poll = lazily(async () => (await import('./trigger/poll')).poll);
}
