import { isAddress } from '../common/identifiers';
import type { Connection } from '../transport/connection';
import type { NodeRun } from '../transport/nodeRun';
import type { Item } from './item';
import type { Place } from './itemOrder';
import type { LocateByEmail } from './locate';
import type { AppliedReadFilter } from './readFilter';

/** The filters of an item, some of which name people by e-mail address. */
export interface FiltersByEmail {
	whenEnded: () => void;
	/**
	 * The filters, with the IRIs of those people.
	 *
	 * @throws ExplainedError where nobody has an e-mail address, or several people have it
	 */
	found: (connection: Connection, place: Place) => Promise<AppliedReadFilter[]>;
}

/** Announces the people whom the filters of an item name by e-mail address. */
export function filtersByEmail(
	{ context }: Item,
	run: NodeRun,
	filters: readonly AppliedReadFilter[],
): FiltersByEmail {
	const searches = new Map<string, ReturnType<LocateByEmail>>();
	for (const { filter, values } of filters) {
		const { label, locateByEmail, refersTo } = filter;
		if (!locateByEmail) continue;
		for (const email of new Set(values.filter(isAddress))) {
			const key = `${context.getItemIndex()} filter ${refersTo} ${email}`;
			const search = {
				run,
				key,
				email,
				label,
				isToBeWritten: false,
				intend: () => 'read' as const,
			};
			searches.set(email, locateByEmail(search));
		}
	}
	return {
		whenEnded: () => {
			for (const { whenEnded } of searches.values()) whenEnded();
		},
		found: async (connection, place) => {
			const found: AppliedReadFilter[] = [];
			for (const { filter, values } of filters) {
				const located: string[] = [];
				for (const value of values) {
					const search = filter.locateByEmail && searches.get(value);
					const person = await search?.find(connection, place);
					located.push(person ? `${filter.refersTo}/${person.id}` : value);
				}
				found.push({ filter, values: located });
			}
			return found;
		},
	};
}
