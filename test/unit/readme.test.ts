/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- reads the document that people read */
import { sortBy } from 'lodash';
import type { INodePropertyOptions } from 'n8n-workflow';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ContactTaskCrmTrigger } from '../../nodes/ContactTaskCrm/ContactTaskCrmTrigger.node';
import { allResources } from '../../nodes/ContactTaskCrm/resources';
import type { Operation } from '../../nodes/ContactTaskCrm/ui/operations';

const readme = readFileSync(path.resolve(__dirname, '../../README.md'), 'utf8');

/** Returns the rows of the first table under a heading, without the head row. */
function rowsUnder(heading: string): string[][] {
	const [, section = ''] = readme.split(`\n## ${heading}\n`);
	const table = /(?:^\|.*\|\n)+/m.exec(section.split('\n## ')[0])?.[0] ?? '';
	return table
		.trim()
		.split('\n')
		.slice(2)
		.map((row) => row.split('|').slice(1, -1))
		.map((cells) => cells.map((cell) => cell.trim()));
}

/**
 * Returns the operations of the table as "Person: Get", each with its cost. A row without a resource belongs to the
 * resource above. A row with several operations gives the cost of each, or one for all.
 */
function documented(): string[][] {
	let resource = '';
	return rowsUnder('Operations').flatMap(([own, operations, requests]) => {
		resource = own || resource;
		const names = operations.split(' · ');
		const costs = requests.split(' · ').filter(Boolean);
		if (costs.length !== 1 && costs.length !== names.length)
			throw new Error(`Costs of ${operations}`);
		return names.map((name, index) => [`${resource}: ${name}`, costs[index] ?? costs[0] ?? '']);
	});
}

/** Returns the cost of an operation in the words of the table. */
function costOf({ value, gives, reads, requests }: Operation) {
	if (value === 'send') return '1; 1 for 30 of a list';
	if (gives === 'list' || gives === 'other') return expect.stringMatching(/^1 for 30\b/) as string;
	if (reads === 'lookup') return '1 for the write, 1 for 30 lookups';
	if (requests !== undefined) return `${requests} for two people`;
	return reads === 'always' ? '2' : '1';
}

/** The operations of the node in the same form. */
const described = allResources.flatMap(({ name, operations }) =>
	operations.map((operation) => [`${name}: ${operation.name}`, costOf(operation)]),
);

describe('the table of operations in the README', () => {
	it("The README table names exactly the node's operations, each with its number of requests", () => {
		expect(described.length).toBeGreaterThan(30);
		const byName = ([name]: string[]) => name;
		expect(sortBy(documented(), byName)).toEqual(sortBy(described, byName));
	});
});

describe('the table of events in the README', () => {
	it('The README table of events names exactly the events of the trigger', () => {
		const events = new ContactTaskCrmTrigger().description.properties
			.filter(({ name }) => name === 'event')
			.flatMap(({ options }) => options as INodePropertyOptions[])
			.map(({ name }) => name);
		expect(events.length).toBeGreaterThan(8);
		expect(
			rowsUnder('The trigger')
				.map(([event]) => event)
				.sort(),
		).toEqual(events.sort());
	});
});
