import type { IDataObject } from 'n8n-workflow';
import { person as contract } from '../schema/person';
import type { Client } from '../tenant/client';
import { requestRecord, shownId } from '../tenant/records';
import { ExplainedError } from '../util/errors';
import { keysOf } from './match';

/**
 * Creates a person, and notes who carries the values by which people are looked for; where it may have taken
 * effect and nobody knows, that nobody knows.
 */
export async function createPerson(client: Client, body: IDataObject): Promise<IDataObject> {
	const { writes } = client.tenant;
	const { noun, collection: path } = contract;
	const keys = keysOf(body);
	try {
		const asked = { method: 'POST' as const, path, body, subject: { noun } };
		const created = await requestRecord(client, asked, contract);
		const id = shownId(created, contract);
		if (id === undefined) writes.noteUnknown(keys);
		else writes.note(id, keys);
		return created;
	} catch (error) {
		if (error instanceof ExplainedError && error.mayHaveTakenEffect) writes.noteUnknown(keys);
		return await Promise.reject(error);
	}
}
