import type { IDataObject } from 'n8n-workflow';
import { itInCi, sampled } from '../support/drawn';
import { locator } from './support/fields';
import { useScene } from './support/scene';
import { PEOPLE, SEGMENTS, TAGS } from './support/seeded';

/*
 * The newest read of a run counts, whichever request brought it: the read of another row, a lookup of other rows, or a
 * page that proves how the service filters. In these tests, colleagues change a person between two requests of a run.
 */
const scene = useScene();
const [A, B, C] = TAGS.map((tag) => `/tags/${tag}`);
const [S, T, U] = SEGMENTS.map((segment) => `/segments/${segment}`);
const number = (phoneNumber: string) => ({ phoneNumber, phoneType: 'work' });
const [one, two, three] = ['+31611111111', '+31622222222', '+31633333333'].map(number);
const [person, heir, ...others] = PEOPLE.filter(
	({ emailAddresses }) => emailAddresses.length === 1,
);
const [own] = person.emailAddresses as Array<{ email: string }>;
const [old, recent, ours] = ['old', 'recent', 'ours'].map((name) => ({
	email: `${name}@crm.example`,
}));
const emailOf = ({ emailAddresses }: typeof person) => emailAddresses[0].email!;
const stored = (id: string) => scene.service.store.people.get(id)!;
const written = () => scene.writes().map(({ path }) => path.split('/').at(-1));
const byEmail = (email: string) => ({ __rl: true, mode: 'email', value: email });

/** Gives the address of the person to the heir. */
function move() {
	scene.change('people', person.id, { emailAddresses: [old] });
	scene.change('people', heir.id, { emailAddresses: [own] });
}

/** Returns the text that the user gives for an entry of a list. */
function given(entry: unknown): string {
	const { email, phoneNumber } = entry as { email?: string; phoneNumber?: string };
	return email ?? phoneNumber ?? String(entry);
}

/**
 * Returns rows of which the first request looks up all addresses. The second row has an ID, and so a read of its own.
 * Rows of `others` change nothing.
 */
const rowsOf = (second: IDataObject, third: IDataObject, rest: IDataObject) => {
	const [first, ...later] = others.slice(0, 5).map((each) => ({
		...{ who: byEmail(emailOf(each)), ...rest },
	}));
	const [byId, byAddress] = [locator(person.id), byEmail(own.email)];
	return [first, { who: byId, ...second }, { who: byAddress, ...third }, ...later];
};

describe('a person whom another row has read since the lookup', () => {
	it.each(
		sampled(
			[
				['addTags', 'tags', [A], [B, C], [B, C, A], { held: C, entry: A }],
				['removeTags', 'tags', [A, B], [B, C], [C], { held: A, entry: B }],
				['addToSegments', 'segments', [S], [T], [T, U], { held: T, entry: U }],
				['addPhoneNumber', 'phoneNumbers', [one], [two], [two, three], { held: two, entry: three }],
				[
					...['addEmailAddress', 'emailAddresses', [own, old], [own, recent]],
					...[[own, recent, ours], { held: recent, entry: ours }],
				],
			] as Array<[string, string, object[], object[], object[], { held: object; entry: object }]>,
			5,
		),
	)(
		'The operation %s keeps the %s that a colleague changed after the lookup',
		async (operation, list, before, meanwhile, expected, { held, entry }) => {
			for (const { id, emailAddresses } of others.slice(0, 5)) {
				const kept = list === 'emailAddresses' ? emailAddresses : [];
				const has = operation.startsWith('remove') ? kept : [...kept, held];
				scene.change('people', id, { [list]: has });
			}
			scene.change('people', person.id, { [list]: before });
			scene.onRequest(2, () => scene.change('people', person.id, { [list]: meanwhile }));
			const value = '={{ $json.value }}';
			const parameters = {
				...{ personId: '={{ $json.who }}', tags: '={{ [$json.value] }}' },
				...{
					segments: '={{ [$json.value] }}',
					phoneNumber: value,
					phoneType: 'work',
					email: value,
				},
			};
			const rest = { value: given(held) };
			const input = rowsOf(rest, { value: given(entry) }, rest);
			const { error } = await scene.person(operation, parameters, { input });
			expect(error?.message).toBeUndefined();
			expect(stored(person.id)[list as 'tags']).toEqual(expected);
			expect(scene.writes()).toHaveLength(1);
		},
	);

	it.each([
		['addTags', { tags: '={{ [$json.value] }}' }, A, B, { tags: [B] }],
		[
			'update',
			{ updateFields: { jobTitle: '={{ $json.value }}' }, options: { tellChanges: true } },
			...['Held', 'Ours', { jobTitle: 'Ours' }],
		],
	] as Array<[string, object, string, string, object]>)(
		'If another row finds the address at another person, operation %s changes that person',
		async (operation, parameters, held, value, expected) => {
			const has = { tags: [A], jobTitle: 'Held' };
			for (const { id } of [person, ...others.slice(0, 5)]) scene.change('people', id, has);
			scene.change('people', heir.id, { tags: [], jobTitle: null });
			scene.onRequest(2, move);
			const input = rowsOf({ value: held }, { value }, { value: held });
			const { error } = await scene.person(
				operation,
				{ personId: '={{ $json.who }}', ...parameters },
				{ input },
			);
			expect(error?.message).toBeUndefined();
			expect(written()).toEqual([heir.id]);
			expect(stored(heir.id)).toMatchObject(expected);
		},
	);
});

