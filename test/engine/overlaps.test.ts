import { sleep } from 'n8n-workflow';
import { changeSwitches } from '../service/switches';
import { itInCi } from '../support/drawn';
import { locator } from './support/fields';
import { runNode } from './support/runNode';
import { items, useScene } from './support/scene';
import { PEOPLE } from './support/seeded';
import { lapse } from './support/timeLapse';

/** The key of each test, a second key of the same company, and one of another company. */
const KEYS = Object.fromEntries(
	Array.from({ length: 100 }, (_, index) => index).flatMap((nth) => [
		[`key-${nth}`, `tenant-${nth}`],
		[`second-${nth}`, `tenant-${nth}`],
		[`stranger-${nth}`, `stranger-${nth}`],
	]),
) as Record<string, string>;

const scene = useScene({ keys: KEYS });
const [{ id }] = PEOPLE;

/** Starts a run with a key; time passes in `lapse`. */
async function start(apiKey: string, parameters: object, input: object[] = [{}], more = {}) {
	const setup = { parameters: { resource: 'person', ...parameters }, input: input as never };
	return await runNode({ url: scene.service.url, apiKey }, { ...setup, ...more });
}

const UPSERT = {
	operation: 'upsert',
	email: '={{ $json.email }}',
	familyName: 'Jansen',
	additionalFields: { jobTitle: '={{ $json.job }}' },
};
const rowsOf = (...names: string[]) =>
	names.map((name, nth) => ({ email: `${name}@new.example`, job: `${name} ${nth}` }));
const everybody = () => [...scene.service.store.people.values()];
const withAddress = (email: string) =>
	everybody().filter(({ emailAddresses }) => emailAddresses.some((entry) => entry.email === email));
const person = () => scene.service.store.people.get(id)!;
const minutes = () => performance.now() / 60_000;

describe('runs that overlap', () => {
	itInCi('Beside a bulk run, a run about the same person takes under 1.2 minutes', async () => {
		const bulk = start(
			scene.apiKey,
			UPSERT,
			rowsOf(...items(100, (nth) => ({ n: `p${nth}` })).map(({ n }) => n)),
		);
		await lapse(sleep(130_000));
		const began = minutes();
		const waits: number[] = [];
		const small = async (apiKey: string, options = {}) => {
			const result = await start(apiKey, { ...UPSERT, options }, rowsOf('p99'));
			waits.push(minutes() - began);
			return result;
		};
		const failing = small(scene.apiKey, { whenRateLimited: 'fail' });
		const own = small(scene.apiKey);
		const [{ error }] = [await lapse(failing)];
		expect(error === undefined || /requests of this minute/.test(error.message)).toBe(true);
		expect((await lapse(own)).error).toBeUndefined();
		expect(Math.max(...waits)).toBeLessThan(1.2);
		await lapse(bulk);
		expect(withAddress('p99@new.example')).toHaveLength(1);
	});

	const update = { operation: 'update', personId: locator(id) };
	const job = (jobTitle: string) => ({ ...update, updateFields: { jobTitle } });

	itInCi.each([
		[
			'another run of the credential',
			...([job('first'), () => scene.apiKey, 2] as const),
			'Another item is changing a record with this credential',
			' (0 of 2 items done, 2 not sent)',
		],
	])(
		'With When Rate Limited: Fail, a run fails while %s changes the person',
		async (_, writing, other, count, told, summary) => {
			// The answer is too late for the other run, but the write takes effect.
			scene.faults({ kind: 'slow', match: { method: 'PATCH', nth: 1 } });
			const first = start(scene.apiKey, writing);
			await lapse(sleep(2_000));
			const impatient = { ...job('second'), options: { whenRateLimited: 'fail' } };
			const { error } = await lapse(
				start(
					other(),
					impatient,
					items(count, () => ({})),
				),
			);
			const row = count > 1 ? ' [row 1]' : '';
			expect(error?.message).toBe(`${told}, so that this item was not begun${row}${summary}`);
			expect(scene.requests().filter(({ method }) => method === 'PATCH')).toHaveLength(1);
			await lapse(first);
			// The run leaves no lock behind: the next one gets the person at once.
			const last = await lapse(start(other(), job('last')));
			expect(last.error).toBeUndefined();
			expect(person().jobTitle).toBe('last');
		},
	);
});

describe('items and requests of one run', () => {
	const [{ email }] = PEOPLE[0].emailAddresses;

	itInCi.each([
		['by e-mail address and by ID', [email!, id]],
		['by ID in capitals and small letters', [id.toUpperCase(), id]],
	])(
		'If several items of a run update one person, the last item wins: %s',
		async (_, [first, other]) => {
			const { people } = scene.service.store;
			people.get = (key) => Map.prototype.get.call(people, key.toLowerCase()) as never;
			for (let round = 0; round < 5; round++) {
				const rows = [first, other, first, other].map((who, nth) => ({
					who,
					job: `${round} ${nth}`,
				}));
				const operation = { operation: 'update', personId: locator('={{ $json.who }}') };
				const { error } = await lapse(
					start(
						scene.apiKey,
						{ ...operation, updateFields: { jobTitle: '={{ $json.job }}' } },
						rows,
					),
				);
				expect(error).toBeUndefined();
				expect(person().jobTitle).toBe(`${round} 3`);
			}
			Reflect.deleteProperty(people, 'get');
		},
	);

	it('If HTTP 201 has no body, two items with one address create one person', async () => {
		changeSwitches(scene.service.switches, { createdAnswer: 'nothing' });
		await lapse(start(scene.apiKey, UPSERT, rowsOf('a', 'b', 'c', 'd', 'e', 'f', 'a')));
		expect(withAddress('a@new.example')).toHaveLength(1);
	});

	it('Create or Update updates the active of two matches, and notes the archived one', async () => {
		const [, other] = PEOPLE;
		scene.change('people', id, { archivedAt: null });
		scene.change('people', other.id, {
			emailAddresses: PEOPLE[0].emailAddresses,
			archivedAt: '2026-01-01T00:00:00+00:00',
		});
		const rows = [{ email: email!, job: 'Chef' }];
		const {
			items: [item],
			error,
		} = await lapse(start(scene.apiKey, UPSERT, rows));
		expect(error).toBeUndefined();
		expect(item.json).toMatchObject({ id, jobTitle: 'Chef', result: 'updated' });
		expect(item.json.note).toContain(other.id);
	});

	itInCi(
		'If the service never answers, Get fails after two minutes, retries included',
		async () => {
			scene.faults({ kind: 'slow', match: { method: 'GET' } });
			const began = minutes();
			const { error } = await lapse(
				start(scene.apiKey, { operation: 'get', personId: locator(id) }),
			);
			expect(error?.message).toBe('The service did not answer');
			expect(minutes() - began).toBeLessThan(2.1);
		},
	);
});
