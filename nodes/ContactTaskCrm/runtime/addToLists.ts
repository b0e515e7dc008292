import type { IDataObject } from 'n8n-workflow';
import type { Connection } from '../transport/connection';
import { withCurrentRecord } from './currentRecord';
import { ADDED_TO_LISTS, changesTo } from './merge';
import type { RecordSpecification } from './specification';
import type { Located } from './target';

/** An update, and the record that it was worked out from. */
export interface Addition {
	/** What differs, with each list as it is once what was given is added. */
	body: IDataObject;
	current: IDataObject;
}

/**
 * What has to be written so that lists hold what is given beside what they hold now. The interface
 * replaces a list as a whole, so the record is read immediately before; changes to one record take
 * turns within the process.
 *
 * @param lists the names of the fields of the body that are added to
 * @param write sends the update, while nobody else changes the record
 * @throws ExplainedError where the service does not show what a list holds
 */
export async function addToLists(
	connection: Connection,
	record: RecordSpecification,
	located: Located,
	{
		body,
		lists,
		write,
	}: {
		body: IDataObject;
		lists: readonly string[];
		write: (addition: Addition) => Promise<IDataObject>;
	},
): Promise<IDataObject> {
	return await withCurrentRecord(connection, record, located, async (current) => {
		const isList = ([name]: [string, unknown]) => lists.includes(name);
		const given = Object.entries(body);
		const changes = changesTo(
			record,
			current,
			Object.fromEntries(given.filter(isList)),
			ADDED_TO_LISTS,
		);
		const others = Object.fromEntries(given.filter((field) => !isList(field)));
		return await write({ body: { ...others, ...changes } as IDataObject, current });
	});
}
