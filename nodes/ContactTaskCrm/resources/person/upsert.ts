import type { IDataObject } from 'n8n-workflow';
import { UnusableParameter } from '../../common/errors';
import { listOf } from '../../common/lists';
import { isBlank, isObject } from '../../contract/blank';
import { labelOf } from '../../contract/label';
import { requestRecord, shownId } from '../../runtime/answer';
import { bodyOf } from '../../runtime/body';
import { isExact } from '../../runtime/coercion';
import type { Item } from '../../runtime/item';
import { paginatorOf } from '../../runtime/item';
import type { Place } from '../../runtime/itemOrder';
import { namesIn } from '../../runtime/output';
import type { Paginator } from '../../runtime/specification';
import { specifyBody } from '../../runtime/specification';
import type { Connection } from '../../transport/connection';
import { ServiceError } from '../../transport/serviceErrors';
import { findPerson, MATCH_LABELS, readPerson } from './findPerson';
import { createdFor, keepCreated } from './knownPeople';
import type { MatchBy } from './match';
import { isMatch, matchKey, withMatch } from './match';
import type { ListModes } from './merge';
import { changesTo, withoutDoubles } from './merge';
import { personRecord } from './output';
import { isWrittenSince, markWrites, noticeWrite } from './writes';

const personBody = specifyBody(personRecord, 'create', { required: [] });

/** What an item of "Create or Update" asks for. */
interface Wanted {
	matchBy: MatchBy;
	value: string;
	body: IDataObject;
	modes: ListModes;
}

/**
 * Finds a person by e-mail or identifier, then updates the one that matches or creates one. Items
 * of one value take turns, so that doubles in the input meet the person the first of them created.
 * What is found is kept: lists are added to, and only what differs is written.
 */
export const runUpsert: Paginator = paginatorOf((item) => {
	const wanted = wantedOf(item);
	const key = matchKey(wanted.value);
	return {
		targets: keysOf(wanted).map((one) => `person by ${one}`),
		isRepeatable: true,
		send: async (connection, place) =>
			await connection.withLock(
				`person by ${key}`,
				async () => await createOrUpdate(connection, wanted, place),
			),
	};
});

function wantedOf(item: Item): Wanted {
	const { matchBy, value } = matchOf(item);
	return {
		matchBy,
		value,
		body: bodyOf(item, personBody),
		modes: {
			replaced: namesIn(item.context.getNodeParameter('replaceLists', [])),
			isMatched: (entry) =>
				isMatch({ emailAddresses: [entry], phoneNumbers: [entry] } as IDataObject, matchBy, value),
		},
	};
}

/**
 * The keys of all values by which an item may find a person, or by which a later item may find whom it
 * creates.
 */
function keysOf({ value, body }: Wanted): string[] {
	const carried = [
		...recordsIn(body.emailAddresses).map(({ email }) => email),
		...recordsIn(body.phoneNumbers).map(({ phoneNumber }) => phoneNumber),
		body.networkId,
	].filter((text): text is string => typeof text === 'string');
	return [...new Set([value, ...carried].map(matchKey))];
}

function recordsIn(list: unknown): IDataObject[] {
	return (listOf(list) ?? []).filter(isObject) as IDataObject[];
}

function matchOf({ context }: Item): { matchBy: MatchBy; value: string } {
	const matchBy = context.getNodeParameter('matchBy', 'email') as MatchBy;
	const value: unknown = context.getNodeParameter('matchValue', '');
	if (isBlank(value) || (typeof value !== 'string' && typeof value !== 'number')) {
		throw new UnusableParameter(
			'Match Value is empty',
			`Give the ${MATCH_LABELS[matchBy]} to look for. If it is an expression, it gave nothing for this item`,
		);
	}
	if (typeof value === 'number' && !isExact(value)) {
		throw new UnusableParameter(
			`Match Value: expected an ${MATCH_LABELS[matchBy]}, got ${value}`,
			'Correct the expression; give a number of more than 15 digits as text',
		);
	}
	if (matchBy === 'email' && !/^[^\s@]+@[^\s@]+$/.test(String(value).trim())) {
		throw new UnusableParameter(
			`Match Value: expected an e-mail address, got "${value}"`,
			'Correct the address, or match by Identifier',
		);
	}
	return { matchBy, value: String(value).trim() };
}

async function createOrUpdate(
	connection: Connection,
	wanted: Wanted,
	place: Place,
): Promise<IDataObject[]> {
	const found = await lookUp(connection, wanted, place);
	// Others may have led to the same person by another value: they write first.
	await place.earlierItems();
	if (found === undefined) return [await createPerson(connection, wanted, place)];
	const [changed] = await updatePerson(connection, wanted, found, place);
	if (changed) return [changed];
	// Archived or removed since: looked for once more, then as found.
	const again = await lookUp(connection, wanted, place);
	if (again === undefined) return [await createPerson(connection, wanted, place)];
	return await updatePerson(connection, wanted, again, place);
}

/** A person as it was found, and when it was read. */
interface Found {
	person: IDataObject;
	/** What `markWrites` gave before the person was read. */
	mark: number;
}

async function lookUp(
	connection: Connection,
	{ matchBy, value }: Wanted,
	{ run }: Place,
): Promise<Found | undefined> {
	const mark = markWrites();
	const createdId = createdFor(run, value);
	const person = await findPerson(connection, { matchBy, value, createdId });
	return person && { person, mark };
}

async function createPerson(
	connection: Connection,
	{ matchBy, value, body }: Wanted,
	{ run, settle }: Place,
): Promise<IDataObject> {
	settle();
	if (isBlank(body.familyName)) {
		throw new UnusableParameter(
			`${labelOf('familyName')} is empty, and nobody has the ${MATCH_LABELS[matchBy]} "${value}"`,
			'A new person needs a family name. Give one, or leave out rows of people who do not exist yet',
		);
	}
	const request = {
		method: 'POST' as const,
		path: personRecord.collection,
		body: withoutDoubles(withMatch(body, matchBy, value)),
	};
	const person = await requestRecord(connection, request, personRecord, {
		noun: personRecord.noun,
	});
	const id = shownId(person, personRecord);
	if (id !== undefined) keepCreated(run, value, id);
	return { result: 'created', ...person };
}

/** @returns nothing where the person does not exist any more */
async function updatePerson(
	connection: Connection,
	{ body, modes }: Wanted,
	{ person, mark }: Found,
	{ settle }: Place,
): Promise<IDataObject[]> {
	const id = shownId(person, personRecord)!;
	const turn = connection.withLock(`person ${id}`, async () => {
		const isOutOfDate = isWrittenSince(connection.tenant, id, mark);
		const current = isOutOfDate ? await readPerson(connection, id) : person;
		if (!current) return [];
		const changes = changesTo(current, body, modes);
		if (Object.keys(changes).length === 0) return [{ result: 'unchanged', ...current }];
		const path = `${personRecord.collection}/${id}`;
		const request = { method: 'PATCH' as const, path, body: changes };
		const subject = { noun: personRecord.noun, id };
		noticeWrite(connection.tenant, id);
		return await requestRecord(connection, request, personRecord, subject).then(
			(answer) => [{ result: 'updated', ...answer }],
			async (error: unknown) =>
				error instanceof ServiceError && error.status === 404 ? [] : await Promise.reject(error),
		);
	});
	settle();
	return await turn;
}
