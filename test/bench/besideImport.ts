/* eslint-disable no-console, @n8n/community-nodes/no-restricted-globals -- a program that measures, and prints the figures; its time is virtual */
import type { IDataObject } from 'n8n-workflow';
import { items } from '../engine/support/items';
import { Lookups } from '../engine/support/lookup';
import { runNode } from '../engine/support/runNode';
import { useRealTime, useVirtualTime } from '../engine/support/timeLapse';
import { untilDone, useTransport } from '../engine/support/transport';
import { Company } from '../property/overlaps/company';
import { blankPerson } from '../service/resources/people';
import { uuidOf } from '../service/store';
import { seededRandom } from '../support/seededRandom';
import { table, writeSection } from './markdown';

/*
 * Measures an import with Create or Update, and how long requests of other runs and lists wait meanwhile. The built
 * node runs in n8n's engine against the stand-in without sockets, in virtual time. `BUILT_IN` measures another build,
 * and writes nothing.
 */

const FILE = 'test/bench/figures.md';
const LIMIT = 20;
const WINDOW_S = 60;

const ALONE = { rows: 300, roundTripsMs: [100, 1_000, 2_000, 5_000] };
const BESIDE = { rows: 1_000, roundTripMs: 100, imports: 5, comersToEach: 20 };
/** Other requests come between these times: after the beginning of the import, and before its last part. */
const COMES_MS = { first: 5_000, last: 34 * 60_000 };

const write = async (name: string, text: string) => {
	console.log(text);
	if (process.env.BUILT_IN === undefined) await writeSection(FILE, name, text);
};

const isNew = (row: number) => row % 10 < 4;
const isChanged = (row: number) => row % 10 >= 4 && row % 10 < 7;
const emailOf = (row: number) => `row${row}@crm.example`;
const idOf = (row: number) => uuidOf(`row ${row}`);
/** Returns the ID of a person that the import does not contain. */
const idOfOther = (number: number) => uuidOf(`other ${number}`);

const person = {
	resource: 'person',
	personId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
};
const IMPORT = {
	...{ resource: 'person', operation: 'upsert' },
	...{ email: '={{ $json.email }}', familyName: 'Jansen' },
	additionalFields: { jobTitle: '={{ $json.job }}' },
};
const UPDATE = { ...person, operation: 'update', updateFields: { jobTitle: 'Director' } };

let services = 0;

/** A company that imports a file. Of its rows, 40 % are new people, 30 % change a person, and 30 % change nothing. */
class Crm {
	private readonly url = `https://bench${services++}.example`;

	private readonly company: Company;

	private readonly editor = new Lookups({ url: this.url, apiKey: 'key' });

	constructor(
		private readonly rows: number,
		roundTripMs: number,
	) {
		this.company = new Company(this.url, ['key'], {
			limit: LIMIT,
			latencyMs: [roundTripMs / 2, roundTripMs / 2],
			switches: {},
			timeOfChange: 'whole seconds',
		});
		const at = '2026-01-05T09:00:00+00:00';
		const add = (id: string, more: IDataObject) => {
			const known = { ...blankPerson(id, at), familyName: 'Jansen', jobTitle: 'Buyer', ...more };
			this.company.store.people.set(id, known);
		};
		for (let row = 0; row < rows; row++) {
			if (!isNew(row)) add(idOf(row), { emailAddresses: [{ email: emailOf(row) }] });
		}
		for (let number = 0; number < BESIDE.comersToEach; number++) add(idOfOther(number), {});
		useTransport(async (request) => await this.company.answer('', request));
	}

	get requests(): number {
		return this.company.seen.length;
	}

	checkThatNothingWasRefused(): void {
		if (this.company.seen.some(({ status }) => status === 429))
			throw new Error('Refused: HTTP 429');
	}

	/** Returns the duration of a run, in s. */
	async run(parameters: Record<string, unknown>, input: IDataObject[]): Promise<number> {
		return await secondsOf(async () => {
			const { error } = await runNode({ url: this.url, apiKey: 'key' }, { parameters, input });
			if (error) throw error;
		});
	}

