// Runs over people for an undo: one creates and updates 300, the other changes lists.
import { crmNode, rowsNode, workflowOf } from './e2e/workflows.mjs';

const KIND_COUNT = 3;
const PEOPLE_COUNT = 300;
const SECOND_ROWS = 10;

/** Number of people that the run creates. It updates fields of as many, and lists of as many. */
export const countOfRows = { created: PEOPLE_COUNT / KIND_COUNT };

const addressOf = (index) => `row.${index}@mail.example`;

const KINDS = [
	(index) => ({ familyName: `Created ${index}`, jobTitle: 'Buyer' }),
	(index) => ({ familyName: `Renamed ${index}`, jobTitle: 'Buyer', city: 'Delft' }),
	(index, segments) => ({
		familyName: `Row ${index}`,
		phone: `+316${10_000_000 + index}`,
		segments: segments.slice(1, 3),
	}),
];

/**
 * Returns the rows of the run: one for each person, and for some a second row that changes them again.
 * @param {string[]} segments at least three IRIs
 */
export function rowsToUndo(segments) {
	const rows = Array.from({ length: PEOPLE_COUNT }, (_, index) => ({
		index,
		email: addressOf(index),
		...KINDS[index % KIND_COUNT](index, segments),
	}));
	const again = rows
		.slice(-SECOND_ROWS)
		.map((row) => ({ ...row, isSecond: true, jobTitle: 'Chef', city: 'Gouda' }));
	return [...rows, ...again];
}

/** Returns the existing person for a row; undefined if the row should create one. */
export function personOfRow({ index, email, isSecond }) {
	if (isSecond || index % KIND_COUNT === 0) return undefined;
	return {
		familyName: `Row ${index}`,
		jobTitle: 'Cook',
		emailAddresses: [{ email }],
		address: { city: 'Leiden', country: 'NL' },
	};
}

const place = (name, index) => ({
	id: `00000000-0000-4000-8000-00000000010${index}`,
	name,
	position: [index * 220, 0],
});

/**
 * Returns a workflow that creates or updates a person for each row of a file, and writes its output to another file.
 * @param {{ credential: { id: string, name: string }, rows: string, output: string }} options
 */
export function workflowToUndo({ credential: { id, name }, rows, output }) {
	const types = [
		['Start', 'n8n-nodes-base.manualTrigger', 1, {}],
		['Read the File', 'n8n-nodes-base.readWriteFile', 1.1, { fileSelector: rows }],
		['Get the Rows', 'n8n-nodes-base.extractFromFile', 1.1, { operation: 'fromJson' }],
		['Each Row', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'data' }],
		['Create or Update', 'n8n-nodes-contact-task-crm.contactTaskCrm', 1, UPSERT],
		['As a File', 'n8n-nodes-base.convertToFile', 1.1, { operation: 'toJson' }],
		[
			'Write the File',
			'n8n-nodes-base.readWriteFile',
			1.1,
			{ operation: 'write', fileName: output },
		],
	];
	const nodes = types.map(([title, type, typeVersion, parameters], index) => ({
		...place(title, index),
		...{ type, typeVersion, parameters },
		...(type.includes('contact-task') ? { credentials: { contactTaskCrmApi: { id, name } } } : {}),
	}));
	const next = (node) => ({ main: [[{ node: node.name, type: 'main', index: 0 }]] });
	return {
		...{ id: 'runToUndo0000011', name: 'A run to undo', active: false },
		versionId: crypto.randomUUID(),
		nodes,
		connections: Object.fromEntries(
			nodes.slice(1).map((node, index) => [nodes[index].name, next(node)]),
		),
		settings: { executionOrder: 'v1' },
	};
}

const UPSERT = {
	resource: 'person',
	operation: 'upsert',
	email: '={{ $json.email }}',
	familyName: '={{ $json.familyName }}',
	additionalFields: {
		jobTitle: '={{ $json.jobTitle }}',
		address: { city: '={{ $json.city }}' },
		phoneNumbers: [{ phoneNumber: '={{ $json.phone }}', phoneType: 'mobile' }],
		segments: '={{ $json.segments }}',
	},
	options: { replaceLists: ['segments'] },
};

/** Returns the addresses of a person, each from a letter. A capital letter stands for the address in capitals. */
const addressesOf = (name, letters) =>
	[...letters].map((letter) => {
		const email = `${letter.toLowerCase()}.${name}@lists.example`;
		return { email: letter === letter.toLowerCase() ? email : email.toUpperCase() };
	});

/**
 * People with lists that a run changes. Each has its addresses before the run and after each row, changes by others
 * since, and the expected addresses after the undo.
 */
const LISTS = {
	front: { states: ['abc', 'bc'], undone: 'abc' },
	middle: { states: ['abc', 'ac'], undone: 'abc' },
	rows: { states: ['abcd', 'bcd', 'cbd'], undone: 'abcd' },
	order: { states: ['abc', 'cab'], undone: 'abc' },
	capitals: { states: ['abc', 'bc'], since: 'Bc', undone: 'aBc' },
	again: { states: ['abc', 'bc'], since: 'bcA', undone: 'bcA', isLeft: true },
	moved: { states: ['abc', 'cab'], since: 'bac', undone: 'bac', isLeft: true },
};

/**
 * Returns the people with lists that a run changes, and the rows for them. Each row removes the first tag.
 * @param {string[]} tags at least two IRIs
 */
export function peopleWithLists(tags) {
	return Object.entries(LISTS).map(([name, { states, since, undone, isLeft = false }]) => {
		const [before, ...after] = states.map((letters) => addressesOf(name, letters));
		return {
			person: { familyName: name, emailAddresses: before, tags },
			bodies: after.map((emailAddresses) => ({ emailAddresses, tags: tags.slice(1) })),
			since: since && { emailAddresses: addressesOf(name, since) },
			undone: addressesOf(name, undone),
			isLeft,
		};
	});
}

/**
 * Returns a workflow that writes rows with Update or Replace. Each row has the ID of a person and a body.
 * @param {{ id: string, name: string }} credential
 * @param {string} operation
 */
export function runOverPeople(id, credential, operation, rows) {
	const writes = crmNode('Write', credential, {
		...{ resource: 'person', operation },
		personId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
		inputMode: 'json',
		jsonBody: '={{ JSON.stringify($json.body) }}',
		options: { tellChanges: true },
	});
	const workflow = workflowOf(id, [...rowsNode('Rows', rows), writes]);
	return { ...workflow, id, versionId: crypto.randomUUID(), active: false };
}

/**
 * Returns the example that undoes a run, with the given settings.
 * @param {object} workflow
 * @param {{ id: string, file: string, records: string, undo: boolean }} options `file`: output of the run
 */
export function undoWorkflowOf(workflow, { id, file, ...settings }) {
	const copy = structuredClone(workflow);
	const { parameters } = copy.nodes.find(({ name }) => name === 'Undo It?');
	for (const assignment of parameters.assignments.assignments) {
		assignment.value = settings[assignment.name];
	}
	copy.nodes.find(({ name }) => name === 'Read the File').parameters.fileSelector = file;
	return { ...copy, id, versionId: crypto.randomUUID() };
}
