import { labelOf, operationLabel } from '../../../nodes/ContactTaskCrm/schema/label';

it.each([
	['snooze', 'Snooze Until It Repeats', 'Snooze'],
	['parent', 'Parent Task', 'Parent'],
	['addTags', 'Add Tags', 'Add Tags'],
	['additionalName', 'Additional Name', 'Additional Name'],
	['listUuid', 'List UUID', 'List UUID'],
])(
	'The editor labels the field "%s" as "%s", and the operation as "%s"',
	(name, field, operation) => {
		expect(labelOf(name)).toBe(field);
		expect(operationLabel(name)).toBe(operation);
	},
);