describe('a person whom a later lookup of the run shows', () => {
	const strangers = [1, 2, 3, 4].map((nth) => ({ email: `new${nth}@crm.example` }));
	const input = [own, ...strangers];
	// The first request looks up all addresses. The second reads a page, to find two known people for the proof.
	const upsert = {
		...{ email: '={{ $json.email }}', familyName: 'Vos' },
		additionalFields: { tags: [A], segments: [S] },
	};

	it('Create or Update keeps tags, segments and addresses that a colleague changed meanwhile', async () => {
		scene.change('people', person.id, { tags: [B], segments: [T] });
		const theirs = { tags: [C], segments: [U], emailAddresses: [own, recent] };
		scene.onRequest(2, () => scene.change('people', person.id, theirs));
		const { error } = await scene.person('upsert', upsert, { input });
		expect(error?.message).toBeUndefined();
		const expected = { tags: [C, A], segments: [U, S], emailAddresses: [own, recent] };
		expect(stored(person.id)).toMatchObject(expected);
		expect(scene.requests().filter(({ query }) => 'emailAddresses.email[]' in query)).toHaveLength(
			2,
		);
	});

	it('If an address moves between two lookups, Create or Update changes its new holder', async () => {
		scene.change('people', heir.id, { tags: [] });
		scene.onRequest(2, move);
		const { error } = await scene.person('upsert', upsert, { input });
		expect(error?.message).toBeUndefined();
		expect(written()).toContain(heir.id);
		expect(written()).not.toContain(person.id);
		expect(stored(heir.id).tags).toEqual([A]);
	});

	it('If a new person loses an address, Create or Update changes the new holder', async () => {
		const [fresh] = strangers;
		scene.change('people', heir.id, { tags: [] });
		const holders = () =>
			[...scene.service.store.people.values()]
				.filter(({ emailAddresses }) => emailAddresses[0]?.email === fresh.email)
				.map(({ id }) => id);
		// The lookup takes three requests with its proof. The fourth request creates the person.
		scene.onRequest(5, () => {
			for (const id of holders()) scene.change('people', id, { emailAddresses: [old] });
			scene.change('people', heir.id, { emailAddresses: [fresh] });
		});
		const { error } = await scene.person('upsert', upsert, { input: [...strangers, fresh, own] });
		expect(error?.message).toBeUndefined();
		expect(holders()).toEqual([heir.id]);
		expect(stored(heir.id).tags).toEqual([A]);
	});
});

describe('a person with two addresses', () => {
	itInCi('If a person has lost an address, Create or Update changes its new holder', async () => {
		const further = { email: 'further@crm.example' };
		scene.change('people', person.id, { emailAddresses: [own, further], jobTitle: null });
		// Only the first row changes a list. It waits for its slot, and so looks its address up again.
		const input = [
			...others.slice(0, 20).map((each) => ({ email: emailOf(each), job: 'Buyer' })),
			{ ...own, job: 'Buyer', tag: A },
			{ ...further, job: 'Ours' },
		];
		scene.change('people', person.id, { tags: [] });
		scene.onRequest(20, () => {
			scene.change('people', person.id, { emailAddresses: [own] });
			scene.change('people', heir.id, { emailAddresses: [...heir.emailAddresses, further] });
		});
		const { error } = await scene.person(
			'upsert',
			{
				email: '={{ $json.email }}',
				additionalFields: {
					jobTitle: '={{ $json.job }}',
					tags: '={{ $json.tag ? [$json.tag] : [] }}',
				},
			},
			{ input },
		);
		expect(error?.message).toBeUndefined();
		expect(stored(person.id)).toMatchObject({ jobTitle: 'Buyer', tags: [A] });
		expect(stored(heir.id).jobTitle).toBe('Ours');
	});
});
