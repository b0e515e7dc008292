import type { IDataObject } from 'n8n-workflow';
import { isNotFound } from '../../http/errors';
import type { Match, MatchBy } from '../../people/find';
import { isMatch, MATCH_LABELS, readPerson, withMatch } from '../../people/find';
import type { Found } from '../../people/lookups';
import { bodyOf } from '../../run/body';
import { existingMatch } from '../../run/existing';
import { type Item, paginatorOf } from '../../run/item';
import { type Cell, cellLabel } from '../../run/cells';
import { mappedCells } from '../../run/given';
import { changesBy, changesTo, type ListModes } from '../../run/merge';
import { fieldNamesIn, Written } from '../../run/output';
import type { Source } from '../../run/labels';
import { specifyBody } from '../../run/specification';
import { createRecord, writeRecord } from '../../run/record';
import { labelOf } from '../../schema/label';
import { MATCHING_COLUMNS } from '../../schema/person';
import type { Client } from '../../tenant/client';
import { newRecord } from '../../tenant/preview';
import { shownId } from '../../tenant/records';
import { asExplained, ExplainedError, noneIf, rethrow, UnusableParameter } from '../../util/errors';
import { personRecord } from './record';
import { keysOf } from '../../util/person';
import { isEmail, isMeantAsEmail } from '../../values/email';
import { identifierKey } from '../../values/identifier';
import { isObject, listOf } from '../../values/json';
import { contactsIn } from '../../values/list';
import { isExact } from '../../values/number';
import { isNumberWithWords, isPhoneNumber } from '../../values/phone';
import { isPlaceholder } from '../../values/placeholder';
import { comparableId } from '../../values/reference';
import { cleanContact, isBlank, quoted, textIn } from '../../values/text';

const personBody = specifyBody(personRecord, 'create', { required: [] });

interface WantedPerson extends Match {
	body: IDataObject;
	modes: ListModes;
}

/**
 * Finds a person by e-mail address or identifier, and updates or creates the person. An update writes only the fields
 * that differ. It adds to lists such as tags, unless the user chose to replace them.
 */
export const runUpsert = paginatorOf({ record: personRecord, isRepeatable: true, run: upsertItem });

async function upsertItem(item: Item): Promise<Written[]> {
	const { matchBy, value, label } = matchOf(item);
	const isMatched = (entry: Record<string, unknown>) =>
		isMatch({ emailAddresses: [entry], phoneNumbers: [entry] } as IDataObject, matchBy, value);
	const modes = { replaced: fieldNamesIn(item.options.replaceLists), isMatched };
	const existing = existingMatch(item, { matchBy, value });
	const wanted = { matchBy, value, body: await bodyOf(item, personBody, { existing }), modes };
	refuseOtherNetworkId(wanted, label);
	const { sources } = item;
	item.sources = () => [...sources(), ...matchSources(wanted, label)];
	const lookup = item.options.lookUp === 'each' ? wanted : item.looksFor({ matchBy, value });

	const client = await item.begin();
	const work = async () => [await createOrUpdate(item, client, wanted, lookup)];
	return await item.lock(
		client,
		`person by ${identifierKey(value)}`,
		work,
		`person with ${quoted(value)}`,
	);
}

/**
 * Refuses a network ID to write that differs from the one to look for. Nobody would then have the value to look for, so
 * each run would create the person again.
 *
 * @throws UnusableParameter
 */
function refuseOtherNetworkId({ matchBy, value, body }: WantedPerson, label: string): void {
	const { networkId } = withMatch({}, matchBy, value);
	if (isBlank(networkId) || isBlank(body.networkId)) return;
	if (isMatch({ networkId: body.networkId }, matchBy, value)) return;
	throw new UnusableParameter(
		`${labelOf('networkId')}: ${quoted(body.networkId)} differs from ${label}, ${quoted(value)}`,
		'Give the same value in both, because the next run looks for the person by it. Or leave Network ID out',
	);
}

/** Texts too short to identify a person: up to four digits, or the letter x. */
const TOO_SHORT = /^(?:x+|\d{1,4})$/i;

