import type { IDataObject } from 'n8n-workflow';
import { ExplainedError, UnusableParameter } from '../../common/errors';
import { isBlank } from '../../contract/blank';
import { labelOf } from '../../contract/label';
import { requestRecord, shownId } from '../../runtime/answer';
import { bodyOf } from '../../runtime/body';
import { isExact } from '../../runtime/coercion';
import type { Item } from '../../runtime/item';
import { paginatorOf } from '../../runtime/item';
import type { Place } from '../../runtime/itemOrder';
import { namesIn, outputFormOf, withResult } from '../../runtime/output';
import type { Paginator } from '../../runtime/specification';
import { specifyBody } from '../../runtime/specification';
import type { Connection } from '../../transport/connection';
import { ServiceError } from '../../transport/serviceErrors';
import { MATCH_LABELS, readPerson } from './findPerson';
import type { Looked, Lookup } from './lookups';
import { lookupsOf } from './lookups';
import type { MatchBy } from './match';
import { isAddress, isMatch, keysOf, matchKey, withMatch } from './match';
import type { ListModes } from './merge';
import { changesTo, withoutDoubles } from './merge';
import { personRecord } from './output';
import { isWrittenSince, markOfRun, noticeWrite } from './writes';

const personBody = specifyBody(personRecord, 'create', { required: [] });

/** What an item of "Create or Update" asks for. */
interface Wanted extends Lookup {
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
	const match = matchOf(item);
	// Before anything else is checked: the spelling counts for others, whatever comes of this item.
	lookups.noticeSpelling(match.value);
	const wanted = wantedOf(item, match);
	const form = withResult(outputFormOf(item, personRecord, 'write'));
	if (wanted.isLookedUpTogether) lookups.announce(wanted);
	return {
		targets: carriedKeys(wanted).map((key) => `person by ${key}`),
		form,
		isRepeatable: true,
		whenEnded: () => lookups.end(wanted.item),
		send: async (connection, place) =>
			await connection.withLock(
				`person by ${matchKey(wanted.value)}`,
				async () => await createOrUpdate(connection, wanted, place),
			),
	};
});

function wantedOf(item: Item, { matchBy, value }: ReturnType<typeof matchOf>): Wanted {
	const { lookUp } = item.context.getNodeParameter('options', {}) as { lookUp?: string };
	return {
		item: item.context.getItemIndex(),
		matchBy,
		value,
		isLookedUpTogether: lookUp !== 'each',
		mark: markOfRun(item.context.getExecuteData()),
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
function carriedKeys({ value, body }: Wanted): string[] {
	return [...new Set([matchKey(value), ...keysOf(body)])];
}

function matchOf({ context }: Item): { matchBy: MatchBy; value: string } {
	const matchBy = context.getNodeParameter('matchBy', 'email') as MatchBy;
	if (!Object.hasOwn(MATCH_LABELS, matchBy)) {
		throw new UnusableParameter(
			`Match By: expected email or identifier, got ${JSON.stringify(matchBy)}`,
			'Choose from the list',
		);
	}
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
	if (!/[\p{L}\p{N}]/u.test(String(value))) {
		throw new UnusableParameter(
			`Match Value: expected an ${MATCH_LABELS[matchBy]}, got "${value}"`,
			'Rows with a placeholder would all become one person. Correct the value, or leave out such rows',
		);
	}
	if (matchBy === 'email' && !isAddress(String(value))) {
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
		body: withoutDoubles(withMatch(body, matchBy, value)),
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
		const changes = changesTo(current, body, modes);
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
