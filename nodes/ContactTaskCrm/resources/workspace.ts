import { workspace as contract } from '../schema/workspace';
import { COLUMNS } from '../schema/record';
import { simplifiedBy, titlesOrIds } from '../output/flat';
import { filterParameters } from '../ui/fields';
import type { Resource } from '../ui/operations';
import { Verbs } from './verbs';
import type { RecordSpecification } from '../output/specification';

const workspaceRecord: RecordSpecification = {
	...contract,
	simplify: simplifiedBy(
		contract,
		'id title description workspaceType privacy owner currency columns createdAt archivedAt',
		{ columns: ({ columns }, titleOf) => titlesOrIds(columns, COLUMNS, titleOf) },
	),
};

const verbs = new Verbs(workspaceRecord);

export const workspace: Resource = {
	value: 'workspace',
	name: 'Workspace',
	description: 'Where tasks or deals stand in columns',
	record: workspaceRecord,
	operations: [
		verbs.get('Retrieve one workspace by ID'),
		verbs.getAll('Retrieve a list of workspaces with the titles of their columns, filtered'),
	],
	filters: filterParameters(contract.filters, contract.plural, {
		description: {
			meaning: 'Return workspaces with one of these texts in the description',
			example: 'renewals',
		},
		existsArchivedAt: {
			default: 'false',
			description: 'Yes for workspaces that are archived, No for those that are not',
		},
		owner: 'Return workspaces owned by one of these users',
		title: { meaning: 'Return workspaces with one of these texts in the title', example: 'Sales' },
	}),
};
