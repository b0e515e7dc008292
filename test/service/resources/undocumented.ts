import type { Endpoint } from '../endpoint';
import { iriOf } from '../iris';
import { NoRoute, Problem } from '../problems';
import type { NamedRecord } from '../records';
import { list, type Shown } from '../representation';
import type { Store } from '../store';
import type { Switches } from '../switches';

const show =
	(resource: string, type: string) =>
	(record: NamedRecord): Shown => ({
		iri: iriOf(resource, record.id),
		type,
		fields: record,
		required: [],
	});

const collection =
	(name: string & keyof Switches & ('users' | 'tags'), type: string): Endpoint =>
	({ store, switches }: { store: Store; switches: Switches }) => {
		if (switches[name] === 403) throw new Problem(403, 'Access Denied.');
		if (switches[name] === 404) throw new NoRoute();
		if (switches[name] === 405) throw new NoRoute(['POST']);
		return list(type, [...store[name].values()], show(name, type));
	};

/** Collections that the interface does not document but a service may have, by path. Switches decide their answers. */
export const undocumented: Record<string, Endpoint> = {
	'/users': collection('users', 'User'),
	'/tags': collection('tags', 'Tag'),
};

const COLUMN = /^\/workspaces\/[^/]+\/columns\/[^/]+$/;

/** Returns the endpoint of a column's own IRI, if the path is one. */
export function columnRecord(path: string): Endpoint | undefined {
	if (!COLUMN.test(path)) return undefined;
	return ({ store, switches }) => {
		const column = switches.columnRecords === 200 ? store.column(path) : undefined;
		if (!column) throw new NoRoute();
		const fields = { ...column };
		return {
			kind: 'item',
			item: { iri: path, type: 'Column', fields, required: [] },
			stored: false,
		};
	};
}
