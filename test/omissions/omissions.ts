/*
 * What an heir may forget, each as one edit of the sources. The tests that are named have to notice it:
 * npm run test:omissions shows that they do.
 */

/** One thing forgotten. */
export interface Omission {
	/** What is forgotten, as the table says it. */
	what: string;
	/** Path of the file that is edited, or of a file or folder that is removed. */
	file: string;
	/** What is replaced; stands in the file exactly once. The file is removed where absent. */
	from?: string | RegExp;
	/** What takes its place; nothing where absent. */
	to?: string;
	/** The test files that should notice. */
	tests: string[];
}

const CONTRACT = 'nodes/ContactTaskCrm/contract';
const RESOURCES = 'nodes/ContactTaskCrm/resources';
const DESCRIPTION = 'nodes/ContactTaskCrm/description';
const LOOKUPS = 'nodes/ContactTaskCrm/lookups';
const PREVIEWS = 'nodes/ContactTaskCrm/__schema__/v1.0.0';
const OPENAPI = 'test/service/openapi.json';

const LOOKS = 'test/unit/description.test.ts';
const AGAINST = 'test/unit/contractAgainstOpenapi.test.ts';
const SHOWN = 'test/unit/previews.test.ts';
const README = 'test/unit/readme.test.ts';

const fields: Omission[] = [
	{
		what: 'a field: its literal',
		file: `${RESOURCES}/person/fields.ts`,
		from: /\t\{\n\t\tdisplayName: 'Job Title',[\s\S]*?\n\t\},\n/,
		tests: [LOOKS],
	},
	{
		what: 'a field: its entry in the contract',
		file: `${CONTRACT}/person.ts`,
		from: '\t\tjobTitle: text(),\n',
		tests: [AGAINST, LOOKS],
	},
	{
		what: 'a field: its entry in the stand-in',
		file: OPENAPI,
		from: /\t*"jobTitle": \{[^}]*\},\n(?=\t*"externalSource": \{\s*"type": \["string", "null"\]\s*\},\n\t*"networkId")/,
		tests: [AGAINST],
	},
	{
		what: 'a field: its right type',
		file: `${CONTRACT}/person.ts`,
		from: 'dealSize: wholeNumber()',
		to: 'dealSize: text()',
		tests: [AGAINST],
	},
	{
		what: 'a field: that it is a point in time',
		file: `${CONTRACT}/task.ts`,
		from: 'dueDate: time(dateTime)',
		to: 'dueDate: text()',
		tests: [LOOKS],
	},
	{
		what: 'a field: that it is a list',
		file: `${CONTRACT}/person.ts`,
		from: "organizations: references('/organizations')",
		to: "organizations: reference('/organizations')",
		tests: [AGAINST],
	},
	{
		what: 'a field: the collection it points into',
		file: `${CONTRACT}/person.ts`,
		from: "owner: reference('/users')",
		to: "owner: reference('/people')",
		tests: [AGAINST],
	},
	{
		what: 'a field: that it points anywhere',
		file: `${CONTRACT}/person.ts`,
		from: "owner: reference('/users')",
		to: 'owner: text()',
		tests: [AGAINST],
	},
	{
		what: 'a field: that a record needs it',
		file: `${CONTRACT}/segment.ts`,
		from: 'icon: text({ isRequired: true })',
		to: 'icon: text()',
		tests: [AGAINST],
	},
	{
		what: 'a field: that the service keeps it (Clear Fields)',
		file: `${CONTRACT}/task.ts`,
		from: 'isFlagged: boolean({ isKept: true })',
		to: 'isFlagged: boolean()',
		tests: [AGAINST],
	},
	{
		what: 'a field: that it can be emptied (Clear Fields)',
		file: `${CONTRACT}/task.ts`,
		from: '\t\tdescription: text(),\n',
		to: '\t\tdescription: text({ isKept: true }),\n',
		tests: [AGAINST],
	},
	{
		what: 'a field: the bodies that take it',
		file: `${CONTRACT}/task.ts`,
		from: "parent: reference('/tasks', { bodies: ON_CREATE })",
		to: "parent: reference('/tasks')",
		tests: [AGAINST],
	},
	{
		what: 'a field: that it is only written',
		file: `${CONTRACT}/person.ts`,
		from: "avatar: writeOnly(reference('/media_objects'))",
		to: "avatar: reference('/media_objects')",
		tests: [AGAINST],
	},
	{
		what: 'a field: that it is given as JSON alone',
		file: `${CONTRACT}/person.ts`,
		from: 'id: text({ isJsonOnly: true })',
		to: 'id: text()',
		tests: [LOOKS],
	},
	{
		what: 'a part of a field: its literal',
		file: `${RESOURCES}/person/fields.ts`,
		from: /\t\t\t\{\n\t\t\t\tdisplayName: 'Postal Code',[\s\S]*?\n\t\t\t\},\n/,
		tests: [LOOKS],
	},
	{
		what: 'a part of a field: its entry in the contract',
		file: `${CONTRACT}/person.ts`,
		from: '\t\t\t\tpostalCode: textFormat.nullable(),\n',
		tests: [AGAINST, LOOKS],
	},
	{
		what: 'entries: the part that each must have',
		file: `${CONTRACT}/person.ts`,
		from: "entries(\n\t\t\t\t'phoneNumber'",
		to: "entries(\n\t\t\t\t'number'",
		tests: [LOOKS],
	},
	{
		what: 'a placeholder: an example of the collection',
		file: `${CONTRACT}/field.ts`,
		from: "\t'/tags': '/tags/7c1e',\n",
		tests: [LOOKS],
	},
];

