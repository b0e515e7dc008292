/* eslint-disable @n8n/community-nodes/no-restricted-globals -- reads the seed of the cases from the environment */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { runNode } from '../engine/support/runNode';
import { useRealTime, useVirtualTime } from '../engine/support/timeLapse';
import { untilDone, useTransport } from '../engine/support/transport';
import { runsOf } from '../support/drawn';
import { anyFile, type Column } from './headings/drawn';
import { findings, type Played } from './headings/judge';
import { Company } from './overlaps/company';

const seed = Number(process.env.SEED ?? 47);
let companies = 0;
let refused = 0;

beforeAll(useVirtualTime);
afterAll(useRealTime);

/** Previews and creates the person of a row, by the columns of the input. */
async function play(columns: readonly Column[]): Promise<Played> {
	const url = `https://headings${companies++}.example`;
	const company = new Company(url, ['key'], {
		...{ limit: 60, latencyMs: [25, 25], switches: {}, timeOfChange: 'whole seconds' },
	});
	useTransport(async (request) => await company.answer('', request));
	const input = [Object.fromEntries(columns.map(({ heading, value }) => [heading, value]))];
	const run = async (options: object) => {
		const parameters = {
			...{ resource: 'person', operation: 'create', inputMode: 'columns', options },
			columns: { mappingMode: 'autoMapInputData', value: null },
		};
		const setup = { parameters, input, onError: 'continueRegularOutput' as const };
		const { items, error } = await untilDone(runNode({ url, apiKey: 'key' }, setup));
		if (error) throw error;
		return items[0]!.json;
	};
	const preview = await run({ previewOnly: true, output: 'raw' });
	const { error, note } = await run({});
	const [write] = company.seen.filter(({ method }) => method !== 'GET');
	return {
		body: write?.body as IDataObject | undefined,
		error: String(error ?? ''),
		note: String(note ?? ''),
		notUsed: JSON.stringify((preview.columns as IDataObject | undefined)?.notUsed ?? []),
	};
}

it('Whatever its headings, an import loses no value silently, and mixes no postal addresses', async () => {
	const numRuns = runsOf(200);
	await fc.assert(
		fc.asyncProperty(anyFile, async (columns) => {
			jest.clearAllTimers();
			const played = await play(columns);
			if (!played.body) refused++;
			expect(findings(columns, played)).toEqual([]);
		}),
		{ numRuns, seed },
	);
	// Rows without a name, and with two spellings of one heading, are refused.
	expect(refused).toBeLessThan(numRuns);
}, 3_600_000);

describe('the function that judges random imports', () => {
	const street = { heading: 'Home Street', fields: ['address'], value: 'Wordb', address: 'home 1' };
	const city = { heading: 'Work City', fields: ['address'], value: 'Wordc', address: 'work 1' };
	const email = { heading: 'Email', fields: ['emailAddresses'], value: 'a@mail.example' };
	const played = { error: '', note: '', notUsed: '', body: {} };

	it('The judge of import tests reports a lost value unless the output names it', () => {
		expect(findings([email], played)).toEqual(['Email: a@mail.example is lost']);
		expect(findings([email], { ...played, notUsed: '["x","Email"]' })).toEqual([]);
		expect(findings([email], { ...played, note: 'not from "Email"' })).toEqual([]);
		expect(findings([email], { ...played, body: undefined, error: 'refused' })).toEqual([]);
	});

	it('The judge of import tests reports a misplaced value, and mixed postal addresses', () => {
		const body = { jobTitle: 'a@mail.example', address: { street: 'Wordb', city: 'Wordc' } };
		expect(findings([{ ...email, fields: [] }, street, city], { ...played, body })).toEqual([
			'Email: a@mail.example is lost',
			'Email: a@mail.example is in jobTitle',
			'the address is mixed from home and work',
		]);
	});
});
