import { sleep } from 'n8n-workflow';
import { itInCi } from '../support/drawn';
import { refusal } from './support/faults';
import { locator } from './support/fields';
import { runNode } from './support/runNode';
import { useScene } from './support/scene';
import { PEOPLE, SEGMENTS } from './support/seeded';
import { lapse } from './support/timeLapse';

/*
 * A title is looked up when the run begins. If the write leaves more than ten minutes later, the node looks it up again.
 * In these tests, colleagues rename records meanwhile.
 */
const scene = useScene();
const [first, second] = SEGMENTS;
const personId = locator(PEOPLE[0].id);
const stored = () => scene.service.store.people.get(PEOPLE[0].id)!;

function rename(segment: string, title: string) {
	scene.change('segments', segment, { title });
}

/** Starts a run, lets a colleague act after a minute, ends the faults later, and returns the outcome. */
async function around(
	ms: number,
	act: () => void,
	parameters: object,
	input: object[] = [{}],
	more: object = {},
) {
	const options = { maxWaitMinutes: 300 };
	const running = runNode(
		{ url: scene.service.url, apiKey: scene.apiKey },
		{ parameters: { resource: 'person', options, ...parameters }, input: input as never, ...more },
	);
	await lapse(sleep(60_000));
	act();
	await lapse(sleep(ms));
	scene.faults();
	return await lapse(running);
}

/** Refuses requests of this kind, until `around` ends the faults. */
const refuse = (match: object) => scene.faults(refusal(429, match));
const listsRead = () => scene.requests().filter(({ path }) => path === '/segments').length;
const LATER = 20 * 60_000;

/** Operations that depend on the title VIP. */
const CASES: Array<[name: string, parameters: object]> = [
	['Add to Segments', { operation: 'addToSegments', personId, segments: ['VIP'] }],
	['Update', { operation: 'update', personId, updateFields: { segments: ['VIP'] } }],
	[
		'Create or Update',
		{
			operation: 'upsert',
			email: PEOPLE[0].emailAddresses[0].email,
			additionalFields: { segments: ['VIP'] },
		},
	],
];

describe('a title that a colleague gives to another record while a run waits', () => {
	beforeEach(() => {
		rename(first, 'VIP');
		scene.change('people', PEOPLE[0].id, { segments: [] });
	});
	const refuseWrite = () => refuse({ method: 'PATCH' });
	const give = () => {
		rename(first, 'Old');
		rename(second, 'VIP');
	};

	itInCi.each(CASES)(
		'After waiting 20 minutes, %s uses the segment that now has the title',
		async (_, parameters) => {
			refuseWrite();
			const { error } = await around(LATER, give, parameters);
			expect(error?.message).toBeUndefined();
			expect(stored().segments).toEqual([`/segments/${second}`]);
		},
	);

	itInCi('After waiting 20 minutes, Create uses the segment that now has the title', async () => {
		refuse({ method: 'POST' });
		const fields = { familyName: 'New', additionalFields: { segments: ['VIP'] } };
		const { items } = await around(LATER, give, { operation: 'create', ...fields });
		expect(items[0].json).toMatchObject({ result: 'created' });
		expect(scene.writes().at(-1)?.body).toMatchObject({ segments: [`/segments/${second}`] });
	});

	itInCi(
		'After waiting 20 minutes, the node refuses an item whose segment title is gone',
		async () => {
			refuseWrite();
			const { error } = await around(LATER, () => rename(first, 'Old'), CASES[0][1]);
			expect(error?.message).toMatch(/^Segments: no segment has the title "VIP"/);
			expect(stored().segments).toEqual([]);
		},
	);

	it('If a write leaves within ten minutes, the node reads titles only once', async () => {
		refuseWrite();
		const { error } = await around(5 * 60_000, () => undefined, CASES[0][1]);
		expect(error?.message).toBeUndefined();
		expect(listsRead()).toBe(1);
	});

	itInCi('A run of an hour reads the list of titles about every five minutes', async () => {
		const credentials = { requestsPerMinute: 2 };
		const input = Array.from({ length: 120 }, (_, nth) => ({ id: PEOPLE[nth % 30].id }));
		const changed = {
			...{ operation: 'update', personId: locator('={{ $json.id }}') },
			updateFields: { segments: '={{ ["VIP"] }}', jobTitle: '={{ String($itemIndex) }}' },
		};
		const { items, error } = await around(0, give, changed, input, { credentials });
		expect(error?.message).toBeUndefined();
		expect(items).toHaveLength(120);
		expect(listsRead()).toBeGreaterThan(5);
		expect(listsRead()).toBeLessThan(16);
		expect(scene.writes().at(-1)?.body).toMatchObject({ segments: [`/segments/${second}`] });
	});
});
