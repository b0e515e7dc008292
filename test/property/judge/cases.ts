import fc from 'fast-check';
import type { Fault, SwitchChanges } from '../../service';
import { seedTenant } from '../../service/seed';
import { Store } from '../../service/store';
import type { FieldKind } from './fields';
import { OPERATIONS, type Operation, type Row } from './operations';
import type { Character } from './world';

/** A drawn case: an operation of the node with its rows, the people in the CRM, and the behaviour of the service. */
export interface Case {
	name: string;
	columns: string[];
	rows: Row[];
	characters: Character[];
	/** Number of people besides the characters. With 31 or more, a list needs more than one page. */
	others: number;
	switches: SwitchChanges;
	faults: Fault[];
	onError: 'stopWorkflow' | 'continueErrorOutput' | 'continueRegularOutput';
	/** n8n's own setting to retry a failed node with all its items. */
	retryOnFail: boolean;
	/** Top-level parameters that rows do not fill. */
	options: Record<string, unknown>;
}

export const SEED = { people: 0, tasks: 12, segments: 3 };

/** The seed always gives the same IDs, so that cases can name records. */
const store = new Store();
seedTenant(store, SEED);
export const TAGS = [...store.tags.keys()].slice(0, 4);
export const SEGMENTS = [...store.segments.keys()];
const USERS = [...store.users.keys()].slice(0, 3);
export const TASKS = [...store.tasks.keys()].slice(0, 3);
export const COLUMNS = [...store.tasks.values()].slice(0, 5).map(({ status }) => status);
/** Parts of task titles, as users type them. No task title contains the last text. */
const TITLE_PARTS = ['call', ' Visit ', 'OFFER', ['Call', 'visit'], 'nothing is called that'];
const TAG_TITLES = [...store.tags.values()].slice(0, 3).map(({ title }) => String(title));
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

/** Returns the IDs of the characters: the first IDs after the seed. */
export function characterIds(count: number): string[] {
	const next = new Store();
	seedTenant(next, SEED);
	return Array.from({ length: count }, () => next.newId('people'));
}
const PEOPLE = characterIds(3);

const EMAILS = [
	['ana@x.example', 'Ana@X.example', 'ANA@X.EXAMPLE', ' ana@x.example '],
	['joana@x.example', 'Joana@x.example'],
	['bo@y.example', 'Bo@Y.example', 'bo@y.example '],
];
const PHONES = [
	['+31611112222', '+31 6 1111 2222', '+31-6-11112222', '+31 (6) 1111.2222'],
	['+31633334444', '+31 6 33 33 44 44'],
];
export const NETWORKS = ['network-7', 'network-77'];

const one = <T>(values: readonly T[]) => fc.constantFrom(...values);
const blanks = fc.constantFrom<unknown[]>(null, '', '  ', '\t\n', [], undefined);
const impossible = fc.constantFrom<unknown[]>('@NaN', '@Infinity', { a: 1 }, {}, [{ b: 2 }]);

const spelledEmail = one(EMAILS.flat());

/** E-mail addresses that rows add. No row looks for a person by them, so they do not identify a person. */
const furtherEmail = one(['new@z.example', 'New@Z.example', ' other@z.example ']);
const furtherPhone = one(['+31644445555', '+31 6 4444 5555', '+31-6-4444-5555', '+31655556666']);

const iriForms = (resource: string, ids: string[]) =>
	one(ids).chain((id) =>
		fc.constantFrom<unknown[]>(
			id,
			id,
			`/${resource}/${id}`,
			`/api/${resource}/${id}`,
			`https://crm.example/${resource}/${id}`,
			{ id },
			{ '@id': `/${resource}/${id}`, id },
			[id],
		),
	);
const wrongReferences = fc.constantFrom<unknown[]>(UNKNOWN, 'VIP', '../users', 12, true, '@NaN');

const listOf = (resource: string, ids: string[]): fc.Arbitrary<unknown> =>
	fc.oneof(
		{ weight: 4, arbitrary: fc.subarray(ids, { minLength: 1 }) },
		{ weight: 2, arbitrary: fc.subarray(ids, { minLength: 1 }).map((some) => some.join(', ')) },
		{
			weight: 1,
			arbitrary: fc.subarray(ids, { minLength: 1 }).map((some) => [null, ...some, ' ']),
		},
		{ weight: 1, arbitrary: iriForms(resource, ids).map((form) => [form]) },
		{ weight: 1, arbitrary: iriForms(resource, ids) },
	);

