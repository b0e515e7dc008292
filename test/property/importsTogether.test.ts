/* eslint-disable @n8n/community-nodes/no-restricted-globals -- how many cases are tried, and which, is said from outside */
import fc from 'fast-check';
import { startService, type Service } from '../service';
import { useRealTime, useVirtualTime } from '../engine/support/timeLapse';
import type { ImportCase } from './together/files';
import { anyImport } from './together/files';
import type { Imported } from './together/importing';
import { Importer } from './together/importing';

const RUNS = Number(process.env.RUNS ?? 25);
const seed = Number(process.env.SEED ?? 11);

/** Requests that finding out how the service understands several values may cost. */
const MOST_MORE = 5;

let service: Service;
let keys = 0;

beforeAll(async () => {
	useVirtualTime();
	const names = Array.from({ length: RUNS * 400 }, (_, index) => [`key-${index}`, 'main']);
	service = await startService({
		switches: { rateLimit: { mode: 'off' } },
		keys: Object.fromEntries(names) as Record<string, string>,
	});
});
afterAll(async () => {
	await service.close();
	useRealTime();
});

const importer = (drawn: ImportCase) => new Importer(service, `key-${keys++}`, drawn);

/** The rows of a case in one run, while others do what the case says. */
async function together(drawn: ImportCase): Promise<Imported> {
	const { rows, interference, isServiceKnown } = drawn;
	const importing = importer(drawn);
	if (isServiceKnown) await importing.makeKnown();
	if (interference.kind === 'change') {
		importing.before(interference.nth, () => importing.change(interference.person));
	}
	if (interference.kind === 'remove') {
		importing.before(interference.nth, () => importing.remove(interference.person));
	}
	const second = interference.kind === 'secondRun' ? secondFile(drawn) : [];
	const [said] = await Promise.all([
		importing.run(rows, 'together'),
		...(second.length > 0 ? [importing.run(second, 'together')] : []),
	]);
	// What comes after the last request comes all the same.
	if (interference.kind === 'change') importing.change(interference.person);
	if (interference.kind === 'remove') importing.remove(interference.person);
	return importing.outcome(said);
}

/** One row after the other; somebody goes away before a row, where the case says so. */
async function oneByOne(drawn: ImportCase, goneBefore: number): Promise<Imported> {
	const { rows, interference } = drawn;
	const importing = importer(drawn);
	if (interference.kind === 'change') importing.change(interference.person);
	const before = await importing.runOneByOne(rows.slice(0, goneBefore));
	if (interference.kind === 'remove') importing.remove(interference.person);
	const after = await importing.runOneByOne(rows.slice(goneBefore));
	if (interference.kind === 'secondRun') await importing.runOneByOne(secondFile(drawn));
	return importing.outcome([...before, ...after]);
}

/** Requests of the same rows, where each is looked up by itself. */
async function requestsOfEach(drawn: ImportCase): Promise<number> {
	const importing = importer(drawn);
	await importing.run(drawn.rows, 'each');
	const second = secondFile(drawn);
	if (second.length > 0) await importing.run(second, 'each');
	return importing.outcome([]).requests;
}

function secondFile({ rows, interference }: ImportCase) {
	if (interference.kind !== 'secondRun') return [];
	return rows.filter((_, index) => interference.rows.includes(index));
}

/** With somebody who goes away, any row may be the first without. */
function placesOf({ rows, interference }: ImportCase): number[] {
	return interference.kind === 'remove' ? rows.map((_, index) => index).concat(rows.length) : [0];
}

describe('an import whose rows share their lookups', () => {
	it('leaves what one row after the other leaves, for at most five requests more than one look-up each', async () => {
		await fc.assert(
			fc.asyncProperty(anyImport, async (drawn) => {
				const whole = await together(drawn);
				let alone: Imported | undefined;
				for (const place of placesOf(drawn)) {
					alone = await oneByOne(drawn, place);
					if (JSON.stringify(alone.people) === JSON.stringify(whole.people)) break;
				}
				expect(whole.people).toEqual(alone?.people);
				if (drawn.interference.kind === 'none' || drawn.interference.kind === 'change') {
					expect(whole.said).toEqual(alone?.said);
				}
				if (drawn.interference.kind !== 'remove') {
					const most = (await requestsOfEach(drawn)) + MOST_MORE;
					expect(whole.requests).toBeLessThanOrEqual(most);
				}
			}),
			{ numRuns: RUNS, seed },
		);
	}, 3_600_000);
});
