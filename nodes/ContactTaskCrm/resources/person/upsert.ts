import type { IDataObject } from 'n8n-workflow';
import { requestRecord } from '../../runtime/answer';
import { bodyOf } from '../../runtime/body';
import { readAll } from '../../runtime/getAll';
import type { Item } from '../../runtime/item';
import { paginatorOf } from '../../runtime/item';
import { UnusableParameter } from '../../common/errors';
import { asRecord } from '../../runtime/output';
import type { Paginator } from '../../runtime/specification';
import { specifyBody } from '../../runtime/specification';
import type { Connection } from '../../transport/connection';
import { idOf, valueOf } from '../../common/iri';
import { personName } from '../../common/records';
import type { MatchBy } from './match';
import { carriesPart, isMatch, MATCH_QUERY, normalized, withMatch } from './match';
import { personRecord } from './output';

/** Enough to see that a value is not unique, without reading a whole tenant if the filter is dropped. */
const MATCHES_READ = 30;

const LABELS: Record<MatchBy, string> = { email: 'e-mail address', identifier: 'identifier' };

const personBody = specifyBody(personRecord, 'create');

/**
 * Finds a person by e-mail or identifier, then updates the one that matches or creates one. Items
 * of one value take turns, so that doubles in the input meet the person the first of them created.
 */
export const runUpsert: Paginator = paginatorOf((item) => {
	const { matchBy, value } = matchOf(item);
	const body = bodyOf(item, personBody);
	const { noun, collection } = personRecord;
	return async (connection) =>
		await connection.withLock(`${matchBy} ${normalized(value)}`, async () => {
			const id = await findMatch(connection, matchBy, value);
			if (id === undefined) {
				const created = withMatch(body, matchBy, value);
				const request = { method: 'POST' as const, path: collection, body: created };
				return [await requestRecord(connection, request, { noun })];
			}
			const request = { method: 'PATCH' as const, path: `${collection}/${id}`, body };
			return [await requestRecord(connection, request, { noun, id })];
		});
});

function matchOf({ context }: Item): { matchBy: MatchBy; value: string } {
	const matchBy = context.getNodeParameter('matchBy', 'email') as MatchBy;
	const value: unknown = context.getNodeParameter('matchValue', '');
	if ((typeof value !== 'string' && typeof value !== 'number') || String(value).trim() === '') {
		throw new UnusableParameter(
			'Match Value is empty',
			`Give the ${LABELS[matchBy]} to look for. If it is an expression, it gave nothing for this item`,
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

/**
 * The id of the one person that carries the value, or undefined where nobody does.
 *
 * @throws UnusableParameter when several do, or when the service cannot be relied on to look for it
 */
async function findMatch(
	connection: Connection,
	matchBy: MatchBy,
	value: string,
): Promise<string | undefined> {
	const request = {
		method: 'GET' as const,
		path: personRecord.collection,
		query: [[MATCH_QUERY[matchBy], value]] as Array<[string, string]>,
	};
	const people = (
		await readAll(connection, request, { noun: `list of ${personRecord.plural}` }, MATCHES_READ)
	).map(asRecord);
	if (people.length === MATCHES_READ) {
		throw new UnusableParameter(
			`The service found ${MATCHES_READ} people or more for the ${LABELS[matchBy]} "${value}"`,
			'Nothing was written, since it cannot be told who is meant. Update the right person by ID',
		);
	}
	const matches = people.filter((person) => isMatch(person, matchBy, value));
	if (matches.length === 1) return knownId(matches[0]);
	if (matches.length > 1) {
		throw new UnusableParameter(
			`${matches.length} people have the ${LABELS[matchBy]} "${value}": ${matches.map(nameOf).join(', ')}`,
			'Nothing was written. Make the value unique in the CRM, or update the right person by ID',
		);
	}
	// All of them carrying a part of the value is a filter at work; anything else is one that was dropped.
	if (people.some((person) => !carriesPart(person, value))) {
		throw new UnusableParameter(
			`The service found ${people.length} people for the ${LABELS[matchBy]} "${value}", none of whom shows it`,
			'Nothing was written, since creating a person could double one. Update the right person by ID, or use Create',
		);
	}
	return undefined;
}

/**
 * The id of a person who must not be created once more.
 *
 * @throws UnusableParameter when the service shows none that can be read
 */
function knownId(person: IDataObject): string {
	const id = idOf(person, personRecord.collection);
	if ('value' in id) return id.value;
	throw new UnusableParameter(
		`The service found ${nameOf(person)}, but shows no ID that can be used: ${id.expected}`,
		'Nothing was written. Check that the Base URL in the credential is the address that IDs such as /people/{id} are relative to',
	);
}

function nameOf(person: IDataObject): string {
	return `${personName(person)} (${valueOf(idOf(person, personRecord.collection)) ?? 'no ID'})`;
}