/** Usable values of each kind, as a table may write them. */
const FINE: Record<FieldKind, fc.Arbitrary<unknown>> = {
	text: fc.constantFrom<unknown[]>('Chef', ' spaced ', 'Ünique', 5, 0, true, false, ['a', 'b']),
	integer: fc.constantFrom<unknown[]>(
		12,
		0,
		'12',
		' 3 ',
		'1e3',
		2.5,
		'12abc',
		'1,5',
		2 ** 60,
		true,
	),
	estimation: fc.constantFrom<unknown[]>(8, 0, '8', '2.5', 'XL'),
	boolean: fc.constantFrom<unknown[]>(true, false, 'true', 'FALSE', 'True', 0, 1, '0', 'maybe', 2),
	date: fc.constantFrom<unknown[]>(
		'2026-03-01',
		'2026-03-01T10:00:00',
		'2026-03-01T10:00:00Z',
		'2026-03-01T10:00:00+05:30',
		'2026-03-01 10:00',
		'20260301',
		1_772_355_600_000,
		'2026-13-45',
		'01/03/2026',
		'soon',
	),
	user: fc.oneof(iriForms('users', USERS), wrongReferences),
	users: fc.oneof({ weight: 5, arbitrary: listOf('users', USERS) }, wrongReferences),
	tags: fc.oneof({ weight: 5, arbitrary: listOf('tags', TAGS) }, wrongReferences, one(TAG_TITLES)),
	segments: fc.oneof({ weight: 5, arbitrary: listOf('segments', SEGMENTS) }, wrongReferences),
	column: fc.oneof(one(COLUMNS), one(COLUMNS.map((iri) => `/api${iri}`)), wrongReferences),
	emails: fc.array(fc.oneof(furtherEmail, furtherEmail, blanks, one(['no address', '@NaN'])), {
		minLength: 2,
		maxLength: 2,
	}),
	whether: fc.constantFrom<unknown[]>('true', 'false', 'any', true, false, ' Any ', 'maybe'),
	state: fc.constantFrom<unknown[]>('open', 'completed', 'any', ' Open', 'COMPLETED', 'won', true),
	phones: fc.array(fc.oneof(furtherPhone, furtherPhone, blanks, one([31_644_445_555, '@NaN'])), {
		minLength: 2,
		maxLength: 2,
	}),
};

const ISO_DATES = ['2025-03-01', '2025-05-01T09:00:00Z', '2025-07-15T10:00:00'];

function cellOf(name: string, kind: FieldKind): fc.Arbitrary<unknown> {
	let fine = FINE[kind];
	if (name === 'emailAddressesEmail') {
		fine = fc.oneof(spelledEmail, fc.subarray(EMAILS.flat(), { minLength: 1, maxLength: 3 }));
	}
	if (name === 'createdAtAfter') fine = one(ISO_DATES);
	if (kind === 'emails' || kind === 'phones') return fine;
	if (name === 'title' && kind === 'text') fine = fc.oneof(fine, one(TITLE_PARTS));
	if (name === 'q') fine = one(['Person', 'ana']);
	return fc.oneof(
		{ weight: 6, arbitrary: fine },
		{ weight: 3, arbitrary: blanks },
		{ weight: 1, arbitrary: impossible },
	);
}

const TARGETS = {
	people: iriForms('people', PEOPLE),
	tasks: iriForms('tasks', TASKS),
	segments: iriForms('segments', SEGMENTS),
};

const matchOf = ({ matchBy }: Operation): fc.Arbitrary<unknown> => {
	const texts = matchBy === 'email' ? EMAILS : [...EMAILS, ...PHONES, NETWORKS];
	return fc.oneof(
		{ weight: 9, arbitrary: one(texts.flat()) },
		{ weight: 1, arbitrary: fc.oneof(blanks, impossible) },
	);
};

const recordOf = (kinds: Record<string, FieldKind>, names: string[]) =>
	fc.record(Object.fromEntries(names.map((name) => [name, cellOf(name, kinds[name])])));

function rowOf(operation: Operation, columns: string[]): fc.Arbitrary<Omit<Row, 'mark'>> {
	const required = { ...operation.required, ...operation.optional };
	const plain = operation.required ?? {};
	const requiredCells = Object.entries(required).map(([name, kind]) => {
		const isFineMostly = name in plain && kind === 'text';
		const often = one(['Vos', 'Jansen']);
		const cell = cellOf(name, kind);
		return [name, isFineMostly ? fc.oneof({ weight: 3, arbitrary: often }, cell) : cell];
	});
	return fc.record({
		required: fc.record(Object.fromEntries(requiredCells) as Record<string, fc.Arbitrary<unknown>>),
		values: recordOf(operation.fields, columns),
		...(operation.target && {
			target: fc.oneof(
				{ weight: 8, arbitrary: TARGETS[operation.target] },
				{ weight: 1, arbitrary: fc.oneof(blanks, wrongReferences, impossible) },
			),
		}),
		...(operation.does === 'upsert' && { match: matchOf(operation) }),
	});
}

