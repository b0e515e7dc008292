import type { SwitchChanges } from '../service';
import type { Case } from './judge/cases';
import { judge } from './judge/judge';
import type { Outcome, Played } from './judge/play';
import type { Flat, Snapshot } from './judge/world';

/** Ana, whom rows mean, and Bo, whom they do not. */
const person = (id: string, fields: Flat = {}): [string, Flat] => [
	`/people/${id}`,
	{
		id,
		familyName: 'Vos',
		jobTitle: 'Buyer',
		networkId: null,
		archivedAt: null,
		owner: null,
		tags: ['/tags/one'],
		segments: [],
		emailAddresses: [{ email: `${id}@x.example` }],
		phoneNumbers: [],
		'address.city': 'Utrecht',
		...fields,
	},
];

const PEOPLE = { iris: ['/people/ana', '/people/bo'], titles: {} };
const TAGS = { iris: ['/tags/one', '/tags/two'], titles: {} };

const BASE: Case = {
	name: 'person update',
	columns: [],
	rows: [],
	characters: [],
	others: 0,
	switches: {},
	faults: [],
	onError: 'continueErrorOutput',
	retryOnFail: false,
	options: { returnAll: true, options: {} },
};

interface Afterwards {
	after: Array<[string, Flat]>;
	outcomes?: Outcome[];
	requests?: Array<{ method: string; path: string; body?: unknown }>;
}

function rulesOf(drawn: Partial<Case>, { after, outcomes, requests = [] }: Afterwards): string[] {
	const rows = (drawn.rows ?? []).map((row, index) => ({ ...row, mark: `row-${index}` }));
	const before: Snapshot = new Map([person('ana'), person('bo')]);
	const played: Played = {
		before,
		after: new Map(after),
		outcomes: outcomes ?? rows.map(() => ({ is: 'done', items: [{ id: 'ana' }] })),
		known: { people: PEOPLE, tags: TAGS, segments: TAGS, users: PEOPLE },
		requests: requests as Played['requests'],
		people: [],
	};
	const found = judge({ ...BASE, ...drawn, rows } as Case, played);
	return [...new Set(found.map(({ rule }) => rule))];
}

const update = (values: Flat, target: unknown = 'ana') => ({
	columns: Object.keys(values),
	rows: [{ mark: '', target, values }],
});
const failed: Outcome[] = [{ is: 'failed', items: [], message: 'no' }];
const chef = person('ana', { jobTitle: 'Chef' });
const unchanged = [person('ana'), person('bo')];

describe('the judge finds nothing', () => {
	it('in an update of what was meant', () => {
		expect(rulesOf(update({ jobTitle: 'Chef' }), { after: [chef, person('bo')] })).toEqual([]);
	});

	it.each([null, '', '  '])('in a blank %j that left everything as it was', (jobTitle) => {
		expect(rulesOf(update({ jobTitle }), { after: unchanged })).toEqual([]);
	});

	it('in a refusal that wrote nothing', () => {
		const after = unchanged;
		expect(rulesOf(update({ jobTitle: '@NaN' }), { after, outcomes: failed })).toEqual([]);
	});
});

