import type { Case } from './judge/cases';
import { judge } from './judge/judge';
import type { Outcome, Played } from './judge/play';
import type { Flat, Snapshot } from './judge/world';

/** Returns a person of the service. Rows mean the person "ana", and never the person "bo". */
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
	const isOfTasks = drawn.name === 'task getAll';
	const before: Snapshot = new Map(isOfTasks ? TASKS : [person('ana'), person('bo')]);
	const played: Played = {
		before,
		after: new Map(after),
		outcomes: outcomes ?? rows.map(() => ({ is: 'done', items: [{ id: 'ana' }] })),
		known: { people: PEOPLE, tags: TAGS, segments: TAGS, users: PEOPLE },
		requests: requests as Played['requests'],
		people: [],
		tasks: [],
	};
	const found = judge({ ...BASE, ...drawn, rows } as Case, played);
	return [...new Set(found.map(({ rule }) => rule))];
}

const update = (values: Flat, target: unknown = 'ana') => ({
	columns: Object.keys(values),
	rows: [{ mark: '', target, values }],
});
const upsert = (match: string, values: Flat = {}) => ({
	name: 'person upsert by e-mail',
	columns: Object.keys(values),
	rows: [{ mark: '', match, values }],
});
const list = (values: Flat) => ({
	name: 'person getAll',
	columns: Object.keys(values),
	rows: [{ mark: '', values }],
});
const TASKS: Array<[string, Flat]> = [
	['/tasks/open', { id: 'open', title: 'Call', completedAt: null, tags: ['/tags/one'] }],
	['/tasks/won', { id: 'won', title: 'Visit', completedAt: '2026-01-01', tags: [] }],
];
const tasksWhere = (values: Flat) => ({ ...list(values), name: 'task getAll' });
const addTags = {
	name: 'person addTags',
	rows: [{ mark: '', target: 'ana', required: { tags: ['two'] }, values: {} }],
};

const failed: Outcome[] = [{ is: 'failed', items: [], message: 'no' }];
const done = (...ids: string[]): Outcome[] => [{ is: 'done', items: ids.map((id) => ({ id })) }];
const unchanged = [person('ana'), person('bo')];
const ana = (fields: Flat) => [person('ana', fields), person('bo')];
const bo = (fields: Flat) => [person('ana'), person('bo', fields)];
const nothing = { familyName: null, jobTitle: null, tags: [], 'address.city': null };
const made = (email: string) => [
	...unchanged,
	person('new', { ...nothing, emailAddresses: [{ email }] }),
];

const CHANGED = 'No field changes that was not meant';
const MEANT = 'What cannot be meant is an error';

/** Wrong results of the node, with the rules that they break. noHarm.test.ts shows that correct results pass. */
it.each([
	[
		'an update in which a blank emptied a field',
		update({ jobTitle: null }),
		{ after: ana({ jobTitle: null }) },
		CHANGED,
	],
	[
		'an update that changed another person',
		update({}),
		{ after: bo({ jobTitle: 'Chef' }) },
		CHANGED,
	],
	[
		'a change by a row that reported a failure',
		update({ jobTitle: 'Chef' }),
		{ after: ana({ jobTitle: 'Chef' }), outcomes: failed },
		...[CHANGED, 'What is plain is done'],
	],
	[
		'a success without the given value in the service',
		update({ jobTitle: 'Chef' }),
		{ after: unchanged },
		'What a row that succeeded gave is in the service',
	],
	[
		'a refusal of a plain value',
		update({ jobTitle: 'Chef' }),
		{ after: unchanged, outcomes: failed },
		'What is plain is done',
	],
	['a success with NaN as a job title', update({ jobTitle: '@NaN' }), { after: unchanged }, MEANT],
	['a success without a person to update', update({}, '  '), { after: unchanged }, MEANT],
	[
		'a result with the ID of another person',
		update({}),
		{ after: unchanged, outcomes: done('bo') },
		'A result names its record',
	],
	[
		'a PATCH with an empty body',
		update({}),
		{ after: unchanged, requests: [{ method: 'PATCH', path: '/people/ana', body: {} }] },
		'No empty update is sent',
	],
	[
		'an added tag that replaced an existing tag',
		addTags,
		{ after: ana({ tags: ['/tags/two'] }) },
		'No entry of a list is lost',
	],
	[
		'a person with a tag that nobody gave',
		addTags,
		{ after: ana({ tags: ['/tags/one', '/tags/two', '/tags/x'] }) },
		'No entry of a list appears that was not meant',
	],
	[
		'a person created twice because an e-mail address was in capitals',
		upsert('Ana@X.example'),
		{ after: made('Ana@X.example'), outcomes: done('new') },
		'Nobody is doubled who could be found',
	],
	[
		'a Create or Update that removed the matched e-mail address',
		upsert('ana@x.example', { emailAddresses: ['new@x.example'] }),
		{ after: ana({ emailAddresses: [{ email: 'new@x.example' }] }) },
		...['No entry of a list is lost', 'Create or Update keeps the entries of a list as they are'],
	],
	[
		'a Create or Update that changed another person than the matched one',
		upsert('ana@x.example', { jobTitle: 'Chef' }),
		{ after: bo({ jobTitle: 'Chef' }) },
		...['What a row that succeeded gave is in the service', CHANGED],
	],
	[
		'a person created by a row that reported a failure',
		upsert('new@x.example'),
		{ after: made('new@x.example'), outcomes: failed },
		'An error means that nothing was written',
	],
	[
		'a blank filter that listed everybody',
		list({ tagsId: '' }),
		{ after: unchanged, outcomes: done('ana', 'bo') },
		'A filter that is given as a blank is an error',
	],
	[
		'a list with a person who does not meet the filter',
		list({ tagsId: 'two' }),
		{ after: unchanged, outcomes: done('ana') },
		'Nothing is listed that does not match',
	],
	[
		'a list that lacks a matching person',
		list({ tagsId: 'one' }),
		{ after: unchanged, outcomes: done('ana') },
		'A list is complete, or the item is an error',
	],
	[
		'a list of open tasks with a completed task',
		tasksWhere({ state: 'open' }),
		{ after: TASKS, outcomes: done('open', 'won') },
		'Nothing is listed that does not match',
	],
	[
		'a list of open tasks that lacks an open task',
		tasksWhere({ state: 'open', tags: 'one, two' }),
		{ after: TASKS, outcomes: done() },
		'A list is complete, or the item is an error',
	],
	[
		'a list that holds one person twice',
		list({}),
		{ after: unchanged, outcomes: done('ana', 'bo', 'bo') },
		'Nothing is listed twice',
	],
] as Array<[string, Partial<Case>, Afterwards, ...string[]]>)(
	'The judge of random rows reports exactly the broken rules for %s',
	(_, drawn, afterwards, ...rules) => {
		expect(rulesOf(drawn, afterwards).sort()).toEqual(rules.sort());
	},
);
