import { describeBadInput, VALUE } from './support/badInput';
import { useScene } from './support/scene';
import { SEGMENTS, TAGS, USERS } from './support/seeded';

const DATE = 'a date such as 2026-12-31 or 2026-12-31T17:00:00Z';
const people = { resource: 'person', operation: 'getAll', limit: 1 };

describeBadInput({
	parameter: 'Limit',
	parameters: { ...people, limit: VALUE },
	right: 1,
	wrong: [0, -1, 1.5, 'many', '', null, [], true].map((value) => [
		value,
		`Limit: expected a whole number of 1 or more, got ${JSON.stringify(value)}`,
	]),
});

/* A filter that cannot be read would give the unfiltered list. */
const filters: ReadonlyArray<
	readonly [label: string, name: string, expected: string, wrong: unknown]
> = [
	['Created After', 'createdAtAfter', DATE, 'tomorrow'],
	['Created After (Exclusive)', 'createdAtStrictlyAfter', DATE, 5],
	['Created Before', 'createdAtBefore', DATE, '2026-02-30'],
	['Created Before (Exclusive)', 'createdAtStrictlyBefore', DATE, true],
	['Archived', 'existsArchivedAt', 'true or false', 'maybe'],
	['Owner', 'ownerId', 'an ID', '../x'],
	['Tag', 'tagsId', 'an ID', 'a#b'],
	['Segment', 'segmentsUuid', 'an ID', true],
	['Search', 'q', 'text', { x: 1 }],
	['Email', 'emailAddressesEmail', 'text', { x: 1 }],
	['Identifiers', 'identifiers', 'text', { x: 1 }],
];

/** Those of workspaces. */
const workspaceFilters: typeof filters = [
	['Title', 'title', 'text', { x: 1 }],
	['Description', 'description', 'text', { x: 1 }],
	['Owner', 'owner', 'an ID or a path such as /users/{id}', 'a#b'],
	['Archived', 'existsArchivedAt', 'true or false', 'maybe'],
	['Created After', 'createdAtAfter', DATE, 'soon'],
	['Created After (Exclusive)', 'createdAtStrictlyAfter', DATE, 'soon'],
	['Created Before', 'createdAtBefore', DATE, 'soon'],
	['Created Before (Exclusive)', 'createdAtStrictlyBefore', DATE, 'soon'],
	['Archived After', 'archivedAtAfter', DATE, 'soon'],
	['Archived After (Exclusive)', 'archivedAtStrictlyAfter', DATE, 'soon'],
	['Archived Before', 'archivedAtBefore', DATE, 'soon'],
	['Archived Before (Exclusive)', 'archivedAtStrictlyBefore', DATE, 'soon'],
];

/** A value that each kind of filter takes. */
const RIGHT: Record<string, unknown> = {
	[DATE]: '2026-01-31',
	'true or false': false,
	text: 'nobody',
};

/** A record that each filter of references knows. */
const SOMEBODY: Record<string, unknown> = {
	ownerId: USERS[0],
	tagsId: TAGS[0],
	segmentsUuid: SEGMENTS[0],
	owner: USERS[0],
};

for (const [label, name, expected, wrong] of filters) {
	describeBadInput({
		parameter: `the filter ${label}`,
		parameters: { ...people, filters: { [name]: VALUE } },
		right: RIGHT[expected] ?? SOMEBODY[name],
		wrong: [[wrong, `${label}: expected ${expected}, got ${JSON.stringify(wrong)}`]],
	});
}

for (const [label, name, expected, wrong] of workspaceFilters) {
	describeBadInput({
		parameter: `the filter ${label} of workspaces`,
		parameters: {
			resource: 'workspace',
			operation: 'getAll',
			limit: 1,
			filters: { [name]: VALUE },
		},
		right: RIGHT[expected] ?? SOMEBODY[name],
		wrong: [[wrong, `${label}: expected ${expected}, got ${JSON.stringify(wrong)}`]],
	});
}

describeBadInput({
	parameter: 'the order by Family Name',
	parameters: { ...people, sort: { familyName: VALUE } },
	right: 'asc',
	wrong: [['up', 'Sort: Family Name: expected asc or desc, got "up"']],
});

describe('a filter whose expression gives nothing', () => {
	const scene = useScene();

	it.each([
		['ownerId', 'Owner'],
		['createdAtStrictlyAfter', 'Created After (Exclusive)'],
		['q', 'Search'],
	])('is refused (%s), since the service would give the unfiltered list', async (name, label) => {
		const { error } = await scene.run({
			parameters: { ...people, filters: { [name]: '={{ $json.nowhere }}' } },
		});
		expect(error?.message).toBe(`${label} is empty: its expression gave nothing for this item`);
		expect(scene.requests()).toEqual([]);
	});
});