/** Value for finding a person, as the user gave it. The node has not checked the value yet. */
interface GivenMatch {
	matchBy: MatchBy;
	value: unknown;
	/** Label of the parameter or column with the value. */
	label: string;
	/** Whether the value has to be a phone number. */
	isPhone?: boolean;
}

/**
 * Reads the value for finding a person, from the parameter or from a column.
 *
 * @throws UnusableParameter if no person can have the value
 */
function matchOf(item: Item): Match & { label: string } {
	const { matchBy, value, label, isPhone } = item.isMapped
		? columnToMatch(item)
		: valueToFind(item);
	const noun = MATCH_LABELS[matchBy];
	if (isBlank(value) || (typeof value !== 'string' && typeof value !== 'number')) {
		throw new UnusableParameter(
			`${label} is empty`,
			item.headings
				? 'Fill in the column, or choose another one under Column to Match On. Preview Only lists the columns that are not taken'
				: `Give the ${noun} to look for. If it is an expression, it gave nothing for this item`,
			label,
		);
	}
	const text = String(value);
	const assert = (isUsable: boolean, expected: string, advice: string, shown: unknown = text) => {
		if (isUsable) return;
		const message = `${label}: expected ${expected}, got ${quoted(shown)}`;
		throw new UnusableParameter(message, advice, label);
	};
	assert(
		typeof value === 'string' || isExact(value),
		`an ${noun}`,
		'Correct the expression; give a number of more than 15 digits as text',
		value,
	);
	const clean = cleanContact(text);
	assert(
		!isPlaceholder(text) && !TOO_SHORT.test(clean),
		`an ${noun}`,
		'Rows with a placeholder would all become one person. Correct the value, or leave out such rows',
	);
	const isIdentifier = matchBy === 'identifier';
	assert(
		isEmail(clean) || (isIdentifier && !isMeantAsEmail(clean)),
		'an e-mail address',
		'Correct the address. For people without an address, choose another identifier: see Find By under Options, or Column to Match On',
	);
	assert(
		isPhone ? isPhoneNumber(clean) : !isIdentifier || !isNumberWithWords(text),
		'a phone number, an e-mail address or an identifier without spaces',
		'Leave out what does not belong to the number',
	);
	return { matchBy, value: clean, label };
}

function valueToFind({ context, options }: Item): GivenMatch {
	const matchBy = (options.matchBy ?? 'email') as MatchBy;
	if (!Object.hasOwn(MATCH_LABELS, matchBy)) {
		throw new UnusableParameter(
			`Find By: expected email or identifier, got ${quoted(matchBy)}`,
			'Choose from the list',
		);
	}
	const name = matchBy === 'email' ? 'email' : 'matchValue';
	const value: unknown = context.getNodeParameter(name, '');
	return { matchBy, value, label: labelOf(matchBy) };
}

/** Reads the column that the user matches on. The default is the column of e-mail addresses. */
function columnToMatch(item: Item): GivenMatch {
	const { matchingColumns } = item.context.getNodeParameter('columns', {}) as {
		matchingColumns?: string[] | null;
	};
	const [chosen = 'email'] = matchingColumns ?? [];
	const column = personBody.columns.find(({ name }) => name === chosen);
	if (!column || !MATCHING_COLUMNS.includes(chosen)) {
		throw new UnusableParameter(
			`Column to Match On: expected one of ${MATCHING_COLUMNS.join(', ')}, got ${quoted(chosen)}`,
			'Choose from the list. People are found by these columns alone',
		);
	}
	const cells = mappedCells(item, personBody);
	const cell =
		cells.find((one) => one.column.name === chosen) ??
		(chosen === 'email' ? firstOfList(cells) : undefined);
	const headings = Object.keys(item.context.getInputData().json);
	// A message names the heading of a column even if the cell is blank. `take` skips blank values, so each heading
	// stands in for its value.
	const taken = item.headings?.take(headings, (heading) => heading) ?? [];
	const header = taken.find((one) => one.column.name === chosen)?.best[0];
	return {
		matchBy: column.field === 'emailAddresses' ? 'email' : 'identifier',
		value: cell?.value,
		label: cellLabel(cell ?? { column, header }),
		isPhone: column.field === 'phoneNumbers',
	};
}

