import type { INodeProperties } from 'n8n-workflow';
import { historyEntry } from '../../contract/history';
import { shownFor } from '../../description/display';
import { listing } from '../../description/listing';
import { parentTaskLocator, recordLocator } from '../../description/locators';
import { operations } from '../../description/operations';
import { fieldChoice, listOutput, recordOutput } from '../../description/output';
import { get, getAll } from './operations';

/** The parameters of the resource "history". */
export const history: INodeProperties[] = [
	operations('history', [get, getAll]),
	parentTaskLocator(shownFor('history', ['get', 'getAll'])),
	recordLocator('history', shownFor('history', ['get'])),
	...listing(shownFor('history', ['getAll'])),
	recordOutput(shownFor('history', ['get'])),
	listOutput(shownFor('history', ['getAll'])),
	fieldChoice(historyEntry, shownFor('history', ['get', 'getAll'])),
];
