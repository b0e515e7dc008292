import { sleep } from 'n8n-workflow';
import { itInCi } from '../support/drawn';
import { items } from './support/items';
import type { Lookups } from './support/lookup';
import { useScene } from './support/scene';
import { lapse } from './support/timeLapse';

const create = { resource: 'person', operation: 'create', familyName: '={{ $json.name }}' };

/** Lists that a user opens while building a workflow. */
const LISTS: ReadonlyArray<(lookups: Lookups) => Promise<unknown>> = [
	async (lookups) => await lookups.list('searchColumns'),
	async (lookups) => await lookups.options('getTags'),
	async (lookups) => await lookups.list('searchPeople'),
	async (lookups) => await lookups.options('getSegments'),
	async (lookups) => await lookups.options('getOwners'),
	async (lookups) => await lookups.list('searchTasks'),
	async (lookups) => await lookups.list('searchWorkspaces'),
	async (lookups) => await lookups.list('searchPeople', 'van'),
];

describe('an editor list while a bulk run uses the rate limit up', () => {
	const scene = useScene();
	let run: Promise<unknown>;
	const segments = async () => await scene.editor.list('searchSegments');
	/** Opens lists one after another, with pauses. Returns how many could be shown. */
	const openFor = async (count: number, everyMs: number) => {
		let shown = 0;
		for (let opened = 0; opened < count; opened++) {
			await pass(everyMs);
			await LISTS[opened % LISTS.length](scene.editor).then(
				() => shown++,
				() => undefined,
			);
		}
		return shown;
	};

	const beginRun = (count: number) => {
		run = scene.run({
			parameters: create,
			input: items(count, (index) => ({ name: `Bulk ${index}` })),
		});
	};
	const pass = async (ms: number) => await lapse(sleep(ms));
	/** Returns the time to open a list, in ms. */
	const timed = async (list: Promise<unknown>) => {
		const startedAt = Date.now();
		await list;
		return Date.now() - startedAt;
	};

	afterEach(async () => {
		await run;
	});

	it('During a bulk run, an editor list opens immediately from a 40-minute-old cache', async () => {
		const before = await segments();
		await pass(40 * 60_000);
		beginRun(60);
		await pass(5_000);
		expect(await timed(segments())).toBeLessThanOrEqual(100);
		expect(await segments()).toEqual(before);
	});

	itInCi('During a bulk run, an editor list learns a new title in the background', async () => {
		await segments();
		await pass(2 * 60_000);
		beginRun(60);
		await pass(5_000);
		const [segment] = scene.service.store.segments.values();
		scene.service.store.segments.set(segment.id, { ...segment, title: 'Renamed meanwhile' });
		await segments();
		const { results } = await segments();
		expect(results).toContainEqual({ name: 'Renamed meanwhile', value: segment.id });
	});

	itInCi('During a run, an editor list that must wait says when to reopen it', async () => {
		beginRun(40);
		await pass(5_000);
		const refusal: unknown = await scene.editor
			.list('searchSegments')
			.catch((error: unknown) => error);
		const { message, description } = refusal as { message: string; description: string };
		const [, seconds] = /Open this list again in (\d+) seconds$/.exec(message) ?? [];
		expect(description).toMatch(/You can also choose By Title or ID$/);
		await pass(Number(seconds) * 1_000);
		expect(await timed(segments())).toBeLessThan(5_000);
	});

	it('Five seconds into a 60-item run, an uncached editor list opens within a second', async () => {
		beginRun(60);
		await pass(5_000);
		expect(await timed(segments())).toBeLessThanOrEqual(1_000);
	});

	it('Fifty seconds into a 40-item run, an uncached editor list opens within fifteen seconds', async () => {
		beginRun(40);
		await pass(50_000);
		const took = await timed(segments());
		expect(took).toBeGreaterThan(5_000);
		expect(took).toBeLessThan(15_000);
	});

	it('Beside a bulk run, the owner list opens first, and reads tasks later', async () => {
		await scene.editor.list('searchWorkspaces');
		// If no list was opened for five minutes, a short run sends in bursts.
		await pass(5 * 60_000 + 1_000);
		beginRun(40);
		await pass(5_000);
		scene.clear();
		const first = await scene.editor.options('getOwners');
		const pathsRead = () =>
			scene.requests().flatMap(({ path, method }) => (method === 'GET' ? [path] : []));
		expect(pathsRead()).not.toContain('/tasks');
		expect(first.length).toBeGreaterThan(1);
		expect(first.at(-1)!.name).toMatch(/^More exist/);
		await pass(61_000);
		await scene.editor.options('getOwners');
		expect(pathsRead()).toContain('/tasks');
	});

	itInCi('During a bulk run, 58 of 60 editor lists open and hardly delay it', async () => {
		const ITEMS = 360;
		const input = items(ITEMS, (index) => ({ name: `Bulk ${index}` }));
		const timedRun = async (apiKey: string) => {
			const startedAt = Date.now();
			await scene.run({ parameters: create, input, credentials: { apiKey } });
			return Date.now() - startedAt;
		};
		const alone = timedRun(scene.service.apiKey);
		const beside = timedRun(scene.apiKey);
		run = Promise.all([alone, beside]);
		// Opens lists until the run ends, because the run keeps an even pace only while lists are opened.
		expect(await openFor(60, 18_000)).toBeGreaterThanOrEqual(58);
		const read = scene.requests().filter(({ method }) => method === 'GET').length;
		// One and a half slots for each read, and the minute that an even pace costs.
		expect((await beside) - (await alone)).toBeLessThanOrEqual(read * 4_600 + 60_000);
	});
});
