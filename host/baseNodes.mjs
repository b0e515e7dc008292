// Stand-ins for n8n's own nodes, with only the parts that example 1 uses. The real nodes belong to n8n, which
// `npm start -- --run` does not install. `npm run test:n8n -- examples` uses the real nodes.
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { readTable } from './csv.mjs';

/** The kind of connection that carries items. */
const MAIN = 'main';

/** Describes a node in the form that the engine asks for. */
const describe = (name, properties, { inputs = [MAIN], outputs = [MAIN] } = {}) => ({
	name,
	displayName: name,
	description: name,
	group: inputs.length === 0 ? ['trigger'] : ['transform'],
	version: [1, 1.1, 2, 2.2, 3.4],
	defaults: { name },
	...{ inputs, outputs, properties },
});

const parameter = (name, type, value, further = {}) => ({
	...{ name, displayName: name, type, default: value },
	...further,
});

/** Passes the items on, and each remembers which item it came from. */
const passOn = (context) =>
	context.getInputData().map((item, index) => ({ ...item, pairedItem: { item: index } }));

const manualTrigger = {
	description: describe('manualTrigger', [], { inputs: [] }),
	execute: async () => [[{ json: {} }]],
};

const noOp = {
	description: describe('noOp', []),
	async execute() {
		return [passOn(this)];
	},
};

const stickyNote = { description: describe('stickyNote', [], { inputs: [], outputs: [] }) };

const set = {
	description: describe('set', [
		parameter('mode', 'options', 'manual', { options: [{ name: 'Manual', value: 'manual' }] }),
		parameter('assignments', 'assignmentCollection', {}),
		parameter('options', 'collection', {}, { options: [] }),
	]),
	async execute() {
		const itemOf = (_, index) => {
			const assignments = this.getNodeParameter('assignments.assignments', index);
			const json = Object.fromEntries(assignments.map(({ name, value }) => [name, value]));
			return { json, pairedItem: { item: index } };
		};
		return [this.getInputData().map(itemOf)];
	},
};

const ifNode = {
	description: describe(
		'if',
		[
			parameter('conditions', 'filter', {}),
			parameter('options', 'collection', {}, { options: [] }),
		],
		{ outputs: [MAIN, MAIN] },
	),
	async execute() {
		const items = passOn(this);
		const isTrue = items.map((_, index) =>
			this.getNodeParameter('conditions', index, false, { extractValue: true }),
		);
		return [items.filter((_, index) => isTrue[index]), items.filter((_, index) => !isTrue[index])];
	},
};

const removeDuplicates = {
	description: describe('removeDuplicates', [
		parameter('operation', 'string', ''),
		parameter('compare', 'string', ''),
		parameter('fieldsToCompare', 'string', ''),
	]),
	async execute() {
		const field = this.getNodeParameter('fieldsToCompare', 0);
		const seen = new Set();
		const isFirst = ({ json }) => {
			const isNew = !seen.has(json[field]);
			seen.add(json[field]);
			return isNew;
		};
		return [passOn(this).filter(isFirst)];
	},
};

const readWriteFile = {
	description: describe('readWriteFile', [
		parameter('operation', 'string', ''),
		parameter('fileSelector', 'string', ''),
	]),
	async execute() {
		const path = this.getNodeParameter('fileSelector', 0);
		const bytes = await readFile(path);
		const file = { data: bytes.toString('base64'), mimeType: 'text/csv', fileName: basename(path) };
		return [[{ json: {}, binary: { data: file }, pairedItem: { item: 0 } }]];
	},
};

const extractFromFile = {
	description: describe('extractFromFile', [
		parameter('operation', 'string', ''),
		parameter('binaryPropertyName', 'string', 'data'),
		parameter('options', 'collection', {}, { options: [] }),
	]),
	async execute() {
		const name = this.getNodeParameter('binaryPropertyName', 0);
		const { rows } = readTable(await this.helpers.getBinaryDataBuffer(0, name));
		return [rows.map((json) => ({ json, pairedItem: { item: 0 } }))];
	},
};

/** Each node by its type in a workflow. */
export const BASE_NODES = Object.fromEntries(
	Object.entries({
		...{ manualTrigger, noOp, stickyNote, set, if: ifNode },
		...{ removeDuplicates, readWriteFile, extractFromFile },
	}).map(([name, node]) => [`n8n-nodes-base.${name}`, node]),
);
