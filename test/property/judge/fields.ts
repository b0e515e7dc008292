import {
	asReplaced,
	isBlank,
	entryForm,
	readBoolean,
	readContacts,
	readDate,
	readInteger,
	readReference,
	readReferenceList,
	readText,
	type Reading,
	type Referable,
} from './readings';

export type FieldKind =
	| 'text'
	| 'integer'
	| 'estimation'
	| 'boolean'
	| 'date'
	| 'user'
	| 'users'
	| 'tags'
	| 'segments'
	| 'column'
	| 'emails'
	| 'phones'
	/** Yes, no or any; only for filters. */
	| 'whether'
	/** Open, completed or any; only for tasks. */
	| 'state';

const NEW_TASK: Record<string, FieldKind> = {
	dueDate: 'date',
	isFlagged: 'boolean',
	storyPointEstimation: 'estimation',
	assignees: 'users',
};

/** Fields that rows may fill, by their names in the interface. Parts of an address have a dot. */
export const FIELDS: Record<string, Record<string, FieldKind>> = {
	person: {
		jobTitle: 'text',
		givenName: 'text',
		customerId: 'text',
		dealSize: 'integer',
		isTracked: 'boolean',
		owner: 'user',
		tags: 'tags',
		segments: 'segments',
		emailAddresses: 'emails',
		phoneNumbers: 'phones',
		'address.city': 'text',
		'address.country': 'text',
		archivedAt: 'date',
	},
	'new task': NEW_TASK,
	task: { ...NEW_TASK, completedAt: 'date' },
	segment: { sequence: 'integer' },
	comment: { flagged: 'boolean', mentions: 'users' },
};

type Referables = Record<string, Referable>;

const isWhatever = (given: unknown) => String(given).trim().toLowerCase() === 'any';

/** Reads a value of the filter Open or Completed. `fits` takes whether a task is completed. */
function readState(given: unknown): Reading {
	if (isBlank(given)) return { is: 'blank' };
	if (isWhatever(given)) return { is: 'value', fits: () => true };
	const state = String(given).trim().toLowerCase();
	if (state !== 'open' && state !== 'completed') return { is: 'refused' };
	return {
		is: typeof given === 'string' ? 'value' : 'open',
		fits: (isCompleted) => isCompleted === (state === 'completed'),
	};
}

/** Reads an estimation. The interface shows no type, so numeric text may mean a number. */
function readEstimation(given: unknown): Reading {
	const reading = readInteger(given);
	if (reading.is !== 'refused' || typeof given === 'object') return reading;
	if (typeof given === 'number' && !(Math.abs(given) <= Number.MAX_SAFE_INTEGER)) return reading;
	const meant = Number.isNaN(Number(given)) ? given : Number(given);
	return { is: 'open', fits: (after) => after === meant };
}

/** Reads a calendar day. A day has no time, so it may mean midnight in the zone of the workflow or of the service. */
function readDay(given: unknown): Reading {
	const reading = readDate(given);
	if (reading.is !== 'value' || !/^\s*\d{4}-\d{2}-\d{2}\s*$/.test(String(given))) return reading;
	const day = String(given).trim();
	const isDay = (after: unknown) => String(after).startsWith(day) || reading.fits(after);
	return { is: 'value', fits: isDay };
}

const contactsOf = (record: unknown) =>
	(record as Array<{ email?: string; phoneNumber?: string }>).map(
		({ email, phoneNumber }) => email ?? phoneNumber ?? '',
	);

function readContactList(given: unknown, kind: 'email' | 'phone'): Reading {
	const reading = readContacts(Array.isArray(given) ? given : [given], kind);
	if (!('contacts' in reading)) return { is: reading.is };
	const wanted = JSON.stringify([...new Set(reading.contacts.map(entryForm))].sort());
	const fits = (after: unknown) =>
		JSON.stringify([...new Set(contactsOf(after).map(entryForm))].sort()) === wanted;
	return { is: reading.is, fits };
}

/** Returns a reading: the values that a field may have after a row has set the field as a whole. */
export function readField(kind: FieldKind, given: unknown, known: Referables): Reading {
	switch (kind) {
		case 'text':
			return readText(given);
		case 'integer':
			return readInteger(given);
		case 'estimation':
			return readEstimation(given);
		case 'boolean':
			return readBoolean(given);
		case 'date':
			return readDay(given);
		case 'user':
			return readReference(given, known.users);
		case 'column':
			return readReference(given, known.columns);
		case 'emails':
			return readContactList(given, 'email');
		case 'phones':
			return readContactList(given, 'phone');
		case 'whether':
			return isWhatever(given) ? { is: 'value', fits: () => true } : readBoolean(given);
		case 'state':
			return readState(given);
		default:
			return asReplaced(readReferenceList(given, known[kind]));
	}
}

/** Returns the entries that a given value adds to a list, in normal form. Returns undefined if the field is no list. */
export function readAdditions(kind: FieldKind, given: unknown, known: Referables) {
	if (kind === 'tags' || kind === 'segments') {
		const reading = readReferenceList(given, known[kind]);
		return 'iris' in reading ? reading.iris : [];
	}
	if (kind !== 'emails' && kind !== 'phones') return undefined;
	const given_ = Array.isArray(given) ? given : [given];
	if (given_.every(isBlank)) return [];
	const reading = readContacts(given_, kind === 'emails' ? 'email' : 'phone');
	return 'contacts' in reading ? reading.contacts.map(entryForm) : [];
}

/**
 * Returns a reading that also fits if the node left out taken addresses. An address is taken if another active person
 * has it. If all given addresses are taken, the list must stay as before.
 *
 * @param taken addresses in their normal form
 */
export function withoutTaken(
	reading: Reading,
	given: unknown,
	{ taken, before }: { taken: Set<string>; before: unknown },
): Reading {
	const additions = readAdditions('emails', given, {}) ?? [];
	if (!('fits' in reading) || !additions.some((entry) => taken.has(entry))) return reading;
	const must = additions.filter((entry) => !taken.has(entry));
	const may = must.length > 0 ? additions : entriesOf('emails', before);
	const fits = (after: unknown) => {
		const has = entriesOf('emails', after);
		return must.every((entry) => has.includes(entry)) && has.every((entry) => may.includes(entry));
	};
	return { is: reading.is, fits: (after) => reading.fits(after) || fits(after) };
}

/** Returns the entries of a list in a form to compare: contacts in normal form, IRIs unchanged. */
export function entriesOf(kind: FieldKind, list: unknown): string[] {
	if (kind === 'emails' || kind === 'phones') return contactsOf(list).map(entryForm);
	return list as string[];
}