const filters: Omission[] = [
	{
		what: 'a filter: its literal',
		file: `${RESOURCES}/person/filters.ts`,
		from: "\tdropDownFilter(person, 'tagsId', 'Return people who have one of these tags'),\n",
		tests: [LOOKS],
	},
	{
		what: 'a filter: its entry in the contract',
		file: `${CONTRACT}/person.ts`,
		from: "\t\texistsArchivedAt: existsFilter('archivedAt', 'Archived'),\n",
		tests: [LOOKS],
	},
	{
		what: 'a filter: its query parameter in the stand-in',
		file: OPENAPI,
		from: /\t*\{\s*"\$ref": "#\/components\/parameters\/identifiers"\s*\},\n/,
		tests: [LOOKS, AGAINST],
	},
	{
		what: 'a filter: its right query parameter',
		file: `${CONTRACT}/person.ts`,
		from: "referenceFilter('owner.id'",
		to: "referenceFilter('ownerId'",
		tests: [LOOKS, AGAINST],
	},
	{
		what: 'a filter: its right kind',
		file: `${CONTRACT}/person.ts`,
		from: "segmentsUuid: referenceFilter('segments.uuid', 'Segment', {\n\t\t\tkind: 'id'",
		to: "segmentsUuid: referenceFilter('segments.uuid', 'Segment', {\n\t\t\tkind: 'iri'",
		tests: [AGAINST],
	},
	{
		what: 'a filter: the collection it points into',
		file: `${CONTRACT}/person.ts`,
		from: "referenceFilter('tags.id', 'Tag', { kind: 'id', refersTo: '/tags'",
		to: "referenceFilter('tags.id', 'Tag', { kind: 'id', refersTo: '/segments'",
		tests: [AGAINST],
	},
	{
		what: 'a filter: that it takes several values',
		file: `${CONTRACT}/person.ts`,
		from: "textFilter('emailAddresses.email', 'Email', {\n\t\t\ttakesSeveral: true,",
		to: "textFilter('emailAddresses.email', 'Email', {",
		tests: [LOOKS],
	},
	{
		what: 'a filter: the field that shows whether it was kept to',
		file: `${CONTRACT}/workspace.ts`,
		from: "{ takesSeveral: true, shownIn: ['title'] }",
		to: '{ takesSeveral: true }',
		tests: [AGAINST],
	},
	{
		what: 'an order: its entry in the contract',
		file: `${CONTRACT}/person.ts`,
		from: "familyName: 'order[familyName]', ",
		tests: [LOOKS],
	},
	{
		what: 'an order: its literal',
		file: `${RESOURCES}/person/filters.ts`,
		from: /\t\{\n\t\tdisplayName: 'Family Name',[\s\S]*?\n\t\},\n(?=\];)/,
		tests: [LOOKS],
	},
];

