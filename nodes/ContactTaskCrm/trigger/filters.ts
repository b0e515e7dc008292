import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import { parameterNamed } from '../ui/fields';
import { recordLocator } from '../ui/locators';
import { filters } from '../ui/parameters';
import { personFilters } from '../resources/person/fields';
import { taskFields } from '../resources/task/fields';

const CHOICE =
	'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.';

const ownerFilter = filter(
	parameterNamed(personFilters, 'ownerId'),
	`Only people owned by one of these users. ${CHOICE}`,
);

const segmentFilter = filter(
	parameterNamed(personFilters, 'segmentsUuid'),
	`Only people who are in one of these segments (lists of people). ${CHOICE}`,
);

const tagFilter = filter(
	parameterNamed(personFilters, 'tagsId'),
	`Only people who have one of these tags. ${CHOICE}`,
);

const workspaceFilter = filter(
	recordLocator('workspace', {}),
	'Only tasks of this workspace: chosen from the list, or given by ID or IRI, such as 5c1f or /workspaces/5c1f',
);

const columnFilter = filter(
	{ ...parameterNamed(taskFields, 'status'), displayName: 'Column' },
	'Only tasks that stand in this column (their status); for Task Moved, those that come into it: chosen from the list of all workspaces, or given by its IRI, such as /workspaces/5c1f/columns/12ab',
);

/** A field of the action node as a filter of the trigger, which sends nothing by itself. */
function filter(field: INodeProperties, description: string): INodeProperties {
	const { displayName, name, type, typeOptions, default: preset, modes } = field;
	return { displayName, name, type, typeOptions, default: preset, description, modes };
}

/** Which people start the workflow. */
export function filtersOfPeople(
	displayOptions: IDisplayOptions,
	withSegments: boolean,
): INodeProperties {
	return {
		...filters(
			withSegments ? [ownerFilter, segmentFilter, tagFilter] : [ownerFilter, tagFilter],
			displayOptions,
		),
		description: 'Which people start the workflow; a person has to meet all filters that are added',
	};
}

/** Which tasks start the workflow. */
export function filtersOfTasks(displayOptions: IDisplayOptions): INodeProperties {
	return {
		...filters([columnFilter, workspaceFilter], displayOptions),
		description: 'Which tasks start the workflow; a task has to meet all filters that are added',
	};
}
