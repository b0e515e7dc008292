import { attempt, isEmpty } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { isNotFound } from '../../util/failures';
import { isMatch, type Match, MATCH_LABELS, withMatch } from '../../lookup/find';
import { OLDEST_LOOKUP_MS } from '../../lookup/batches';
import type { PossibleOwners } from '../../lookup/lookups';
import { personMeant, type Wanted, withoutOthersAddresses } from '../../lookup/meant';
import { bodyOf } from '../../input/body';
import { emptinessIn } from '../../input/given';
import { existingMatch } from '../../input/existing';
import { columnToMatch, matchOf, refuseOtherNetworkId, valueToFind } from '../../input/matchToFind';
import type { Item } from '../../run/item';
import { paginatorOf } from '../../run/paginator';
import { bodyForExisting, nameToCompare, noteOfWholeName } from '../../tables/nameCells';
import { change } from '../../writes/change';
import { changesBy, changesTo, differing, type ListModes } from '../../writes/merge';
import { asExplained, Mistakes, rethrow, UnusableParameter } from '../../util/errors';
import { labelFromSources, type Source } from '../../input/labels';
import { specifyBody } from '../../input/specification';
import { addressesToLookUp, createRecord, createInTime } from '../../run/record';
import { labelOf } from '../../schema/label';
import type { Client } from '../../crm/client';
import { newRecord } from '../../schema/effect';
import { personRecord } from './record';
import { keysOf } from '../../values/person';
import { identifierKey, isSameIdentifier } from '../../values/identifier';
import { listOf } from '../../values/json';
import { fieldNamesIn } from '../../values/list';
import { isBlank, quoted } from '../../values/text';
import { Written } from '../../crm/records';

const personBody = specifyBody(personRecord, 'create', { required: [] });

interface WantedPerson extends Wanted {
	modes: ListModes;
}

/**
 * Operation Create or Update: finds a person by e-mail address or identifier, and updates the person. Creates the person
 * if nobody is found. An update writes only the fields that differ. The update adds to lists such as tags, unless the
 * user chose to replace them.
 */
export const runUpsert = paginatorOf({
	record: personRecord,
	body: personBody,
	isRepeatable: true,
	run: upsertItem,
});

async function upsertItem(item: Item): Promise<Written[]> {
	const mistakes = new Mistakes();
	const sought = item.isMapped ? columnToMatch(item, personBody) : valueToFind(item);
	const given = mistakes.tried(() => matchOf(item, sought));
	const existing = given && existingMatch(item, given);
	const body = await bodyOf(item, personBody, { existing, mistakes });
	const { matchBy, value, label } = given!;
	const isMatched = (entry: Record<string, unknown>) =>
		isMatch({ emailAddresses: [entry], phoneNumbers: [entry] } as IDataObject, matchBy, value);
	const modes = { replaced: fieldNamesIn(item.options.replaceLists), isMatched };
	const others = addressesToLookUp(item, body).filter((email) => !isSameIdentifier(email, value));
	const [first, ...further] = [value, ...others].map((one): Match => {
		const match = { matchBy, value: one };
		return item.options.lookUp === 'each' ? match : item.looksFor(match);
	});
	const mayDiffer = item.options.whenNameDiffers === 'update';
	const named = nameToCompare(item.row.cells, body);
	const wanted: WantedPerson = { matches: [first!, ...further], body, named, modes, mayDiffer };
	refuseOtherNetworkId(given!, body);

	item.expectsChange(first!, (person) => changesList(person, wanted));
	const client = (await item.begin()).labelledBy((path, sent) =>
		labelFromSources(path, sent, [...item.sources, ...matchSources(wanted, label)]),
	);
	return [await createOrUpdate(item, client, wanted)];
}

/** Returns whether an update would change one of the person's lists, such as tags. */
function changesList(person: IDataObject, { body, modes }: WantedPerson): boolean {
	const sent: unknown = attempt(changesTo, personRecord, person, body, modes);
	return Object.keys(sent as object).some((name) => personRecord.fields[name]?.isList);
}

/**
 * Returns a `Source` for each field that a new person gets from the value of the lookup. Messages about such a field
 * then name the parameter or column with this value.
 */
function matchSources({ matches, body }: WantedPerson, label: string): Source[] {
	const [{ matchBy, value }] = matches;
	return Object.entries(withMatch({}, matchBy, value)).flatMap(([field, given]): Source[] => {
		const entries = listOf(given);
		if (!entries) return isBlank(body[field]) ? [{ field, label, gave: 'field' }] : [];
		const [part] = Object.keys(entries[0] as object);
		return [{ field, label, part, value, gave: 'part' }];
	});
}

