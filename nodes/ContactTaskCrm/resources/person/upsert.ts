import type { IDataObject } from 'n8n-workflow';
import { UnusableParameter } from '../../common/errors';
import { isBlank } from '../../contract/blank';
import { labelOf } from '../../contract/label';
import { requestRecord, shownId } from '../../runtime/answer';
import { bodyOf } from '../../runtime/body';
import { isExact } from '../../runtime/coercion';
import type { Item } from '../../runtime/item';
import { paginatorOf } from '../../runtime/item';
import { namesIn } from '../../runtime/output';
import type { Paginator } from '../../runtime/specification';
import { specifyBody } from '../../runtime/specification';
import type { Connection } from '../../transport/connection';
import { ServiceError } from '../../transport/serviceErrors';
import { findPerson, MATCH_LABELS } from './findPerson';
import { rememberPerson } from './knownPeople';
import type { MatchBy } from './match';
import { isMatch, matchKey, withMatch } from './match';
import type { ListModes } from './merge';
import { changesTo } from './merge';
import { personRecord } from './output';

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
		target: `person by ${key}`,
		isRepeatable: true,
		send: async (connection) =>
			await connection.withLock(
				`person by ${key}`,
				async () => await createOrUpdate(connection, wanted),
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

async function createOrUpdate(connection: Connection, wanted: Wanted): Promise<IDataObject[]> {
	const found = await findPerson(connection, wanted.matchBy, wanted.value);
	if (found === undefined) return [await created(connection, wanted)];
	return [
		await updated(connection, wanted, found).catch(async (error: unknown) => {
			if (!(error instanceof ServiceError) || error.status !== 404)
				return await Promise.reject(error);
			// Archived or removed since: looked for once more, then as found.
			const again = await findPerson(connection, wanted.matchBy, wanted.value);
			if (again === undefined) return await created(connection, wanted);
			return await updated(connection, wanted, again);
		}),
	];
}

async function created(
	connection: Connection,
	{ matchBy, value, body }: Wanted,
): Promise<IDataObject> {
	if (isBlank(body.familyName)) {
		throw new UnusableParameter(
			`${labelOf('familyName')} is empty, and nobody has the ${MATCH_LABELS[matchBy]} "${value}"`,
			'A new person needs a family name. Give one, or leave out rows of people who do not exist yet',
		);
	}
	const request = {
		method: 'POST' as const,
		path: personRecord.collection,
		body: withMatch(body, matchBy, value),
	};
	const person = await requestRecord(connection, request, personRecord, {
		noun: personRecord.noun,
	});
	const id = shownId(person, personRecord);
	if (id !== undefined) rememberPerson(connection.tenant, value, id);
	return { result: 'created', ...person };
}

async function updated(
	connection: Connection,
	{ body, modes }: Wanted,
	found: IDataObject,
): Promise<IDataObject> {
	const id = shownId(found, personRecord)!;
	return await connection.withLock(`person ${id}`, async () => {
		const changes = changesTo(found, body, modes);
		if (Object.keys(changes).length === 0) return { result: 'unchanged', ...found };
		const request = {
			method: 'PATCH' as const,
			path: `${personRecord.collection}/${id}`,
			body: changes,
		};
		const subject = { noun: personRecord.noun, id };
		return {
			result: 'updated',
			...(await requestRecord(connection, request, personRecord, subject)),
		};
	});
}
