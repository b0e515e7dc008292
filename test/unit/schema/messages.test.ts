import type { IDataObject } from 'n8n-workflow';
import { contracts } from '../../../nodes/ContactTaskCrm/schema';
import { bodySchema } from '../../../nodes/ContactTaskCrm/schema/record';

/** Returns the messages of the check of a body, each with the path of its value. */
const messagesFor = (resource: 'person' | 'task', body: object) => {
	const checked = bodySchema(contracts[resource], 'update').safeParse(body);
	const issues = checked.success ? [] : checked.error.issues;
	return issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
};

it.each<['person' | 'task', IDataObject, string[]]>([
	['person', { jobTitle: 7 }, ['jobTitle: expected a text']],
	['person', { dealSize: 1.5 }, ['dealSize: expected a whole number such as 3']],
	['person', { dealSize: '3' }, ['dealSize: expected a whole number such as 3']],
	['person', { isTracked: 'yes' }, ['isTracked: expected true or false']],
	[
		'person',
		{ archivedAt: '2026-12-31' },
		['archivedAt: expected a date and time such as 2026-12-31T17:00:00Z'],
	],
	[
		'person',
		{ emailAddresses: [{ email: 'eva' }] },
		['emailAddresses.0.email: expected an e-mail address such as name@example.com'],
	],
	[
		'person',
		{ phoneNumbers: [{ phoneNumber: 'x' }] },
		['phoneNumbers.0.phoneNumber: expected a phone number such as +31 6 12345678'],
	],
	[
		'person',
		{ phoneNumbers: [{ phoneType: 'x' }] },
		['phoneNumbers.0.phoneType: expected one of fax, mobile, home and work'],
	],
	['person', { address: { city: 7 } }, ['address.city: expected a text']],
	['person', { mood: 7, address: { mood: 7 } }, []],
	['person', { jobTitle: null, dealSize: null, archivedAt: null, address: { city: null } }, []],
	['task', { timeEstimation: true }, ['timeEstimation: expected a number or a text']],
	['task', { timeEstimation: ' ' }, ['timeEstimation: expected a number or a text']],
	['task', { timeEstimation: 1.5, storyPointEstimation: '2h' }, []],
	[
		'task',
		{ dueDate: 'soon' },
		['dueDate: expected a date such as 2026-12-31 or 2026-12-31T17:00:00Z'],
	],
])('The check of a body for a %s says of %j what it expects', (resource, body, messages) => {
	expect(messagesFor(resource, body)).toEqual(messages);
});