/** Returns the cell with a list of e-mail addresses, reduced to the first. Selected Fields outputs such cells. */
function firstOfList(cells: readonly Cell[]): Cell | undefined {
	const list = cells.find(({ column }) => column.name === 'emailAddresses');
	const [first = list?.value] = listOf(list?.value) ?? [];
	const [value] = contactsIn(textIn(isObject(first) ? first.email : first));
	return list && value ? { ...list, value } : undefined;
}

/** Returns the sources of the fields that a new person gets from the match, so that messages can name the parameter. */
function matchSources({ matchBy, value, body }: WantedPerson, label: string): Source[] {
	return Object.entries(withMatch({}, matchBy, value)).flatMap(([field, given]): Source[] => {
		const entries = listOf(given);
		if (!entries) return isBlank(body[field]) ? [{ field, label, gave: 'field' }] : [];
		const [part] = Object.keys(entries[0] as object);
		return [{ field, label, part, value, gave: 'part' }];
	});
}

async function createOrUpdate(
	item: Item,
	client: Client,
	wanted: WantedPerson,
	lookup: Match,
): Promise<Written> {
	const { lookups } = item.run;
	// Many items share the first lookup, so another program may have removed the person since. The second lookup is for
	// this item alone.
	for (const match of [lookup, wanted]) {
		const found = await lookups.find(client, match);
		const written = found.person
			? await updatePerson(item, client, wanted, { ...found, person: found.person })
			: await createPerson(item, client, wanted);
		if (written) return written;
	}
	throw new ExplainedError(
		`The person with the ${MATCH_LABELS[wanted.matchBy]} ${quoted(wanted.value)} is found, but cannot be read or changed`,
		'Nothing was written. Look for the person in the CRM, and update it by ID',
	);
}

async function createPerson(item: Item, client: Client, wanted: WantedPerson): Promise<Written> {
	const { matchBy, value, body } = wanted;
	const { run } = item;
	if (isBlank(body.familyName)) {
		throw new UnusableParameter(
			`${labelOf('familyName')} is empty, and nobody has the ${MATCH_LABELS[matchBy]} ${quoted(value)}`,
			'A new person needs a family name. Give one, or leave out rows of people who do not exist yet',
		);
	}
	run.lookups.noteWrite();
	const { collection: path } = personRecord;
	const created = await createRecord(client, personRecord, { path }, newPerson(wanted)).catch(
		async (error: unknown) => {
			if (asExplained(error).mayHaveTakenEffect) run.uncertainCreates.add(identifierKey(value));
			return rethrow(error);
		},
	);
	run.uncertainCreates.delete(identifierKey(value));
	return created;
}

function newPerson({ matchBy, value, body }: WantedPerson): IDataObject {
	return withMatch(body, matchBy, value);
}

/**
 * Updates the person that a lookup found. If this run created the person but lost the answer, the result is "created".
 *
 * @returns undefined if the person does not exist any more
 */
async function updatePerson(
	item: Item,
	client: Client,
	wanted: WantedPerson,
	{ person, mark, note }: Found & { person: IDataObject },
): Promise<Written | undefined> {
	const id = shownId(person, personRecord)!;
	const { noun } = personRecord;
	const { writes } = client.tenant;
	return await item.lock(client, `person ${comparableId(id)}`, async () => {
		const isOld = writes.isWrittenSince(noun, id, mark);
		const current = isOld ? await readPerson(client, id) : person;
		if (!current) return undefined;
		const sent = changesTo(personRecord, current, wanted.body, wanted.modes);
		if (Object.keys(sent).length > 0) {
			item.run.lookups.noteWrite();
			// Later items of the run may find this person by any of these values.
			writes.note(noun, id, [identifierKey(wanted.value), ...keysOf(wanted.body)]);
		}
		const located = { path: `${personRecord.collection}/${id}`, id };
		const writing = { located, sent, current };
		const written = await writeRecord(client, personRecord, writing).catch(noneIf(isNotFound));
		if (!written) return undefined;
		const said = note === undefined ? written : written.noted([note]);
		if (!item.run.uncertainCreates.delete(identifierKey(wanted.value))) return said;
		const changes = changesBy(personRecord, newRecord(personRecord), newPerson(wanted));
		return new Written('created', said.record, { ...said.details, changes });
	});
}
