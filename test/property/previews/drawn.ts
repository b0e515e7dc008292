import fc from 'fast-check';
import type { SwitchChanges } from '../../service';
import {
	characterIds,
	COLUMNS,
	NETWORKS,
	SEGMENTS,
	someCharacters,
	TAGS,
	TASKS,
} from '../judge/cases';
import type { Character } from '../judge/world';

/** A run of many rows, the data of the service before it, and the service's switches. */
export interface Drawn {
	operation: keyof typeof OPERATIONS;
	rows: Row[];
	characters: Character[];
	/** Number of people besides the characters. */
	others: number;
	/** Values of the parameter Options. */
	options: Record<string, unknown>;
	/** Settings of the node for the preview. The preview must be the same with all settings. */
	onError: 'stopWorkflow' | 'continueErrorOutput' | 'continueRegularOutput';
	retryOnFail: boolean;
	switches: SwitchChanges;
}

/** Cells of an item. An absent cell is blank in the table. */
export type Row = Partial<Record<Cell, string>>;

type Cell =
	| 'find'
	| 'address'
	| 'id'
	| 'email'
	| 'phone'
	| 'network'
	| 'familyName'
	| 'jobTitle'
	| 'tags'
	| 'city'
	| 'country'
	| 'archivedAt'
	| 'task'
	| 'column'
	| 'comment'
	| 'segment';

const PEOPLE = characterIds(4);

const EMAILS = ['ana@x.example', 'bo@y.example', 'cas@z.example', 'dee@w.example', 'eva@v.example'];
const PHONES = ['+31611112222', '+31633334444', '+31655556666'];
/** The addresses, and other spellings of some. */
const SPELLED = [...EMAILS, 'Ana@X.example', ' bo@y.example', 'CAS@z.example'];
const DIALLED = [...PHONES, '06 1111 2222', '+31 6 3333-4444'];

const one = <T>(...values: T[]) => fc.constantFrom(...values);

const CELLS: Record<Cell, fc.Arbitrary<string>> = {
	find: one(...SPELLED, ...SPELLED, ...DIALLED, ...NETWORKS, 'no such thing'),
	address: one(...SPELLED, ...SPELLED, 'no address'),
	id: one(...PEOPLE, ...PEOPLE, 'gone-1'),
	email: one(...SPELLED),
	phone: one(...DIALLED),
	network: one(...NETWORKS),
	familyName: one('Jansen', 'Vos'),
	jobTitle: one('Buyer', 'Chef'),
	tags: fc.subarray(TAGS, { minLength: 1 }).map((ids) => ids.join(', ')),
	city: one('Utrecht', 'Delft'),
	country: one('NL', 'BE'),
	archivedAt: one('2026-01-05T09:00:00Z', '2026-02-01T10:00:00Z'),
	task: one(...TASKS, 'gone-2'),
	column: one(...COLUMNS),
	comment: one('Called', 'Called again'),
	segment: one(...SEGMENTS),
};

const located = (value: string) => ({ __rl: true, mode: 'id', value });
const person = { resource: 'person', personId: located('={{ $json.id }}') };
const byEmail = { resource: 'person', personId: located('={{ $json.email }}') };
const task = { resource: 'task', taskId: located('={{ $json.task }}') };
const knownTask = { ...task, taskId: located(TASKS[0]) };
const contacts = {
	emailAddresses: ['={{ $json.email }}'],
	phoneNumbers: [{ phoneNumber: '={{ $json.phone }}', phoneType: 'work' }],
	networkId: '={{ $json.network }}',
	jobTitle: '={{ $json.jobTitle }}',
	tags: '={{ $json.tags }}',
	archivedAt: '={{ $json.archivedAt }}',
	address: { city: '={{ $json.city }}', country: '={{ $json.country }}' },
};
const upsert = {
	...{ resource: 'person', operation: 'upsert', matchValue: '={{ $json.find }}' },
	...{ familyName: '={{ $json.familyName }}', additionalFields: contacts },
};
const CONTACTS: Cell[] = [
	...(['email', 'phone', 'network', 'jobTitle', 'tags', 'archivedAt', 'city'] as const),
	'country',
];