const NOBODY: PossibleOwners = { reads: [], people: [], at: Infinity };

async function createOrUpdate(item: Item, client: Client, wanted: WantedPerson): Promise<Written> {
	const { lookups, uncertainCreates } = item.run;
	const { matches, modes } = wanted;
	const key = identifierKey(matches[0].value);
	let lookedUp: PossibleOwners = NOBODY;
	const leaveOut = (body: IDataObject, own?: IDataObject) =>
		withoutOthersAddresses(body, own, lookedUp.people);
	const update = async (isAgain: boolean) =>
		await change(client, personRecord, {
			find: async (isFresh) => {
				lookedUp = await lookups.people(client, matches, isFresh || isAgain);
				const { person, notes } = personMeant(wanted, lookedUp.people);
				const read = lookedUp.reads.find(({ record }) => record === person);
				if (!read) return undefined;
				const { id } = read;
				return { path: `${personRecord.collection}/${id}`, id, read, notes };
			},
			decide: (current) => {
				const own = bodyForExisting(item.row.cells, wanted.body, current!);
				const decided = leaveOut(changesTo(personRecord, current!, own.body, modes), current);
				return { body: decided.body, notes: [...own.notes, ...decided.notes] };
			},
			addsTo: (list) => !modes.replaced.includes(list),
			approval: item.approval,
			validMs: OLDEST_LOOKUP_MS,
			beforeSending: ({ id = '' }, body) => {
				lookups.batches.noteWrite();
				// Later items, also of other runs, may look up one of these values. The write log then tells them of this person,
				// whom the search of the service may not yet show.
				client.tenant.writes.add(personRecord.noun, id, [key, ...keysOf(body)]);
			},
		});
	return await createInTime(async ({ isAgain, validMs }) => {
		// If another program has removed the person since the lookup, `update` looks the value up again.
		const written = await update(isAgain).catch(async (error: unknown) =>
			isNotFound(error) ? await update(true) : rethrow(error),
		);
		if (written) {
			const hadUncertainCreate = uncertainCreates.delete(key);
			return hadUncertainCreate ? resultOfUncertainCreate(written, wanted) : written;
		}
		const { body, notes } = leaveOut(newPerson(wanted));
		const created = await createPerson(item, client, { ...wanted, body }, lookedUp.at + validMs);
		return created.noted([...noteOfWholeName(item.row.cells), ...notes]);
	});
}

/**
 * Returns the result of an update, if an earlier create with the same value had no clear answer. If the person shows all
 * values that the create sent, the result is "created". Otherwise another program may have created the person, and a
 * note says so.
 */
function resultOfUncertainCreate(written: Written, wanted: WantedPerson): Written {
	const sent = newPerson(wanted);
	const { before = {} } = written.details;
	const shown = isEmpty(before) ? written.record : before;
	const otherValues = differing(personRecord, shown, sent);
	if (isEmpty(otherValues)) {
		const changes = changesBy(personRecord, newRecord(personRecord), sent);
		return new Written('created', written.record, { ...written.details, changes });
	}
	return written.noted([
		'An earlier try to create this person had no clear answer. Another program may have created the person',
	]);
}

async function createPerson(
	item: Item,
	client: Client,
	wanted: WantedPerson,
	leavesBy: number,
): Promise<Written> {
	const [{ matchBy, value }] = wanted.matches;
	const { body } = wanted;
	const { run } = item;
	if (isBlank(body.familyName)) {
		throw new UnusableParameter(
			`${labelOf('familyName')} ${emptinessIn(item.row, 'familyName')}, and nobody has the ${MATCH_LABELS[matchBy]} ${quoted(value)}`,
			'A new person needs a family name. Give one, or leave out rows of people who do not exist yet',
		);
	}
	run.lookups.batches.noteWrite();
	const { collection: path } = personRecord;
	const { approval } = item;
	const when = { leavesBy, approval };
	const created = await createRecord(client, personRecord, { path }, body, when).catch(
		async (error: unknown) => {
			if (asExplained(error).mayHaveTakenEffect) run.uncertainCreates.add(identifierKey(value));
			return rethrow(error);
		},
	);
	run.uncertainCreates.delete(identifierKey(value));
	return created;
}

function newPerson({ matches, body }: WantedPerson): IDataObject {
	const [{ matchBy, value }] = matches;
	return withMatch(body, matchBy, value);
}
