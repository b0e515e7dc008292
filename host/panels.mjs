// Counts the elements that a user sees in the panels of this node and of others in the same n8n, for docs/panels.md.
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ensureHost } from './install.mjs';
import { projectFolder } from './paths.mjs';

const DOCUMENT = join(projectFolder, 'docs', 'panels.md');
const TABLE = /<!-- counted -->[^]*<!-- end of counted -->/;

const OTHERS = {
	HubSpot: 'Hubspot/Hubspot.node.js',
	Pipedrive: 'Pipedrive/Pipedrive.node.js',
	Airtable: 'Airtable/Airtable.node.js',
	'Google Sheets': 'Google/Sheet/GoogleSheets.node.js',
	Linear: 'Linear/Linear.node.js',
};
const OURS = 'Contact Task CRM';

/**
 * Everyday tasks: for each node the resource, the operation, and the parameters to fill in. A dot marks an entry of a
 * collection; "=" marks a parameter with a correct default. A node without the task is left out.
 */
const TASKS = {
	'create a contact with e-mail address, phone number and job title': {
		[OURS]: ['person', 'create', 'familyName email phone additionalFields.jobTitle'],
		HubSpot: [
			'contact',
			'upsert',
			'email additionalFields.lastName additionalFields.phoneNumber additionalFields.jobTitle',
		],
		Pipedrive: ['person', 'create', 'name additionalFields.emails additionalFields.phones'],
		Airtable: ['record', 'create', 'base table'],
		'Google Sheets': ['sheet', 'append', 'documentId sheetName'],
	},
	'create or update a contact with a phone number': {
		[OURS]: ['person', 'upsert', 'email familyName phone'],
		HubSpot: ['contact', 'upsert', 'email additionalFields.lastName additionalFields.phoneNumber'],
		Airtable: ['record', 'upsert', 'base table'],
		'Google Sheets': ['sheet', 'appendOrUpdate', 'documentId sheetName'],
	},
	'list the open deals of a colleague': {
		[OURS]: ['task', 'getAll', 'filters.assignees filters.state='],
		Pipedrive: ['deal', 'getAll', 'filters.user_id filters.status'],
	},
	'create a deal with a due date': {
		[OURS]: ['task', 'create', 'title status additionalFields.dueDate'],
		HubSpot: ['deal', 'create', 'stage additionalFields.dealName additionalFields.closeDate'],
		Pipedrive: ['deal', 'create', 'title org_id additionalFields.expected_close_date'],
		Linear: ['issue', 'create', 'teamId title'],
	},
	'move a deal': {
		[OURS]: ['task', 'move', 'taskId status'],
		HubSpot: ['deal', 'update', 'dealId updateFields.stage'],
		Pipedrive: ['deal', 'update', 'dealId updateFields.stage_id'],
		Linear: ['issue', 'update', 'issueId updateFields.stateId'],
	},
	'comment on a deal': {
		[OURS]: ['comment', 'create', 'taskId description'],
		Pipedrive: ['note', 'create', 'content additionalFields.deal_id'],
		Linear: ['comment', 'addComment', 'issueId comment'],
	},
};

/** Returns the description of the newest version of a node. */
function latest(NodeType) {
	const node = new NodeType();
	return node.nodeVersions ? node.nodeVersions[node.currentVersion].description : node.description;
}

async function descriptions() {
	const { folder } = await ensureHost();
	const load = createRequire(join(folder, 'node_modules', 'n8n-nodes-base', 'package.json'));
	const { NodeHelpers } = load('n8n-workflow');
	const classIn = (file) => Object.values(load(file))[0];
	const others = Object.entries(OTHERS).map(([name, file]) => [
		name,
		latest(classIn(`n8n-nodes-base/dist/nodes/${file}`)),
	]);
	const own = createRequire(join(projectFolder, 'index.js'));
	const ours = latest(own('./dist/nodes/ContactTaskCrm/ContactTaskCrm.node.js').ContactTaskCrm);
	return { NodeHelpers, nodes: { [OURS]: ours, ...Object.fromEntries(others) } };
}

/** Returns the visible part of a new node's panel below Operation. */
function shown(NodeHelpers, description, resource, operation) {
	const { properties, version } = description;
	const typeVersion =
		description.defaultVersion ?? (Array.isArray(version) ? Math.max(...version) : version);
	const node = { typeVersion, name: '', type: '', parameters: {}, position: [0, 0], id: '' };
	const given = { resource, operation };
	const values = NodeHelpers.getNodeParameters(properties, given, true, false, node, description);
	const isShown = (property) => NodeHelpers.displayParameter(values, property, node, description);
	const names = ['resource', 'operation', 'authentication'];
	return properties.filter(
		(property) => !names.includes(property.name) && property.type !== 'hidden' && isShown(property),
	);
}

const CHOSEN = ['options', 'multiOptions', 'resourceLocator'];

/**
 * Returns the clicks for one parameter: one for a box, two for a list, and two more if the user has to add it first.
 */
function clicksFor(properties, path) {
	const [name, entry] = path.replace('=', '').split('.');
	const property = properties.find((one) => one.name === name);
	if (!property)
		throw new Error(`There is no "${path}" among ${properties.map((one) => one.name)}`);
	const parts = property.options ?? [];
	const part = entry ? parts.find((one) => one.name === entry) : property;
	if (!part) throw new Error(`There is no "${path}" among ${parts.map((one) => one.name)}`);
	const isOpen = entry && Object.hasOwn(property.default ?? {}, entry);
	const toFill = CHOSEN.includes(part.type) ? 2 : 1;
	return (path.endsWith('=') ? 0 : toFill) + (entry && !isOpen ? 2 : 0);
}

const wordsIn = (text = '') => text.split(/\s+/).filter((word) => /\w/.test(word)).length;

/** Counts the parameters, words of labels, and clicks of a task. */
function counted({ NodeHelpers, nodes }, name, [resource, operation, fields]) {
	const properties = shown(NodeHelpers, nodes[name], resource, operation);
	const parameters = properties.filter(({ type }) => type !== 'notice');
	const words = properties.reduce((sum, { displayName }) => sum + wordsIn(displayName), 0);
	const paths = fields.split(' ').filter(Boolean);
	const clicks = paths.reduce((sum, path) => sum + clicksFor(properties, path), 0);
	return `${parameters.length} · ${words} · ${clicks}`;
}

/** Writes the table of docs/panels.md. */
export async function writePanels() {
	const loaded = await descriptions();
	const names = Object.keys(loaded.nodes);
	const rows = Object.entries(TASKS).map(([task, nodes]) => [
		task,
		...names.map((name) => (nodes[name] ? counted(loaded, name, nodes[name]) : '–')),
	]);
	const lines = [['to', ...names], ['to', ...names].map(() => '---'), ...rows];
	const table = lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
	const text = await readFile(DOCUMENT, 'utf8');
	await writeFile(
		DOCUMENT,
		text.replace(TABLE, `<!-- counted -->\n\n${table}\n\n<!-- end of counted -->`),
	);
	return table;
}
