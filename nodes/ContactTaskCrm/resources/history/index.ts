import type { INodeProperties } from 'n8n-workflow';
import { historyEntrySchema } from '../../contract/history';
import { shownFor } from '../../description/display';
import { listing } from '../../description/listing';
import { historyLocator, taskLocator } from '../../description/locators';
import { operations } from '../../description/operations';
import { fieldChoice, recordOutput } from '../../description/output';
import { get, getAll } from './operations';

/** The parameters of the resource "history". */
export const history: INodeProperties[] = [
	operations('history', [get, getAll]),
	taskLocator(shownFor('history', ['get', 'getAll'])),
	historyLocator(shownFor('history', ['get'])),
	...listing(shownFor('history', ['getAll'])),
	recordOutput(shownFor('history', ['get', 'getAll'])),
	fieldChoice(historyEntrySchema.shape, shownFor('history', ['get', 'getAll'])),
];
