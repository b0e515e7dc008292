import { seedTenant } from '../../service/seed';
import { Store } from '../../service/store';

/*
 * What every service of a test holds at the start: the seed gives the same ids each time, so that
 * tables of tests can name them.
 */
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

/** The titles of all segments and columns, by their IRIs. */
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

/** The comments and the history of a task that has two comments and more, and one entry at least. */
export const DISCUSSED = TASKS.find(
	({ id }) => (store.comments.get(id)?.length ?? 0) > 1 && store.history.has(id),
)!;
export const COMMENTS = store.comments.get(DISCUSSED.id)!;
export const HISTORY = store.history.get(DISCUSSED.id)!;
