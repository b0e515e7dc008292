import { comment as contract } from '../schema/task';
import { simplifiedBy } from '../output/flat';
import { fieldParameters } from '../ui/fields';
import type { Resource } from '../ui/operations';
import { Verbs } from './verbs';
import type { RecordSpecification } from '../output/specification';

export const commentRecord: RecordSpecification = {
	...contract,
	simplify: simplifiedBy(contract, 'id taskId description flagged author mentions createdAt'),
};

const verbs = new Verbs(commentRecord);

export const comment: Resource = {
	value: 'comment',
	name: 'Comment',
	description: 'Comments on a task',
	record: commentRecord,
	operations: [
		verbs.getAll('Retrieve a list of the comments of a task'),
		verbs.create('Add a comment to a task', ['mentions']),
		verbs.get('Retrieve one comment of a task by ID'),
		verbs.update(),
		verbs.replace(),
	],
	fields: fieldParameters(contract, {
		author: 'Colleague who wrote the comment',
		description: {
			meaning: 'Text of the comment',
			example: 'Called, will decide next week',
			typeOptions: { rows: 4 },
		},
		flagged: 'Whether the comment is highlighted',
		mentions: 'Colleagues who are mentioned',
	}),
	json: '{ "description": "Called back, wants a quote", "flagged": true }',
};
