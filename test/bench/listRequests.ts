/* eslint-disable no-console -- a program that measures, and prints the figures; its time is virtual */
import type { IDataObject } from 'n8n-workflow';
import { items } from '../engine/support/items';
import { runNode } from '../engine/support/runNode';
import { useRealTime, useVirtualTime } from '../engine/support/timeLapse';
import { untilDone, useTransport } from '../engine/support/transport';
import { Company, ENTRIES } from '../property/overlaps/company';
import { blankPerson } from '../service/resources/people';
import type { Person } from '../service/records';
import { uuidOf } from '../service/store';
import { table, writeSection } from './markdown';

/*
 * Counts the requests of runs that change lists at a limit of 20 requests per minute, in virtual time. A list is written
 * from a read that is at most 15 s old. So a run reads people again, several in one request. For comparison, the table
 * has the number of requests with a read of its own for each change.
 */

const ROWS = 1_000;
const VALUES_IN_REQUEST = 30;
const [HELD, GIVEN, OTHER] = ENTRIES.tags;

const emailOf = (row: number) => `row${row}@crm.example`;
const secondEmailOf = (row: number) => `row${row}@home.example`;
const phoneOf = (row: number) => `+31 6 1${String(row).padStart(7, '0')}`;

type Row = 'new' | 'changed' | 'unchanged';
const inBlocks = (row: number): Row => (row < 300 ? 'unchanged' : row < 600 ? 'changed' : 'new');
const mixed = (row: number): Row => (row % 10 < 4 ? 'new' : row % 10 < 7 ? 'changed' : 'unchanged');

const ADD_TAG = {
	...{ resource: 'person', operation: 'addTags', tags: [GIVEN] },
	personId: { __rl: true, mode: 'email', value: '={{ $json.email }}' },
};
const IMPORT = {
	...{ resource: 'person', operation: 'upsert', inputMode: 'columns' },
	columns: { mappingMode: 'autoMapInputData', value: null, matchingColumns: ['email'], schema: [] },
};

const addresses = items(ROWS, (row) => ({ email: emailOf(row) }));
const file = items(ROWS, (row) => ({
	'Last Name': 'Jansen',
	email: `${emailOf(row)}, ${secondEmailOf(row)}`,
	mobile: phoneOf(row),
	tags: `${GIVEN}, ${OTHER}`,
}));

type Known = Partial<Person> | undefined;

/** Returns a function for the people before a run, of whom some have the tag. */
const peopleWithTag =
	(hasTag: (row: number) => boolean) =>
	(row: number): Known => ({
		emailAddresses: [{ email: emailOf(row) }],
		tags: hasTag(row) ? [HELD, GIVEN] : [HELD],
	});

/** Returns a function for the people before an import. A changed person lacks the phone, both tags and an address. */
const peopleOfFile =
	(kindOf: (row: number) => Row) =>
	(row: number): Known => {
		const kind = kindOf(row);
		const email = { email: emailOf(row) };
		if (kind === 'new') return undefined;
		if (kind === 'changed') return { emailAddresses: [email], tags: [HELD] };
		return {
			emailAddresses: [email, { email: secondEmailOf(row) }],
			phoneNumbers: [{ phoneNumber: phoneOf(row), phoneType: 'mobile' }],
			tags: [HELD, GIVEN, OTHER],
		};
	};

interface Job {
	name: string;
	/** Returns the person of a row before the run; undefined if the row is about a new person. */
	before: (row: number) => Known;
	parameters: Record<string, unknown>;
	input: IDataObject[];
	/** Whether to run the job a second time. */
	isRepeated?: boolean;
}

const tagJob = (who: string, hasTag: (row: number) => boolean): Job => ({
	name: `add a tag to 1,000 people by e-mail, ${who}`,
	before: peopleWithTag(hasTag),
	parameters: ADD_TAG,
	input: addresses,
});
const fileJob = (order: string, kindOf: (row: number) => Row): Job => ({
	name: `import phone, two tags, two addresses; 400 new, 300 changed, ${order}`,
	before: peopleOfFile(kindOf),
	parameters: IMPORT,
	input: file,
	isRepeated: true,
});

const JOBS: Job[] = [
	tagJob('half have it', (row) => row % 2 === 0),
	tagJob('300 have it', (row) => row % 10 < 3),
	tagJob('nobody has it', () => false),
	fileJob('in blocks', inBlocks),
	fileJob('mixed', mixed),
];

/** Runs a job once or twice. Returns a row of the table for each run. */
async function measure({ name, before, parameters, input, isRepeated = false }: Job) {
	const url = `https://${uuidOf(name)}.example`;
	const company = new Company(url, ['key'], {
		...{ limit: 20, latencyMs: [25, 25], switches: {}, timeOfChange: 'whole seconds' },
	});
	for (let row = 0; row < ROWS; row++) {
		const known = before(row);
		const id = uuidOf(`row ${row}`);
		const blank = { ...blankPerson(id, '2026-01-05T09:00:00+00:00'), familyName: 'Jansen' };
		if (known) company.store.people.set(id, { ...blank, ...known });
	}
	useTransport(async (request) => await company.answer('', request));
	const rows = [];
	for (const job of isRepeated ? [name, 'the same file again'] : [name]) {
		const first = company.seen.length;
		const { error } = await runNode({ url, apiKey: 'key' }, { parameters, input });
		if (error) throw error;
		const seen = company.seen.slice(first);
		if (seen.some(({ status }) => status === 429)) throw new Error('Refused: HTTP 429');
		const countOf = (sent: string) => seen.filter(({ method }) => method === sent).length;
		const [created, changed] = [countOf('POST'), countOf('PATCH')];
		const floor = Math.ceil(ROWS / VALUES_IN_REQUEST) + created + changed;
		const alone = floor + changed;
		const ratio = (seen.length / alone).toFixed(2);
		rows.push({ job, floor, 'a read for each': alone, 'this node': seen.length, ratio });
	}
	return rows;
}

beforeAll(useVirtualTime);
afterAll(useRealTime);

it('The benchmark counts requests of runs that add tags, phones or addresses to people', async () => {
	const rows = [];
	for (const job of JOBS) {
		jest.clearAllTimers();
		rows.push(...(await untilDone(measure(job))));
	}
	const measured = table(rows);
	await writeSection('test/bench/figures.md', 'list-requests', measured);
	console.log(measured);
});
