import type { INodeProperties } from 'n8n-workflow';
import { segmentSchema } from '../../contract/segment';
import { shownAsField, shownFor } from '../../description/display';
import { clearFields, input } from '../../description/input';
import { listing } from '../../description/listing';
import { segmentLocator } from '../../description/locators';
import { operations } from '../../description/operations';
import { fieldChoice, recordOutput } from '../../description/output';
import { additionalFields, required, updateFields } from '../../description/parameters';
import { title } from '../../description/sharedFields';
import { clearableFields, icon, sequence } from './fields';
import { create, get, getAll, replace, update } from './operations';

/** The parameters of the resource "segment". */
export const segment: INodeProperties[] = [
	operations('segment', [create, get, getAll, update, replace]),
	segmentLocator(shownFor('segment', ['get', 'update', 'replace'])),
	...input(
		shownFor('segment', ['create', 'replace', 'update']),
		'{ "title": "Newsletter", "icon": "star" }',
	),
	required(title, shownAsField('segment', ['create', 'replace'])),
	required(icon, shownAsField('segment', ['create', 'replace'])),
	additionalFields([sequence], shownAsField('segment', ['create', 'replace'])),
	updateFields([title, icon, sequence], shownAsField('segment', ['update'])),
	clearFields(clearableFields, shownAsField('segment', ['update'])),
	...listing(shownFor('segment', ['getAll'])),
	recordOutput(shownFor('segment', ['get', 'getAll'])),
	fieldChoice(segmentSchema.shape, shownFor('segment', ['get', 'getAll'])),
];