interface Setup {
	parameters: Record<string, unknown>;
	/** Cells that every row has. The cells in `may` are only in some rows. */
	needs: Cell[];
	may: Cell[];
}

const columns = (...matchingColumns: string[]) => ({
	...{ inputMode: 'columns' },
	columns: { mappingMode: 'defineBelow', matchingColumns, value: MAPPED, schema: [] },
});
const MAPPED = {
	email: '={{ $json.email }}',
	mobile: '={{ $json.phone }}',
	networkId: '={{ $json.network }}',
	familyName: '={{ $json.familyName }}',
	jobTitle: '={{ $json.jobTitle }}',
	tags: '={{ $json.tags }}',
};

/** Expression for the parameter Output Item: turns a row into the output of an update of the job title and the tags. */
const RESULT_OF_A_RUN = `={{ {
	id: $json.id,
	result: 'updated',
	changes: {
		jobTitle: { from: 'Clerk', to: $json.jobTitle },
		tags: { added: $json.tags.split(', ').map((id) => '/tags/' + id), removed: [] },
	},
} }}`;

/** Operations that write, with the cells of their rows. */
export const OPERATIONS = {
	'person upsert by e-mail': {
		parameters: { ...upsert, email: '={{ $json.address }}' },
		needs: ['address', 'familyName'],
		may: CONTACTS,
	},
	'person upsert by identifier': {
		parameters: { ...upsert, options: { matchBy: 'identifier' } },
		needs: ['find'],
		may: ['familyName', ...CONTACTS],
	},
	'person upsert replacing lists': {
		parameters: {
			...upsert,
			options: {
				matchBy: 'identifier',
				replaceLists: ['emailAddresses', 'phoneNumbers', 'tags'],
			},
		},
		needs: ['find', 'familyName'],
		may: CONTACTS,
	},
	'person upsert from columns': {
		parameters: { resource: 'person', operation: 'upsert', ...columns('email') },
		needs: ['email'],
		may: ['familyName', 'phone', 'network', 'jobTitle', 'tags'],
	},
	'person update from columns': {
		parameters: { ...person, operation: 'update', ...columns() },
		needs: ['id'],
		may: ['email', 'phone', 'jobTitle', 'tags'],
	},
	'person update by e-mail': {
		parameters: {
			...{ ...byEmail, operation: 'update' },
			updateFields: { emailAddresses: ['={{ $json.email }}', '={{ $json.find }}'] },
		},
		needs: ['email'],
		may: ['find'],
	},
	'person update': {
		parameters: { ...person, operation: 'update', updateFields: contacts },
		needs: ['id'],
		may: CONTACTS,
	},
	'person create': {
		parameters: {
			...{ resource: 'person', operation: 'create', familyName: '={{ $json.familyName }}' },
			additionalFields: contacts,
		},
		needs: [],
		may: ['familyName', ...CONTACTS],
	},
	'person replace': {
		parameters: {
			...{ ...person, operation: 'replace', familyName: '={{ $json.familyName }}' },
			additionalFields: contacts,
		},
		needs: ['id', 'familyName'],
		may: CONTACTS,
	},
	'person archive': {
		parameters: { ...person, operation: 'archive', archivedAt: '={{ $json.archivedAt }}' },
		needs: ['id', 'archivedAt'],
		may: [],
	},
	'person addTags': {
		parameters: { ...person, operation: 'addTags', tags: '={{ $json.tags }}' },
		needs: ['id'],
		may: ['tags'],
	},
	'person removeTags by e-mail': {
		parameters: { ...byEmail, operation: 'removeTags', tags: '={{ $json.tags }}' },
		needs: ['email', 'tags'],
		may: [],
	},
	'person addEmailAddress': {
		parameters: { ...person, operation: 'addEmailAddress', email: '={{ $json.email }}' },
		needs: ['id'],
		may: ['email'],
	},
	'person addPhoneNumber': {
		parameters: {
			...{ ...person, operation: 'addPhoneNumber' },
			...{ phoneNumber: '={{ $json.phone }}', phoneType: 'work' },
		},
		needs: ['id', 'phone'],
		may: [],
	},
	'person undo': {
		parameters: { resource: 'person', operation: 'undo', outputItem: RESULT_OF_A_RUN },
		needs: ['id', 'jobTitle', 'tags'],
		may: [],
	},
	'task move': {
		parameters: { ...task, operation: 'move', status: located('={{ $json.column }}') },
		needs: ['task'],
		may: ['column'],
	},
	'task complete': { parameters: { ...task, operation: 'complete' }, needs: ['task'], may: [] },
	'task duplicate': {
		parameters: {
			...knownTask,
			operation: 'duplicate',
			additionalFields: { title: '={{ $json.comment }}' },
		},
		needs: [],
		may: ['comment'],
	},
	'task export': { parameters: { ...knownTask, operation: 'export' }, needs: [], may: [] },
	'comment create': {
		parameters: {
			...{ ...knownTask, resource: 'comment', operation: 'create' },
			description: '={{ $json.comment }}',
		},
		needs: [],
		may: ['comment'],
	},
	'segment update': {
		parameters: {
			...{ resource: 'segment', operation: 'update', segmentId: located('={{ $json.segment }}') },
			updateFields: { title: '={{ $json.familyName }}', icon: '={{ $json.jobTitle }}' },
		},
		needs: ['segment'],
		may: ['familyName', 'jobTitle'],
	},
} satisfies Record<string, Setup>;