const resources: Omission[] = [
	{
		what: 'an operation: its place in the list',
		file: `${RESOURCES}/task/index.ts`,
		from: '\t\tduplicate,\n\t\texportTask,',
		to: '\t\texportTask,',
		tests: [LOOKS, SHOWN, README],
	},
	{
		what: 'an operation without an endpoint of its own: its place in the list',
		file: `${RESOURCES}/task/index.ts`,
		from: '\t\tcomplete,\n\t\treopen,\n',
		to: '\t\treopen,\n',
		tests: [SHOWN, README],
	},
	{
		what: 'an operation: its right path',
		file: `${RESOURCES}/task/operations.ts`,
		from: "url: '/tasks/{taskId}/export'",
		to: "url: '/tasks/{taskId}'",
		tests: [LOOKS, README],
	},
	{
		what: 'an operation: its right method',
		file: `${RESOURCES}/segment/operations.ts`,
		from: "method: 'PUT'",
		to: "method: 'PATCH'",
		tests: [LOOKS, README],
	},
	{
		what: 'an operation: its endpoint in the stand-in',
		file: OPENAPI,
		from: '"/tasks/{id}/duplicate": {',
		to: '"/tasks/{id}/copy": {',
		tests: [LOOKS],
	},
	{
		what: 'an operation: its place in the README',
		file: 'README.md',
		from: 'Move · Complete · Reopen',
		to: 'Move · Reopen',
		tests: [README],
	},
	{
		what: 'an operation: its output preview',
		file: `${PREVIEWS}/person/archive.json`,
		tests: [SHOWN],
	},
	{
		what: 'an output preview: to write it anew',
		file: `${CONTRACT}/segment.ts`,
		from: '\t\tsequence: wholeNumber(),\n',
		to: '\t\tsequence: text(),\n',
		tests: [SHOWN],
	},
	{
		what: 'an operation: the locator of its record',
		file: `${RESOURCES}/segment/index.ts`,
		from: "['get', 'update', 'replace']",
		to: "['get', 'update']",
		tests: [LOOKS],
	},
	{
		what: 'an operation: its required field',
		file: `${RESOURCES}/segment/index.ts`,
		from: "\trequired(fieldParameter(segmentFields, 'icon'), shownAsField('segment', ['create', 'replace'])),\n",
		tests: [LOOKS],
	},
	{
		what: 'an operation: its Additional Fields',
		file: `${RESOURCES}/segment/index.ts`,
		from: /\tadditionalFields\([\s\S]*?\n\t\),\n/,
		tests: [LOOKS],
	},
	{
		what: 'an operation: its Output',
		file: `${RESOURCES}/segment/index.ts`,
		from: "\trecordOutput(shownFor('segment', answered)),\n",
		tests: [LOOKS],
	},
	{
		what: 'a parameter: its place in the order of the node',
		file: `${DESCRIPTION}/shared.ts`,
		from: "\t'matchBy',\n",
		tests: [LOOKS],
	},
	{
		what: 'a resource: its operations',
		file: `${RESOURCES}/segment/index.ts`,
		from: "\toperations('segment', [create, get, getAll, update, replace]),\n",
		tests: [LOOKS],
	},
	{
		what: 'a resource: its place among the resources',
		file: `${DESCRIPTION}/resources.ts`,
		from: "\t\t{ name: 'Segment', value: 'segment', description: 'A list of people' },\n",
		tests: [LOOKS],
	},
	{
		what: 'a resource: its parameters in the node',
		file: `${RESOURCES}/index.ts`,
		from: '\tperson,\n\tsegment,\n\ttask,\n\tworkspace,\n};\n\n/** The records',
		to: '\tperson,\n\ttask,\n\tworkspace,\n};\n\n/** The records',
		tests: [LOOKS],
	},
	{
		what: 'a resource: its contract among the contracts',
		file: `${CONTRACT}/index.ts`,
		from: '\tperson,\n\tsegment,\n\ttask,',
		to: '\tperson,\n\ttask,',
		tests: [LOOKS],
	},
	{
		what: 'a resource: its output previews',
		file: `${PREVIEWS}/segment`,
		tests: [SHOWN],
	},
	{
		what: 'a resource: its place in the README',
		file: 'README.md',
		from: /\| History +\|.*\n/,
		tests: [README],
	},
];

const lookups: Omission[] = [
	{
		what: 'a lookup of a locator: its function',
		file: `${LOOKUPS}/listSearch.ts`,
		from: /\tsearchSegments: wholeList\([\s\S]*?\n\t\}\),\n/,
		tests: [LOOKS],
	},
	{
		what: 'a lookup of a locator: its name by the collection',
		file: `${DESCRIPTION}/locators.ts`,
		from: "\t'/segments': 'searchSegments',\n",
		tests: [LOOKS],
	},
	{
		what: 'a lookup of a drop-down: its function',
		file: `${LOOKUPS}/loadOptions.ts`,
		from: "\tgetTags: forDropDown({ collection: '/tags', kind: 'tag' }),\n",
		tests: [LOOKS],
	},
	{
		what: 'a lookup of a drop-down: its name by the collection',
		file: `${DESCRIPTION}/fields.ts`,
		from: "\t'/tags': 'getTags',\n",
		tests: [LOOKS],
	},
];

const events: Omission[] = [
	{
		what: 'an event: its entry in the table',
		file: 'nodes/ContactTaskCrm/trigger/events.ts',
		from: /\t\{\n\t\tvalue: 'taskMoved',[\s\S]*?\n\t\},\n/,
		tests: ['test/unit/trigger/description.test.ts', README],
	},
	{
		what: 'an event: its description',
		file: 'nodes/ContactTaskCrm/trigger/events.ts',
		from: "\t\tdescription: 'A task or deal was created',\n",
		tests: ['test/unit/trigger/description.test.ts'],
	},
	{
		what: 'an event: its place in the README',
		file: 'README.md',
		from: /\| Task Moved +\|.*\n/,
		tests: [README],
	},
];

export const omissions: readonly Omission[] = [
	...fields,
	...filters,
	...resources,
	...lookups,
	...events,
];