	async import(): Promise<number> {
		const rowOf = (row: number) => ({
			email: emailOf(row),
			job: isChanged(row) ? 'Chef' : 'Buyer',
		});
		return await this.run(IMPORT, items(this.rows, rowOf));
	}

	/** Returns the time to open a new list in the editor, in s. */
	async openList(search: string): Promise<number> {
		return await secondsOf(async () => await this.editor.list('searchPeople', search));
	}
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
	const startedAt = Date.now();
	await work();
	return (Date.now() - startedAt) / 1_000;
}

/** Returns the least time in s that the limit allows for a number of requests, without latency. */
const optimumOf = (requests: number) => WINDOW_S * (Math.ceil(requests / LIMIT) - 1);

const sleep = async (ms: number) => await new Promise<void>((resolve) => setTimeout(resolve, ms));

type Comer = (crm: Crm, number: number, random: () => number) => Promise<number>;

const knownRow = (random: () => number) => {
	const row = Math.floor(random() * BESIDE.rows);
	return isNew(row) ? row - (row % 10) + 9 : row;
};

const COMERS: Record<string, Comer> = {
	'Get, one person': async (crm, number) =>
		await crm.run({ ...person, operation: 'get' }, [{ id: idOfOther(number) }]),
	'Update, somebody else': async (crm, number) =>
		await crm.run(UPDATE, [{ id: idOfOther(number) }]),
	'Update, somebody of the import': async (crm, _, random) =>
		await crm.run(UPDATE, [{ id: idOf(knownRow(random)) }]),
	'a list of the editor, never read before': async (crm, number) =>
		await crm.openList(`search ${number}`),
};

/** Returns the waits of requests at random times beside one import, and the duration of the import. */
async function besideOne(comer: Comer, seed: number) {
	jest.clearAllTimers();
	const random = seededRandom(seed);
	const crm = new Crm(BESIDE.rows, BESIDE.roundTripMs);
	const { first, last } = COMES_MS;
	const come = async (number: number) => {
		await sleep(first + random() * (last - first));
		return await comer(crm, number, random).catch(() => Infinity);
	};
	const coming = Array.from(
		{ length: BESIDE.comersToEach },
		async (_, number) => await come(number),
	);
	const [importS, ...waits] = await untilDone(Promise.all([crm.import(), ...coming]));
	crm.checkThatNothingWasRefused();
	return { waits, ofOptimum: importS / optimumOf(crm.requests) };
}

beforeAll(useVirtualTime);
afterAll(useRealTime);

it('The benchmark measures a 300-row import alone, and fails if a request gets 429', async () => {
	const rows = [];
	for (const roundTripMs of ALONE.roundTripsMs) {
		jest.clearAllTimers();
		const crm = new Crm(ALONE.rows, roundTripMs);
		const seconds = await untilDone(crm.import());
		crm.checkThatNothingWasRefused();
		rows.push({
			'there and back': `${roundTripMs / 1_000} s`,
			requests: crm.requests,
			seconds: seconds.toFixed(1),
			'of the optimum': (seconds / optimumOf(crm.requests)).toFixed(4),
		});
	}
	await write('import-alone', table(rows));
});

it('The benchmark measures how long other runs and editor lists wait beside an import', async () => {
	const rows = [];
	for (const [name, comer] of Object.entries(COMERS)) {
		const beside = [];
		for (let seed = 1; seed <= BESIDE.imports; seed++) beside.push(await besideOne(comer, seed));
		const waits = beside.flatMap((one) => one.waits).sort((one, other) => one - other);
		const shown = waits.filter(Number.isFinite);
		const most = Math.max(...beside.map(({ ofOptimum }) => ofOptimum));
		rows.push({
			'what comes': name,
			done: `${shown.length} of ${waits.length}`,
			'median, s': waits[Math.floor(waits.length / 2)].toFixed(1),
			'worst, s': shown.at(-1)!.toFixed(1),
			'the import, of the optimum': most.toFixed(3),
		});
	}
	await write('beside-import', table(rows));
});
