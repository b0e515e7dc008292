import type { IDataObject } from 'n8n-workflow';
import { ExplainedError, UnusableParameter } from '../../common/errors';
import { matchKey } from '../../common/identifiers';
import { isBlank } from '../../contract/blank';
import { labelOf } from '../../contract/label';
import { requestRecord, shownId } from '../../runtime/answer';
import { bodyOf } from '../../runtime/body';
import type { Item } from '../../runtime/item';
import { paginatorOf } from '../../runtime/item';
import { replacedLists } from '../../runtime/mappedColumns';
import type { Place } from '../../runtime/itemOrder';
import type { Intent } from '../../runtime/locate';
import { outputFormOf, withResult } from '../../runtime/output';
import type { Paginator } from '../../runtime/specification';
import { specifyBody } from '../../runtime/specification';
import type { Connection } from '../../transport/connection';
import { ServiceError } from '../../transport/serviceErrors';
import { MATCH_LABELS, readPerson } from '../../lookups/people/findPerson';
import type { Looked, Search } from '../../lookups/people/lookUpTogether';
import { lookupsOf } from '../../lookups/people/runLookups';
import { isMatch, keysOf, withMatch } from '../../lookups/people/match';
import type { ListModes } from '../../runtime/merge';
import { changesTo, withoutDoubles } from '../../runtime/merge';
import type { Match } from './matchValue';
import { matchOf } from './matchValue';
import { personRecord } from './output';
import { isWrittenSince, markOfRun, noticeWrite } from '../../lookups/people/writes';

const personBody = specifyBody(personRecord, 'create', { required: [] });

/** What an item of "Create or Update" asks for. */
interface Wanted extends Search {
	body: IDataObject;
	modes: ListModes;
	/** Whether it may share a lookup with other items of the run. */
	isLookedUpTogether: boolean;
	/** What `markWrites` gave when the run began. */
	mark: number;
}

/**
 * Finds a person by e-mail or identifier, then updates the one that matches or creates one. Items
 * of one value take turns, so that doubles in the input meet the person the first of them created.
 * What is found is kept: lists are added to, and only what differs is written.
 */
export const runUpsert: Paginator = paginatorOf((item, run) => {
	const lookups = lookupsOf(run);
	const match = matchOf(item, personBody);
	// Before anything else is checked: the spelling counts for others, whatever comes of this item.
	lookups.noticeSpelling(match.value);
	const wanted = wantedOf(item, match);
	const form = withResult(outputFormOf(item, personRecord, 'write'));
	const intend = (person?: IDataObject) => intentOf(wanted, person);
	if (wanted.isLookedUpTogether) lookups.announce({ ...wanted, intend });
	return {
		targets: carriedKeys(wanted).map((key) => `person by ${key}`),
		form,
		isRepeatable: true,
		whenEnded: () => lookups.end(wanted.key),
		send: async (connection, place) =>
			await connection.withLock(
				`person by ${matchKey(wanted.value)}`,
				async () => await createOrUpdate(connection, wanted, place),
			),
	};
});

function wantedOf(item: Item, { matchBy, value }: Match): Wanted {
	const { lookUp } = item.context.getNodeParameter('options', {}) as { lookUp?: string };
	return {
		key: String(item.context.getItemIndex()),
		isToBeWritten: true,
		matchBy,
		value,
		isLookedUpTogether: lookUp !== 'each',
		mark: markOfRun(item.context.getExecuteData()),
		body: bodyOf(item, personBody),
		modes: {
			replaced: replacedLists(item, personBody),
			isMatched: (entry) =>
				isMatch({ emailAddresses: [entry], phoneNumbers: [entry] } as IDataObject, matchBy, value),
		},
	};
}

function intentOf({ body, modes }: Wanted, person?: IDataObject): Intent {
	if (!person) return isBlank(body.familyName) ? 'refuse' : 'create';
	return Object.keys(changesTo(personRecord, person, body, modes)).length > 0 ? 'change' : 'leave';
}