/** Switches of the service that decide how it looks people up. */
const LOOKUPS = fc.record<SwitchChanges>({
	comparison: one(['literal', 'forgiving', 'exact', 'partial'] as const),
	severalValues: one(['any', 'all', 'last', 'dropped', 'refused', 'more'] as const),
	dropUnknownValues: fc.constantFrom<string[][]>([], [], ['emailAddresses.email', 'identifiers']),
});

const switchesOf = ({ does }: Operation): fc.Arbitrary<SwitchChanges> => {
	const any = fc
		.oneof(
			{ weight: 1, arbitrary: fc.constant([]) },
			{ weight: 4, arbitrary: fc.array(one(HOSTILE), { minLength: 1, maxLength: 2 }) },
		)
		.map((all) => Object.assign({}, ...all) as SwitchChanges);
	return does === 'upsert' ? fc.oneof(any, LOOKUPS) : any;
};

/** Switches for behaviour of the service that the interface does not rule out. Each entry breaks one assumption. */
const HOSTILE: SwitchChanges[] = [
	{ comparison: 'exact' },
	{ comparison: 'forgiving' },
	{ comparison: 'partial' },
	...(['all', 'last', 'dropped', 'refused', 'more'] as const).map((severalValues) => ({
		severalValues,
	})),
	{ dropFilters: ['tags.id', 'owner.id', 'segments.uuid'] },
	{ dropFilters: ['emailAddresses.email', 'identifiers'] },
	{ dropFilters: ['createdAt[after]', 'exists[archivedAt]'] },
	{ dropUnknownValues: ['emailAddresses.email', 'identifiers', 'tags.id'] },
	{ ignoreFilters: true },
	{ mountPath: '/api' },
	{ mountPath: '/api', acceptedIris: 'paths' },
	{ iriOrigin: 'https://crm.example' },
	{ iriOrigin: 'https://crm.example', acceptedIris: 'paths' },
	{ references: 'embedded' },
	{ references: 'embedded', generatedIds: 'embedded' },
	{ generatedIds: 'everywhere' },
	{ embeddedIds: 'fixed' },
	{ embeddedIds: 'none', emptyObjects: 'object' },
	{ changedEntries: 'timed' },
	{ replaced: 'kept' },
	{ offsets: 'heeded' },
	{ timezone: 'Europe/Amsterdam' },
	{ timezone: 'America/New_York', offsets: 'heeded' },
	{ mapLists: ['tags', 'segments', 'emailAddresses', 'phoneNumbers'] },
	{ mapLists: ['member'] },
	{ omitFields: ['tags', 'segments'] },
	{ omitFields: ['emailAddresses', 'phoneNumbers'] },
	{ createdAnswer: 'location' },
	{ ignorePage: true },
	{ viewNext: false },
	{ view: false },
	{ totalItems: false },
	{ totalItems: false, view: false },
	{ bareCollections: true },
	{ bareCollections: true, ignorePage: true },
	{ repeatFromPage: 2 },
	{ equalRecords: 'byPage', totalItems: false, view: false },
	{ hydraPrefix: true },
	{ omitNulls: false },
	{ updatedTask: 'update-fields' },
	{ latencyAfterMs: [0, 12] },
	{ latencyBeforeMs: [0, 12] },
	...(['array', 'iris', 'iri-array', 'id-objects', 'uuid-object-array'] as const).map(
		(identifiers) => ({ identifiers }),
	),
];

const faulty = fc
	.record({
		method: one(['GET', 'POST', 'PATCH']),
		nth: one([1, 2, 3]),
		stored: fc.boolean(),
		body: fc.constantFrom<Array<'html' | 'json' | Record<string, unknown> | unknown[]>>(
			'html',
			'json',
			{},
			{ message: 'Not now' },
			[],
		),
		kind: one(['success', 'success', 'other-record', 'reset', 'status'] as const),
	})
	.map(({ method, nth, stored, body, kind }): Fault => {
		const match = { method, nth };
		// A GET never gets an empty list as a fault, because a lookup has to believe an empty list.
		const isList = method === 'GET' && Array.isArray(body);
		if (kind === 'success' && !isList) return { kind: 'status', status: 200, body, stored, match };
		if (kind === 'status') return { kind, status: 500, body: 'json', stored, match };
		if (kind === 'other-record') return { kind, match };
		return { kind: 'reset', stored, match };
	});

