import type { IDataObject } from 'n8n-workflow';
import { OLDEST_MS } from '../lookup/batches';
import type { Match } from '../lookup/find';
import { withoutOthersAddresses } from '../lookup/meant';
import type { Client } from '../crm/client';
import { emailsOf } from '../values/person';
import type { Decided } from '../writes/change';
import type { Item } from './item';

/**
 * Maximum number of e-mail addresses of one item to look up. 100 addresses take four requests, and nobody has so many.
 */
const MOST_ADDRESSES = 100;

/**
 * Returns the e-mail addresses of a body to look up. If there are more than `MOST_ADDRESSES`, returns the first of them,
 * and adds a note for the user.
 */
export function addressesToLookUp(item: Item, body: IDataObject): string[] {
	const emails = emailsOf(body);
	if (emails.length > MOST_ADDRESSES) {
		const all = emails.length;
		item.addNote(`Only the first ${MOST_ADDRESSES} of ${all} addresses were looked up`);
	}
	return emails.slice(0, MOST_ADDRESSES);
}

/**
 * Finds the owners of the e-mail addresses that an item writes, because a person must not get an address of another
 * active person. If the item writes no address, the class sends no request.
 */
export class AddressOwners {
	private readonly matches: readonly Match[];

	private people: readonly IDataObject[] = [];

	/** Announces the lookups of the e-mail addresses in a body, so that one request can serve several items. */
	constructor(
		private readonly item: Item,
		body: IDataObject,
	) {
		const emails = addressesToLookUp(item, body);
		this.matches = emails.map((value) => item.looksFor({ matchBy: 'email', value }));
	}

	/**
	 * Looks up the owners of the e-mail addresses. Returns the latest time, by the clock's `now`, at which a write with
	 * these addresses may leave. After that, a colleague may have given an address to somebody else.
	 */
	async lookUp(client: Client): Promise<number> {
		if (this.matches.length === 0) return Infinity;
		const { people, at } = await this.item.run.lookups.people(client, this.matches);
		this.people = people;
		return at + OLDEST_MS;
	}

	/**
	 * Returns a body without the e-mail addresses that other people have, and a note for each of these addresses.
	 *
	 * @param own the person to write, at least with its ID
	 */
	leaveOut(body: IDataObject, own: IDataObject): Decided {
		return withoutOthersAddresses(body, own, this.people);
	}
}
