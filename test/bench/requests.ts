/* eslint-disable no-console -- a program that measures, and prints the figures */
import type { IDataObject } from 'n8n-workflow';
import { startService } from '../service';
import { items } from '../engine/support/items';
import { runNode } from '../engine/support/runNode';
import { table, writeSection } from './markdown';

/*
 * Counts the requests of everyday jobs in a tenant of 3,000 people. Requests are time, because the service allows 20
 * per minute. For comparison, it counts a manual workflow: Loop Over Items, with one request to look each row up and
 * one to write it.
 */

const TENANT = 3_000;
const ROWS = 1_000;
const NEW = 400;
const CHANGED = 300;

const email = (index: number) => `person${index}@crm.example`;

interface Job {
	name: string;
	byHand: number;
	floor: number;
	parameters: Record<string, unknown>;
	rows: IDataObject[];
}

/** 300 unchanged rows, 300 changed ones, 400 new ones. */
const file = items(ROWS, (index) => ({
	email: index < ROWS - NEW ? email(index) : `new${index}@crm.example`,
	job: index < ROWS - NEW - CHANGED ? 'Buyer' : 'Chef',
}));

const upsert = {
	resource: 'person',
	operation: 'upsert',
	email: '={{ $json.email }}',
	familyName: 'Jansen',
	additionalFields: { jobTitle: '={{ $json.job }}' },
};

async function main() {
	const service = await startService({ switches: { rateLimit: { mode: 'off' } } });
	const { store } = service;
	const [[tag]] = store.tags;
	const [example] = store.people.values();
	store.people.clear();
	for (let index = 0; index < TENANT; index++) {
		const id = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
		store.people.set(id, {
			...example,
			id,
			familyName: 'Jansen',
			jobTitle: 'Buyer',
			networkId: null,
			emailAddresses: [{ email: email(index) }],
			phoneNumbers: [],
			tags: index % 2 === 0 ? [`/tags/${tag}`] : [],
		});
	}
	const ids = [...store.people.keys()];
	const jobs: Job[] = [
		{
			name: 'import 1,000 rows by e-mail: 400 new, 300 changed',
			byHand: 2 * ROWS,
			floor: 734,
			parameters: upsert,
			rows: file,
		},
		{
			name: 'the same file again',
			byHand: 2 * ROWS,
			floor: 34,
			parameters: upsert,
			rows: file,
		},
		{
			name: 'add a tag to 1,000 people by e-mail, half have it',
			byHand: ROWS + ROWS + ROWS / 2,
			floor: 534,
			parameters: {
				resource: 'person',
				operation: 'addTags',
				personId: { __rl: true, mode: 'email', value: '={{ $json.email }}' },
				tags: [tag],
			},
			rows: items(ROWS, (index) => ({ email: email(index) })),
		},
		{
			name: 'the person of 1,000 tasks, 200 different',
			byHand: ROWS,
			floor: 200,
			parameters: {
				resource: 'person',
				operation: 'get',
				personId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
			},
			rows: items(ROWS, (index) => ({ id: ids[index % 200] })),
		},
	];
	const rows: Array<Record<string, string | number>> = [];
	for (const { name, byHand, floor, parameters, rows: input } of jobs) {
		const before = service.requests.length;
		const { error } = await runNode(service, {
			parameters,
			input,
			// High enough to never wait, because only the number of requests counts.
			credentials: { requestsPerMinute: 1_000_000 },
		});
		const count = service.requests.length - before;
		rows.push({
			job: name,
			'by hand': byHand,
			floor,
			'this node': error ? error.message : count,
		});
	}
	await service.close();
	const measured = table(rows);
	await writeSection('test/bench/figures.md', 'requests', measured);
	console.log(measured);
}

void main();
