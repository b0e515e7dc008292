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
					'A test shows the newest record as an example. Once the workflow is published, each change from then on starts it. Of up to 300 tasks, moves count at once. Of 1,000, they count after about 5 minutes, and of 5,000 after about 32; until then, a moved task counts as updated.',
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