describe('the judge sees', () => {
	it('a field wiped by a blank', () => {
		const after = [person('ana', { jobTitle: null }), person('bo')];
		expect(rulesOf(update({ jobTitle: null }), { after })).toEqual([
			'No field changes that was not meant',
		]);
	});

	it('somebody else changed', () => {
		const after = [chef, person('bo', { jobTitle: 'Chef' })];
		expect(rulesOf(update({ jobTitle: 'Chef' }), { after })).toEqual([
			'No field changes that was not meant',
		]);
	});

	it('a change by a row that is said to have failed', () => {
		const after = [chef, person('bo')];
		expect(rulesOf(update({ jobTitle: 'Chef' }), { after, outcomes: failed })).toContain(
			'No field changes that was not meant',
		);
	});

	it('a success that wrote nothing', () => {
		expect(rulesOf(update({ jobTitle: 'Chef' }), { after: unchanged })).toEqual([
			'What a row that succeeded gave is in the service',
		]);
	});

	it('a refusal of what is plain', () => {
		expect(rulesOf(update({ jobTitle: 'Chef' }), { after: unchanged, outcomes: failed })).toEqual([
			'What is plain is done',
		]);
	});

	it('a success of what nobody can mean, and of a record that is not named', () => {
		const rule = ['What cannot be meant is an error'];
		expect(rulesOf(update({ jobTitle: '@NaN' }), { after: unchanged })).toEqual(rule);
		expect(rulesOf(update({}, '  '), { after: unchanged })).toEqual(rule);
	});

	it('a result that names another record, and an update of nothing', () => {
		const outcomes: Outcome[] = [{ is: 'done', items: [{ id: 'bo' }] }];
		expect(rulesOf(update({}), { after: unchanged, outcomes })).toEqual([
			'A result names its record',
		]);
		const requests = [{ method: 'PATCH', path: '/people/ana', body: {} }];
		expect(rulesOf(update({}), { after: unchanged, requests })).toEqual([
			'No empty update is sent',
		]);
	});

	it('a tag lost, and a tag from nowhere', () => {
		const drawn = {
			name: 'person addTags',
			rows: [{ mark: '', target: 'ana', required: { tags: ['two'] }, values: {} }],
		};
		const lost = [person('ana', { tags: ['/tags/two'] }), person('bo')];
		expect(rulesOf(drawn, { after: lost })).toEqual(['No entry of a list is lost']);
		const gained = [person('ana', { tags: ['/tags/one', '/tags/two', '/tags/x'] }), person('bo')];
		expect(rulesOf(drawn, { after: gained })).toEqual([
			'No entry of a list appears that was not meant',
		]);
	});
});

describe('the judge of Create or Update', () => {
	const upsert = (match: string, values: Flat = {}, switches: SwitchChanges = {}) => ({
		name: 'person upsert by e-mail',
		switches,
		columns: Object.keys(values),
		rows: [{ mark: '', match, values }],
	});
	const double = person('new', { emailAddresses: [{ email: 'Ana@X.example' }] });
	const outcomes: Outcome[] = [{ is: 'done', items: [{ id: 'new' }] }];

	it('sees somebody doubled in another spelling', () => {
		const after = [...unchanged, double];
		expect(rulesOf(upsert('Ana@X.example'), { after, outcomes })).toContain(
			'Nobody is doubled who could be found',
		);
	});

	it('sees the address it matched by removed', () => {
		const after = [person('ana', { emailAddresses: [{ email: 'new@x.example' }] }), person('bo')];
		expect(
			rulesOf(upsert('ana@x.example', { emailAddresses: ['new@x.example'] }), { after }),
		).toContain('No entry of a list is lost');
	});

	it('sees somebody merged with another', () => {
		const after = [person('ana'), person('bo', { jobTitle: 'Chef' })];
		expect(rulesOf(upsert('ana@x.example', { jobTitle: 'Chef' }), { after })).toContain(
			'No field changes that was not meant',
		);
	});

	it('sees somebody made although the row failed', () => {
		const made = person('new', { emailAddresses: [{ email: 'new@x.example' }] });
		const after = [...unchanged, made];
		expect(rulesOf(upsert('new@x.example'), { after, outcomes: failed })).toContain(
			'An error means that nothing was written',
		);
	});
});

describe('the judge of Get Many', () => {
	const list = (values: Flat) => ({
		name: 'person getAll',
		columns: Object.keys(values),
		rows: [{ mark: '', values }],
	});
	const listing = (...ids: string[]): Outcome[] => [
		{ is: 'done', items: ids.map((id) => ({ id })) },
	];
	const after = unchanged;

	it('sees a blank filter that lists everybody', () => {
		expect(rulesOf(list({ tagsId: '' }), { after, outcomes: listing('ana', 'bo') })).toEqual([
			'A filter that is given as a blank is an error',
		]);
	});

	it('sees somebody who does not match', () => {
		expect(rulesOf(list({ tagsId: 'two' }), { after, outcomes: listing('ana') })).toEqual([
			'Nothing is listed that does not match',
		]);
	});

	it('sees a list that is cut, and one that repeats', () => {
		expect(rulesOf(list({ tagsId: 'one' }), { after, outcomes: listing('ana') })).toEqual([
			'A list is complete, or the item is an error',
		]);
		expect(rulesOf(list({}), { after, outcomes: listing('ana', 'bo', 'bo') })).toEqual([
			'Nothing is listed twice',
		]);
	});
});