/** Draws the people in the CRM: `count` people, each with some of these addresses and numbers. */
export const someCharacters = (count: number, emails: string[], phones: string[]) =>
	fc.tuple(
		...Array.from({ length: count }, () =>
			fc.record<Character>({
				emails: fc.uniqueArray(one(emails), { maxLength: 2 }),
				phones: fc.uniqueArray(one(phones), { maxLength: 1 }),
				network: fc.constantFrom(null, ...NETWORKS),
				tags: fc.subarray([0, 1, 2, 3]),
				segments: fc.subarray([0, 1, 2]),
				owner: fc.constantFrom(null, 0, 1),
				archived: fc.boolean(),
			}),
		),
	);
const characters = someCharacters(
	PEOPLE.length,
	EMAILS.flatMap((all) => all.slice(0, 2)),
	PHONES.flatMap((all) => all.slice(0, 2)),
);

/** Fields that a case may name in Clear Fields. No row gives these fields a value. */
const CLEARABLE: Record<string, string[]> = {
	person: [
		'jobTitle',
		'customerId',
		'isTracked',
		'tags',
		'segments',
		'emailAddresses',
		'archivedAt',
	],
	task: ['dueDate', 'assignees', 'storyPointEstimation', 'completedAt'],
	segment: ['sequence'],
};

const clearing = (resource: string, columns: string[]) =>
	fc.oneof(
		{ weight: 3, arbitrary: fc.constant({}) },
		fc
			.subarray(CLEARABLE[resource].filter((name) => !columns.includes(name)))
			.map((clearFields) => ({ clearFields })),
	);

const optionsOf = (
	{ does, collection, resource }: Operation,
	columns: string[],
): fc.Arbitrary<Record<string, unknown>> =>
	does === 'upsert'
		? fc.constantFrom({}, { options: { lookUp: 'each' } })
		: collection === 'updateFields'
			? clearing(resource, columns)
			: does !== 'list'
				? fc.constant({})
				: fc.record({
						returnAll: fc.boolean(),
						limit: one([2, 40]),
						output: one(['simplified', 'raw', 'identifiers', 'selectedFields']),
						options: fc.constantFrom<Array<Record<string, unknown>>>(
							{},
							{},
							{},
							{
								whenFilterEmpty: 'ignore',
							},
						),
					});

const caseOf = (name: string): fc.Arbitrary<Case> => {
	const operation = OPERATIONS[name];
	const names = Object.keys(operation.fields);
	const atLeast = Math.min(1, names.length);
	const columns = fc.oneof(
		{ weight: 1, arbitrary: fc.constant<string[]>([]) },
		{
			weight: 9,
			arbitrary: fc.subarray(names, { minLength: atLeast, maxLength: Math.min(3, names.length) }),
		},
	);
	return columns.chain((chosen) =>
		fc.record<Case>({
			name: fc.constant(name),
			columns: fc.constant(chosen),
			rows: fc
				.array(rowOf(operation, chosen), { minLength: 1, maxLength: 4 })
				.map((rows) => rows.map((row, index) => ({ mark: `row-${index}`, ...row }) as Row)),
			characters,
			others: one([0, 0, 0, 20, 45, 70]),
			switches: switchesOf(operation),
			faults: fc.oneof(
				{ weight: 4, arbitrary: fc.constant<Fault[]>([]) },
				{ weight: 1, arbitrary: fc.array(faulty, { minLength: 1, maxLength: 1 }) },
			),
			onError: one(['stopWorkflow', 'continueErrorOutput', 'continueRegularOutput'] as const),
			retryOnFail: fc.oneof({ weight: 6, arbitrary: fc.constant(false) }, fc.constant(true)),
			options: optionsOf(operation, chosen),
		}),
	);
};

/** Weights of operations. Those that can do most harm are drawn most often. */
const WEIGHTS: Record<string, number> = {
	'person update': 3,
	'person upsert by e-mail': 4,
	'person upsert by identifier': 3,
	'person getAll': 4,
};

/** Draws a case of any operation, or of the operation `only`. */
export function anyCase(only?: string): fc.Arbitrary<Case> {
	const names = Object.keys(OPERATIONS).filter((name) => only === undefined || name === only);
	return fc.oneof(
		...names.map((name) => ({ weight: WEIGHTS[name] ?? 1, arbitrary: caseOf(name) })),
	);
}