type Name = keyof typeof OPERATIONS;

/** Returns whether several rows of an operation may mean one person. Such operations are drawn more often. */
const isOfMeetings = (name: string) => name.includes('upsert') || name.includes('by e-mail');

const characters = someCharacters(PEOPLE.length, EMAILS.slice(0, 4), PHONES.slice(0, 2));

const drawnOf = (operation: Name): fc.Arbitrary<Drawn> => {
	const { needs, may }: { needs: Cell[]; may: Cell[] } = OPERATIONS[operation];
	const of = (cells: Cell[]) => Object.fromEntries(cells.map((cell) => [cell, CELLS[cell]]));
	const row = fc.subarray(may).chain((some) => fc.record(of([...needs, ...some]) as never));
	const isUpsert = operation.includes('upsert');
	return fc.record<Drawn>({
		operation: fc.constant(operation),
		// Sometimes more rows than the 30 that one request can look up.
		rows: one([1, 6], [1, 6], [5, 15], [31, 45]).chain(([minLength, maxLength]) =>
			fc.array(row as fc.Arbitrary<Row>, { minLength, maxLength }),
		),
		characters,
		others: one(0, 0, 3, 40),
		options: isUpsert ? one({}, {}, { lookUp: 'each' }) : one({}, { tellChanges: true }),
		onError: one('stopWorkflow', 'continueErrorOutput', 'continueRegularOutput'),
		retryOnFail: one(false, false, true),
		switches: fc.record({
			comparison: one('forgiving', 'exact', 'partial'),
			severalValues: one('any', 'any', 'any', 'all', 'refused'),
			references: one('iris', 'embedded'),
			omitNulls: fc.boolean(),
		}) as fc.Arbitrary<SwitchChanges>,
	});
};

/** Returns any operation that writes, or one by its name. */
export function anyDrawn(only?: string): fc.Arbitrary<Drawn> {
	const names = (Object.keys(OPERATIONS) as Name[]).filter((name) => !only || name === only);
	return fc.oneof(
		...names.map((name) => ({ weight: isOfMeetings(name) ? 4 : 1, arbitrary: drawnOf(name) })),
	);
}
