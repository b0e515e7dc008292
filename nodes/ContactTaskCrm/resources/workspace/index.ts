import type { INodeProperties } from 'n8n-workflow';
import { workspace as contract } from '../../contract/workspace';
import { shownFor } from '../../description/display';
import { listing } from '../../description/listing';
import { recordLocator } from '../../description/locators';
import { operations } from '../../description/operations';
import { fieldChoice, listOutput, recordOutput } from '../../description/output';
import { filters } from '../../description/parameters';
import { workspaceFilters } from './filters';
import { get, getAll } from './operations';

/** The parameters of the resource "workspace". */
export const workspace: INodeProperties[] = [
	operations('workspace', [get, getAll]),
	recordLocator('workspace', shownFor('workspace', ['get'])),
	...listing(shownFor('workspace', ['getAll'])),
	filters(workspaceFilters, shownFor('workspace', ['getAll'])),
	recordOutput(shownFor('workspace', ['get'])),
	listOutput(shownFor('workspace', ['getAll'])),
	fieldChoice(contract, shownFor('workspace', ['get', 'getAll'])),
];
