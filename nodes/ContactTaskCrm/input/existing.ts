import type { IDataObject } from 'n8n-workflow';
import type { Match } from '../lookup/find';
import type { RecordContract } from '../schema/record';
import { readIfThere } from '../crm/records';
import type { InputItem } from './item';
import type { Target } from './query';
import { fieldNamesIn } from '../values/list';

/*
 * Questions of the check of a body about the record to write. The CRM may hold values that the node would refuse, and a
 * write of a whole list has to keep them.
 */

/** The record that an item changes, for the check of the item's body. */
export interface Existing {
	/** Reads the record before any item of the run writes. Returns undefined if there is none. */
	read: () => Promise<IDataObject | undefined>;
	/** Returns whether the write adds to a list, and so keeps the present entries in any case. */
	addsTo: (list: string) => boolean;
}

/** Returns the record that an item addresses. Only a table adds to lists; other values replace them. */
export function existingTarget(
	item: InputItem,
	contract: RecordContract,
	target: () => Promise<Target>,
): Existing {
	const read = async () => {
		const { lookup, path, id = '' } = await target();
		if (lookup) return await lookedUp(item, lookup);
		const found = await item.readAhead(
			async (client) => await readIfThere(client, contract, { path, id }),
		);
		return found?.record;
	};
	return { read, addsTo: (list) => item.isMapped && !replacedLists(item).includes(list) };
}

/** Returns the person that Create or Update finds by a value. It adds to all lists that the user does not replace. */
export function existingMatch(item: InputItem, match: Match): Existing {
	return {
		read: async () => await lookedUp(item, match),
		addsTo: (list) => !replacedLists(item).includes(list),
	};
}

function replacedLists({ options }: InputItem): string[] {
	return fieldNamesIn(options.replaceLists);
}

/** Looks a person up for a check. The lookups of writes come later, because they have to be fresh. */
async function lookedUp(item: InputItem, match: Match): Promise<IDataObject | undefined> {
	const { checks } = item.run;
	checks.batches.announce(match);
	try {
		const found = await item.readAhead(async (client) => await checks.find(client, match));
		return found.read?.record;
	} finally {
		checks.batches.forget(match);
	}
}