/**
 * The keys of all values by which an item may find a person, or by which a later item may find whom it
 * creates.
 */
function carriedKeys({ value, body }: Wanted): string[] {
	return [...new Set([matchKey(value), ...keysOf(body)])];
}

async function createOrUpdate(
	connection: Connection,
	wanted: Wanted,
	place: Place,
): Promise<IDataObject[]> {
	const found = await find(connection, wanted, place);
	// Others may have led to the same person by another value: they write first.
	await place.earlierItems();
	const written = await createOrUpdateFound(connection, wanted, found, place);
	if (written) return [written];
	// Archived or removed since: looked for once more, then as found.
	const again = await lookupsOf(place.run).findOne(connection, wanted);
	const person = await createOrUpdateFound(connection, wanted, again, place);
	if (person) return [person];
	throw new ExplainedError(
		`The person with the ${MATCH_LABELS[wanted.matchBy]} "${wanted.value}" is found, but cannot be read or changed`,
		'Nothing was written. Look for the person in the CRM, and update it by ID',
	);
}

/** @returns undefined where the person found does not exist any more */
async function createOrUpdateFound(
	connection: Connection,
	wanted: Wanted,
	{ person, mark }: Looked,
	place: Place,
): Promise<IDataObject | undefined> {
	if (person === undefined) return await createPerson(connection, wanted, place);
	return await updatePerson(connection, wanted, { person, mark }, place);
}

async function find(connection: Connection, wanted: Wanted, { run }: Place): Promise<Looked> {
	const lookups = lookupsOf(run);
	const looked = wanted.isLookedUpTogether
		? await lookups.find(connection, wanted)
		: await lookups.findOne(connection, wanted);
	return await lookups.withWrittenSince(connection, wanted, looked, wanted.mark);
}

async function createPerson(
	connection: Connection,
	wanted: Wanted,
	{ run, settle }: Place,
): Promise<IDataObject> {
	const { matchBy, value, body } = wanted;
	settle();
	if (isBlank(body.familyName)) {
		throw new UnusableParameter(
			`${labelOf('familyName')} is empty, and nobody has the ${MATCH_LABELS[matchBy]} "${value}"`,
			'A new person needs a family name. Give one, or leave out rows of people who do not exist yet',
		);
	}
	lookupsOf(run).noticeWrite();
	const request = {
		method: 'POST' as const,
		path: personRecord.collection,
		body: withoutDoubles(personRecord, withMatch(body, matchBy, value)),
	};
	const person = await requestRecord(connection, request, personRecord, {
		noun: personRecord.noun,
	});
	const id = shownId(person, personRecord);
	if (id !== undefined) noticeWrite(connection.identity, id, carriedKeys(wanted));
	return { result: 'created', ...person };
}

async function updatePerson(
	connection: Connection,
	wanted: Wanted,
	{ person, mark }: { person: IDataObject; mark: number },
	{ run, settle }: Place,
): Promise<IDataObject | undefined> {
	const { body, modes } = wanted;
	const { identity } = connection;
	const id = shownId(person, personRecord)!;
	const turn = connection.withLock(`person ${id}`, async () => {
		const isOutOfDate = isWrittenSince(identity, id, mark);
		const current = isOutOfDate ? await readPerson(connection, id) : person;
		if (!current) return undefined;
		const changes = changesTo(personRecord, current, body, modes);
		if (Object.keys(changes).length === 0) return { result: 'unchanged', ...current };
		lookupsOf(run).noticeWrite();
		noticeWrite(identity, id, carriedKeys(wanted));
		const path = `${personRecord.collection}/${id}`;
		const request = { method: 'PATCH' as const, path, body: changes };
		const subject = { noun: personRecord.noun, id };
		return await requestRecord(connection, request, personRecord, subject).then(
			(answer) => ({ result: 'updated', ...answer }),
			async (error: unknown) =>
				error instanceof ServiceError && error.status === 404
					? undefined
					: await Promise.reject(error),
		);
	});
	settle();
	return await turn;
}
