import type { INodeProperties } from 'n8n-workflow';
import { comment as contract } from '../../contract/comment';
import { shownAsField, shownFor, shownUnlessJson } from '../../description/display';
import { fieldParameter, fieldParameters } from '../../description/fields';
import { clearFields, input } from '../../description/input';
import { listing } from '../../description/listing';
import { parentTaskLocator, recordLocator } from '../../description/locators';
import { operations } from '../../description/operations';
import { fieldChoice, listOutput, recordOutput } from '../../description/output';
import { additionalFields, required, updateFields } from '../../description/parameters';
import { commentFields } from './fields';
import { create, get, getAll, replace, update } from './operations';

/** The operations that are answered with one comment. */
const answered = ['create', 'get', 'update', 'replace'];

/** The parameters of the resource "comment". */
export const comment: INodeProperties[] = [
	operations('comment', [create, get, getAll, update, replace]),
	parentTaskLocator(shownFor('comment', ['create', 'get', 'getAll', 'update', 'replace'])),
	recordLocator('comment', shownFor('comment', ['get', 'update', 'replace'])),
	...input(
		'comment',
		['create', 'replace', 'update'],
		'{ "description": "Called back, wants a quote", "flagged": true }',
	),
	required(
		fieldParameter(commentFields, 'description'),
		shownAsField('comment', ['create', 'replace']),
	),
	// Whom a comment is for belongs beside its text.
	{
		...fieldParameter(commentFields, 'mentions'),
		displayOptions: shownAsField('comment', ['create', 'replace']),
	},
	additionalFields(
		fieldParameters(contract, commentFields, 'create', 'further').filter(
			({ name }) => name !== 'mentions',
		),
		shownAsField('comment', ['create', 'replace']),
	),
	updateFields(
		fieldParameters(contract, commentFields, 'update'),
		shownAsField('comment', ['update']),
	),
	clearFields(contract, shownUnlessJson('comment', ['update'])),
	...listing(shownFor('comment', ['getAll'])),
	recordOutput(shownFor('comment', answered)),
	listOutput(shownFor('comment', ['getAll'])),
	fieldChoice(contract, shownFor('comment', ['getAll', ...answered])),
];
