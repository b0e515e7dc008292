import type { IDataObject } from 'n8n-workflow';
import { titleCase } from '../contract/label';
import type { Connection } from '../transport/connection';
import type { NodeRun } from '../transport/nodeRun';
import type { Item } from './item';
import type { Intent } from './locate';
import type { Place } from './itemOrder';
import { addressOf } from './path';
import type { RecordSpecification } from './specification';

/** A record that an item works with, once it is known which one it is. */
export interface Located {
	path: string;
	id?: string;
	/** What the path names last: the record, or the one it stands below. */
	named?: { noun: string; id: string };
	/** Whether changes to the record wait until this one is done. */
	hasTurn?: boolean;
	/** The record, where it had to be read to know which one it is, and is as it was then. */
	record?: IDataObject;
}

/** What an item works with. */
export interface Target {
	/** What it is known by before it is looked up: items that have one in common go in their order. */
	targets: readonly string[];
	whenEnded?: () => void;
	/** Finds out which record it is, and works with it when its turn has come. */
	use: <T>(
		connection: Connection,
		place: Place,
		work: (located: Located) => Promise<T>,
	) => Promise<T>;
}

/**
 * The record that an item addresses: by its id, or, for a person, by e-mail address. To be asked for
 * when all else of the item was found right, since a lookup that is announced has to be ended.
 *
 * @param intend what the item is going to do with the record, where its method does not say it
 * @throws UnusableParameter naming the locator that cannot be used
 */
export function targetOf(
	item: Item,
	run: NodeRun,
	record: RecordSpecification,
	intend: (found: IDataObject) => Intent = () =>
		item.request.method === 'GET' ? 'read' : 'change',
): Target {
	const { path, id, email, named } = addressOf(item);
	if (email === undefined || !record.locateByEmail) {
		return {
			targets: targetsOf(record, path, id),
			use: async (_connection, _place, work) => await work({ path, id, named }),
		};
	}
	const search = {
		run,
		key: String(item.context.getItemIndex()),
		email,
		label: titleCase(record.noun),
		isToBeWritten: item.request.method !== 'GET',
		intend,
	};
	const { find, ...located } = record.locateByEmail(search);
	return {
		...located,
		use: async (connection, place, work) => {
			const found = await find(connection, place);
			await place.earlierItems();
			const turn = connection.withLock(
				`${record.noun} ${found.id}`,
				async () =>
					await work({
						path: path.replace(`{${record.locator}}`, found.id),
						id: found.id,
						record: found.current(),
						hasTurn: true,
					}),
			);
			place.settle();
			return await turn;
		},
	};
}

/**
 * What a write goes to: the record, or for one that stands in a row with others, such as a comment, the
 * row. New records of their own go to nothing that is there.
 */
function targetsOf(
	{ noun, collection }: RecordSpecification,
	path: string,
	id: string | undefined,
): string[] {
	if (collection.includes('{')) return [path.split('/').slice(0, 4).join('/')];
	return id === undefined ? [] : [`${noun} ${id}`];
}
