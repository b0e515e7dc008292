import type { IDataObject } from 'n8n-workflow';
import type { Match } from '../lookup/find';
import type { RecordContract } from '../schema/record';
import { readIfThere } from '../crm/records';
import type { InputItem } from './item';
import type { Target } from './query';
import { fieldNamesIn } from '../values/list';

/*
 * Reads the record that an item will change, for the check of the item's body. The CRM may hold values that the node
 * would refuse as new values. A write of a whole list has to keep such values.
 */

/** The record that an item will change, for the check of the item's body. */
export interface Existing {
	/** Reads the record before any item of the run writes. Returns undefined if there is no such record. */
	read: () => Promise<IDataObject | undefined>;
	/**
	 * Returns whether the write only adds entries to a list. If so, the node can leave out a new entry, and the record
	 * keeps all its present entries.
	 */
	addsTo: (list: string) => boolean;
}

/**
 * Returns the record that the user chose by a locator. Values from a table add to its lists, except to the lists that
 * the user chose to replace. Values from other parameters replace the lists.
 */
export function existingTarget(
	item: InputItem,
	contract: RecordContract,
	target: () => Promise<Target>,
): Existing {
	const read = async () => {
		const { lookup, path, id = '' } = await target();
		if (lookup) return await personForCheck(item, lookup);
		const found = await item.readAhead(
			async (client) => await readIfThere(client, contract, { path, id }),
		);
		return found?.record;
	};
	return { read, addsTo: (list) => item.isMapped && !replacedLists(item).includes(list) };
}

/**
 * Returns the person that Create or Update will find by a value. Create or Update adds to all lists that the user does
 * not choose to replace.
 */
export function existingMatch(item: InputItem, match: Match): Existing {
	return {
		read: async () => await personForCheck(item, match),
		addsTo: (list) => !replacedLists(item).includes(list),
	};
}

function replacedLists({ options }: InputItem): string[] {
	return fieldNamesIn(options.replaceLists);
}

/**
 * Finds the person to change, so that the check of the body knows the values in the CRM. The write later looks the
 * person up again, because the answer of this lookup may then be too old.
 */
async function personForCheck(item: InputItem, match: Match): Promise<IDataObject | undefined> {
	const { checks } = item.run;
	checks.batches.announce(match);
	try {
		const found = await item.readAhead(async (client) => await checks.find(client, match));
		return found.read?.record;
	} finally {
		checks.batches.forget(match);
	}
}
