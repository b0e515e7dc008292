/* eslint-disable @n8n/community-nodes/no-restricted-globals -- reads the seed of the cases from the environment */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { runNode } from '../engine/support/runNode';
import { useRealTime, useVirtualTime } from '../engine/support/timeLapse';
import { untilDone, useTransport } from '../engine/support/transport';
import { blankPerson } from '../service/resources/people';
import { uuidOf } from '../service/store';
import { runsOf } from '../support/drawn';
import { anyFile, cellsOf, type Drawn, TRUTHS } from './files/drawn';
import { findings, type Played } from './files/judge';
import { Company } from './overlaps/company';

const seed = Number(process.env.SEED ?? 44);
const AT = '2026-01-05T09:00:00+00:00';
let companies = 0;

beforeAll(useVirtualTime);
afterAll(useRealTime);

/** Imports a file twice by Create or Update, with On Error: Continue. */
async function play({ stored, rows, whenNameDiffers }: Drawn): Promise<Played> {
	const url = `https://files${companies++}.example`;
	const company = new Company(url, ['key'], {
		...{ limit: 60, latencyMs: [25, 25], switches: {}, timeOfChange: 'whole seconds' },
	});
	const { people } = company.store;
	people.clear();
	stored.forEach(({ truth, emails, isArchived, jobTitle }, index) => {
		const id = uuidOf(`${url} ${index}`);
		const { givenName, familyName } = TRUTHS[truth]!;
		people.set(id, {
			...blankPerson(id, AT),
			...{ givenName, familyName, jobTitle, archivedAt: isArchived ? AT : null },
			emailAddresses: emails.map((email) => ({ email })),
		});
	});
	const before = [...people.values()];
	useTransport(async (request) => await company.answer('', request));
	const parameters = {
		...{ resource: 'person', operation: 'upsert', inputMode: 'columns' },
		columns: {
			mappingMode: 'autoMapInputData',
			value: null,
			matchingColumns: ['email'],
			schema: [],
		},
		options: { ...(whenNameDiffers && { whenNameDiffers }) },
	};
	const input = rows.map(cellsOf) as IDataObject[];
	const run = async () =>
		await untilDone(
			runNode({ url, apiKey: 'key' }, { parameters, input, onError: 'continueRegularOutput' }),
		);
	const { items, error } = await run();
	if (error) throw error;
	const after = [...people.values()];
	const seen = company.seen.length;
	await run();
	const again = company.seen.slice(seen).filter(({ method }) => method !== 'GET');
	return { items: items.map(({ json }) => json), before, after, writesAgain: again.length };
}

it('An import of rows with several e-mail addresses mixes up, renames and doubles nobody', async () => {
	await fc.assert(
		fc.asyncProperty(anyFile, async (drawn) => {
			jest.clearAllTimers();
			expect(findings(drawn, await play(drawn))).toEqual([]);
		}),
		{ numRuns: runsOf(200), seed },
	);
}, 3_600_000);
