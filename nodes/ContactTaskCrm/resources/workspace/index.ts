import type { INodeProperties } from 'n8n-workflow';
import { workspaceSchema } from '../../contract/workspace';
import { shownFor } from '../../description/display';
import { listing } from '../../description/listing';
import { workspaceLocator } from '../../description/locators';
import { operations } from '../../description/operations';
import { fieldChoice, recordOutput } from '../../description/output';
import { filters } from '../../description/parameters';
import { workspaceFilters } from './filters';
import { get, getAll } from './operations';

/** The parameters of the resource "workspace". */
export const workspace: INodeProperties[] = [
	operations('workspace', [get, getAll]),
	workspaceLocator(shownFor('workspace', ['get'])),
	...listing(shownFor('workspace', ['getAll'])),
	filters(workspaceFilters, shownFor('workspace', ['getAll'])),
	recordOutput(shownFor('workspace', ['get', 'getAll'])),
	fieldChoice(workspaceSchema.shape, shownFor('workspace', ['get', 'getAll'])),
];
