import type { IDataObject } from 'n8n-workflow';
import { person as contract } from '../schema/person';
import type { Client } from '../tenant/client';
import { requestRecord, shownId } from '../tenant/records';
import { ExplainedError } from '../util/errors';
import { keysOf, valuesOf } from './match';

/** Creates a person. */
export async function createPerson(client: Client, body: IDataObject): Promise<IDataObject> {
	const { noun, collection: path } = contract;
	const asked = { method: 'POST' as const, path, body, subject: { noun } };
	const create = async () => await requestRecord(client, asked, contract);
	return await creating(client, body, create, (created) => created);
}

/**
 * Notes of a request that creates a person who carries the values by which people are looked for; where it may
 * have taken effect and nobody knows, that nobody knows.
 *
 * @param create sends the request
 * @param personIn the person in what it gives, where it shows one
 */
export async function creating<T>(
	{ tenant: { writes } }: Client,
	body: IDataObject,
	create: () => Promise<T>,
	personIn: (created: T) => IDataObject | undefined,
): Promise<T> {
	try {
		const created = await create();
		const id = shownId(personIn(created), contract);
		if (id === undefined) writes.noteUnknown(valuesOf(body));
		else writes.note(id, keysOf(body));
		return created;
	} catch (error) {
		const isUnknown = error instanceof ExplainedError && error.mayHaveTakenEffect;
		if (isUnknown) writes.noteUnknown(valuesOf(body));
		return await Promise.reject(error);
	}
}
