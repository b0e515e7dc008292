import { seedTenant } from '../../service/seed';
import { Store } from '../../service/store';

/* The initial data of every test service. The seed always gives the same IDs, so that test tables can use them. */
const store = new Store();
seedTenant(store);

const idsOf = (records: Map<string, unknown>) => [...records.keys()];

export const USERS = idsOf(store.users);
export const TAGS = idsOf(store.tags);
export const SEGMENTS = idsOf(store.segments);
export const ORGANIZATIONS = idsOf(store.organizations);
export const FILES = idsOf(store.mediaObjects);
export const WORKSPACES = [...store.workspaces.values()];
export const PEOPLE = [...store.people.values()];
export const TASKS = [...store.tasks.values()];

/** Titles of all segments and columns, by IRI. */
export const SEGMENT_TITLES = Object.fromEntries(
	[...store.segments.values()].map(({ id, title }) => [`/segments/${id}`, title]),
);
export const COLUMN_TITLES = Object.fromEntries(
	WORKSPACES.flatMap(({ id, columns }) =>
		columns.map((column) => [`/workspaces/${id}/columns/${column.id}`, column.title]),
	),
);

/** IRIs of the columns of the workspace "Sales": Lead, Qualified, Proposal, Won, Lost. */
export const COLUMNS = WORKSPACES[0].columns.map(
	({ id }) => `/workspaces/${WORKSPACES[0].id}/columns/${id}`,
);

/** A task with at least two comments and one history entry, with its comments and history. */
export const DISCUSSED = TASKS.find(
	({ id }) => (store.comments.get(id)?.length ?? 0) > 1 && store.history.has(id),
)!;
export const COMMENTS = store.comments.get(DISCUSSED.id)!;
export const HISTORY = store.history.get(DISCUSSED.id)!;
