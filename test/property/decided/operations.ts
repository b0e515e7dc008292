import type { IDataObject } from 'n8n-workflow';
import { emailOf, ENTRIES } from '../overlaps/company';
import { extraEmailOf, type List, numberOf } from './world';

export interface Row {
	/** Number of the person. */
	who: number;
	/** Way to name the person. */
	by: 'id' | 'email' | 'EMAIL';
	/** Number of the tag, segment, number or further address. */
	entry: number;
}

export interface Run {
	operation: string;
	rows: Row[];
	lookUp: 'together' | 'each';
	tellChanges: boolean;
	startsAtMs: number;
}

/** What an item asks for. Entries of lists are in the form of `keyOf`. */
export interface Given {
	/** Fields that are no lists. */
	fields?: Record<string, unknown>;
	added?: Partial<Record<List, string[]>>;
	removed?: Partial<Record<List, string[]>>;
	/** Whether the item replaces the lists in `added`. */
	isWhole?: boolean;
}

/** Stands for any time in `Given`. */
export const ANY_TIME = Symbol('any time');

/** An operation: its parameters, and a function that returns what an item asks for. */
interface Operation {
	parameters: object;
	given: (own: IDataObject & { tag: string }) => Given;
}

const located = { __rl: true, mode: 'id', value: '={{ $json.who }}' };
const ofPerson = (operation: string, more: object = {}) => ({
	...{ resource: 'person', operation, personId: located },
	...more,
});
const upsert = (additionalFields: object, more: object = {}) => ({
	...{ resource: 'person', operation: 'upsert', email: '={{ $json.who }}', familyName: 'Vos' },
	...{ additionalFields, ...more },
});
const tags = '={{ [$json.tag] }}';
const segments = '={{ [$json.segment] }}';
const jobTitle = '={{ $json.job }}';
const familyName = 'Vos';
const changeOf = (
	operation: string,
	parameters: object,
	given: Operation['given'],
): Record<string, Operation> => ({
	[operation]: { parameters: ofPerson(operation, parameters), given },
});

/** The operations, by names of this test. */
export const OPERATIONS: Record<string, Operation> = {
	upsert: {
		parameters: upsert({ jobTitle }),
		given: ({ job }) => ({ fields: { familyName, jobTitle: job } }),
	},
	upsertLists: {
		parameters: upsert({ jobTitle, tags, segments }, { phone: '={{ $json.phone }}' }),
		given: ({ job, tag, segment, phone }) => ({
			fields: { familyName, jobTitle: job },
			added: { tags: [tag], segments: [String(segment)], phoneNumbers: [String(phone)] },
		}),
	},
	...changeOf('update', { updateFields: { jobTitle } }, ({ job }) => ({
		fields: { jobTitle: job },
	})),
	updateTags: {
		parameters: ofPerson('update', { updateFields: { tags } }),
		given: ({ tag }) => ({ added: { tags: [tag] }, isWhole: true }),
	},
	updateColumns: {
		parameters: ofPerson('update', {
			inputMode: 'columns',
			columns: {
				...{ mappingMode: 'defineBelow', matchingColumns: [] },
				value: { jobTitle, tags: '={{ $json.tag }}' },
				schema: ['jobTitle', 'tags'].map((id) => ({
					...{ id, displayName: id, type: 'string', display: true },
				})),
			},
		}),
		given: ({ job, tag }) => ({ fields: { jobTitle: job }, added: { tags: [tag] } }),
	},
	...changeOf('replace', { familyName: jobTitle }, ({ job }) => ({
		fields: { familyName: job },
		isWhole: true,
	})),
	...changeOf('archive', {}, () => ({ fields: { archivedAt: ANY_TIME } })),
	...changeOf('unarchive', {}, () => ({ fields: { archivedAt: null } })),
	...changeOf('addTags', { tags }, ({ tag }) => ({ added: { tags: [tag] } })),
	...changeOf('removeTags', { tags }, ({ tag }) => ({ removed: { tags: [tag] } })),
	...changeOf('addToSegments', { segments }, ({ segment }) => ({
		added: { segments: [String(segment)] },
	})),
	...changeOf('removeFromSegments', { segments }, ({ segment }) => ({
		removed: { segments: [String(segment)] },
	})),
	...changeOf('addEmailAddress', { email: '={{ $json.extra }}' }, ({ extra }) => ({
		added: { emailAddresses: [String(extra)] },
	})),
	...changeOf('addPhoneNumber', { phoneNumber: '={{ $json.phone }}' }, ({ phone }) => ({
		added: { phoneNumbers: [String(phone)] },
	})),
};

/** Returns the input of an item. `id` gives the ID of a person. */
export function inputOf(
	{ rows }: Run,
	{ run, item }: { run: number; item: number },
	id: (who: number) => string,
): IDataObject & { tag: string } {
	const { who, by, entry } = rows[item];
	const email = emailOf(who);
	const named = { id: () => id(who), email: () => email, EMAIL: () => email.toUpperCase() };
	return {
		who: named[by](),
		job: `run ${run} item ${item}`,
		tag: ENTRIES.tags[entry],
		segment: ENTRIES.segments[entry],
		extra: extraEmailOf(entry, who),
		phone: numberOf(entry),
	};
}

/** Returns the address that an item looks up, if it looks one up. */
export function lookedUp({ who, by }: Row): string | undefined {
	return by === 'id' ? undefined : emailOf(who);
}
