import type { INodeProperties } from 'n8n-workflow';
import { commentSchema } from '../../contract/comment';
import { shownAsField, shownFor } from '../../description/display';
import { clearFields, input } from '../../description/input';
import { listing } from '../../description/listing';
import { commentLocator, taskLocator } from '../../description/locators';
import { operations } from '../../description/operations';
import { fieldChoice, recordOutput } from '../../description/output';
import { additionalFields, required, updateFields } from '../../description/parameters';
import { clearableFields, description, furtherFields } from './fields';
import { create, get, getAll, replace, update } from './operations';

/** The parameters of the resource "comment". */
export const comment: INodeProperties[] = [
	operations('comment', [create, get, getAll, update, replace]),
	taskLocator(shownFor('comment', ['create', 'get', 'getAll', 'update', 'replace'])),
	commentLocator(shownFor('comment', ['get', 'update', 'replace'])),
	...input(
		shownFor('comment', ['create', 'replace', 'update']),
		'{ "description": "Called back, wants a quote", "flagged": true }',
	),
	required(description, shownAsField('comment', ['create', 'replace'])),
	additionalFields(furtherFields, shownAsField('comment', ['create', 'replace'])),
	updateFields([description, ...furtherFields], shownAsField('comment', ['update'])),
	clearFields(clearableFields, shownAsField('comment', ['update'])),
	...listing(shownFor('comment', ['getAll'])),
	recordOutput(shownFor('comment', ['get', 'getAll'])),
	fieldChoice(commentSchema.shape, shownFor('comment', ['get', 'getAll'])),
];
