import type { INodeProperties } from 'n8n-workflow';
import { segment as contract } from '../../contract/segment';
import { shownAsField, shownFor, shownUnlessJson } from '../../description/display';
import { fieldParameter, fieldParameters } from '../../description/fields';
import { clearFields, input } from '../../description/input';
import { listing } from '../../description/listing';
import { recordLocator } from '../../description/locators';
import { operations } from '../../description/operations';
import { fieldChoice, listOutput, recordOutput } from '../../description/output';
import { additionalFields, required, updateFields } from '../../description/parameters';
import { segmentFields } from './fields';
import { create, get, getAll, replace, update } from './operations';

/** The operations that are answered with one segment. */
const answered = ['create', 'get', 'update', 'replace'];

/** The parameters of the resource "segment". */
export const segment: INodeProperties[] = [
	operations('segment', [create, get, getAll, update, replace]),
	recordLocator('segment', shownFor('segment', ['get', 'update', 'replace'])),
	...input('segment', ['create', 'replace', 'update'], '{ "title": "Newsletter", "icon": "star" }'),
	required(fieldParameter(segmentFields, 'title'), shownAsField('segment', ['create', 'replace'])),
	required(fieldParameter(segmentFields, 'icon'), shownAsField('segment', ['create', 'replace'])),
	additionalFields(
		fieldParameters(contract, segmentFields, 'create', 'further'),
		shownAsField('segment', ['create', 'replace']),
	),
	updateFields(
		fieldParameters(contract, segmentFields, 'update'),
		shownAsField('segment', ['update']),
	),
	clearFields(contract, shownUnlessJson('segment', ['update'])),
	...listing(shownFor('segment', ['getAll'])),
	recordOutput(shownFor('segment', answered)),
	listOutput(shownFor('segment', ['getAll'])),
	fieldChoice(contract, shownFor('segment', ['getAll', ...answered])),
];
