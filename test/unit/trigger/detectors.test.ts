import {
	completed,
	type Comparison,
	due,
	joined,
	left,
	moved,
	updated,
} from '../../../nodes/ContactTaskCrm/trigger/detectors';

/** Times in ms. The trigger began at 10:00, and now it is 10:30. */
const at = (time: string) => Date.parse(`2026-07-01T${time}:00Z`);
const text = (time: string) => `2026-07-01T${time}:00Z`;
const MINUTES = 60_000;

/** Compares a record that the trigger sees for the first time, unless `parts` has a snapshot from before. */
const comparison = (parts: object): Comparison => ({
	...{ record: {}, before: undefined, after: {}, isNew: false, isListRead: true },
	...{ began: at('10:00'), now: at('10:30') },
	...{ watchedFields: [], filteredFields: [], beforeDueMs: 0 },
	...parts,
});

const later = { before: { updatedAt: at('10:05') }, after: { updatedAt: at('10:10') } };
const previousUpdatedAt = text('10:05');
const VALUE = { '#': '' };

/** Compares the values of the watched field `tags`, from before and now. */
const values = (from: unknown, to: unknown, parts = {}) => ({
	...{ watchedFields: ['tags'], ...parts },
	before: { ...later.before, ...(from !== undefined && { values: JSON.stringify([from]) }) },
	after: { ...later.after, values: JSON.stringify([to]) },
});

it.each<[string, object, object | undefined]>([
	['a later time', later, { previousUpdatedAt }],
	['no time', { before: { updatedAt: at('10:05') } }, undefined],
	['the same time', { before: later.after, after: later.after }, undefined],
	['an earlier time', { before: later.after, after: later.before }, undefined],
	[
		'an earlier time than one ahead',
		{ before: { updatedAt: -at('10:20') }, after: later.after },
		{ previousUpdatedAt: text('10:20') },
	],
	[
		'another content',
		{ before: { content: 'a' }, after: { content: 'b' } },
		{ previousUpdatedAt: null },
	],
	['the same content', { before: { content: 'a' }, after: { content: 'a' } }, undefined],
	['a first content', { before: {}, after: { content: 'a' } }, undefined],
	[
		'a change from before the trigger',
		{ before: { updatedAt: at('09:00') }, after: { updatedAt: at('09:30') } },
		undefined,
	],
	[
		'an unknown record',
		{ record: { createdAt: text('09:00') }, after: later.after },
		{ previousUpdatedAt: null },
	],
	[
		'an unknown record as created',
		{ record: { createdAt: text('10:10') }, after: later.after },
		undefined,
	],
	[
		'an unknown record of before',
		{ record: { createdAt: text('08:00') }, after: { updatedAt: at('09:00') } },
		undefined,
	],
	[
		'an unknown record of the future',
		{ record: { createdAt: text('08:00') }, after: { updatedAt: at('10:32') } },
		undefined,
	],
	['an undated unknown record', { after: later.after }, undefined],
	[
		'an undated record in a filtered list',
		{ after: later.after, filteredFields: ['tags'] },
		{ previousUpdatedAt: null },
	],
	[
		'a watched value',
		values('a', 'b'),
		{ previousUpdatedAt, changes: { tags: { from: 'a', to: 'b' } } },
	],
	['the same watched value', values('a', 'a'), undefined],
	[
		'a watched list',
		values(['a', 'b'], ['b', 'c']),
		{
			previousUpdatedAt,
			changes: { tags: { from: ['a', 'b'], to: ['b', 'c'], added: ['c'], removed: ['a'] } },
		},
	],
	[
		'an emptied list',
		values(['a'], null),
		{ previousUpdatedAt, changes: { tags: { from: ['a'], to: null, added: [], removed: ['a'] } } },
	],
	[
		'a filled list',
		values(null, ['a']),
		{ previousUpdatedAt, changes: { tags: { from: null, to: ['a'], added: ['a'], removed: [] } } },
	],
	[
		'a text in place of a list',
		values(['a'], 'b'),
		{ previousUpdatedAt, changes: { tags: { from: ['a'], to: 'b' } } },
	],
	[
		'a long value',
		values({ '#': 'x' }, { '#': 'y' }),
		{ previousUpdatedAt, changes: { tags: { from: null, to: null } } },
	],
	[
		'an unknown value',
		values(VALUE, ['a']),
		{ previousUpdatedAt, changes: { tags: { from: null, to: ['a'], added: ['a'], removed: [] } } },
	],
	[
		'an unknown value at the same time',
		{ ...values(VALUE, ['a']), before: { ...later.after, values: JSON.stringify([VALUE]) } },
		undefined,
	],
	['no remembered value', values(undefined, 'a'), undefined],
	[
		'no remembered value of a filtered field',
		values(undefined, 'a', { filteredFields: ['tags'] }),
		{ previousUpdatedAt, changes: { tags: { from: null, to: 'a' } } },
	],
	[
		'an unknown record before the list was read',
		{ ...values('a', 'b'), before: undefined, isListRead: false, filteredFields: ['tags'] },
		undefined,
	],
])('The trigger compares a record with its snapshot for updates: %s', (_, parts, previous) => {
	expect(updated(comparison(parts))).toEqual(previous);
});

it.each<[string, object, object | undefined]>([
	[
		'a known task',
		{ before: {}, after: { completedAt: at('10:10') } },
		{ previousCompletedAt: null },
	],
	[
		'a task completed again',
		{ before: { completedAt: at('10:05') }, after: { completedAt: at('10:10') } },
		{ previousCompletedAt: text('10:05') },
	],
	[
		'a task completed before',
		{ before: { completedAt: at('10:05') }, after: { completedAt: at('10:05') } },
		undefined,
	],
	['an open task', { before: {} }, undefined],
	[
		'an unknown task',
		{ record: { updatedAt: text('10:10') }, after: { completedAt: at('10:10') } },
		{},
	],
	['an unknown task without a change time', { after: { completedAt: at('10:10') } }, {}],
	[
		'an unknown task changed before',
		{ record: { updatedAt: text('09:00') }, after: { completedAt: at('10:10') } },
		undefined,
	],
	['an unknown task completed before', { after: { completedAt: at('09:00') } }, undefined],
	['a new task completed before', { isNew: true, after: { completedAt: at('09:00') } }, {}],
])('The trigger reports a completed task once: %s', (_, parts, previous) => {
	expect(completed(comparison(parts))).toEqual(previous);
});

it.each<[string, object, object | undefined]>([
	['a due time since the beginning', { after: { due: at('10:10') } }, {}],
	[
		'a due time that was reported',
		{ before: { due: at('10:10') }, after: { due: at('10:10') } },
		undefined,
	],
	['no due time', { before: {} }, undefined],
	['an old due time', { before: {}, after: { due: at('09:00') } }, undefined],
	[
		'an old time of a new due date',
		{ before: {}, after: { due: at('09:00') }, beforeDueMs: 90 * MINUTES },
		{},
	],
	[
		'an old time of a new task',
		{ isNew: true, after: { due: at('09:00') }, beforeDueMs: 90 * MINUTES },
		{},
	],
	[
		'an old time of an unknown task',
		{ after: { due: at('09:00') }, beforeDueMs: 90 * MINUTES },
		undefined,
	],
	[
		'an old time set before the beginning',
		{
			before: { updatedAt: at('08:00') },
			after: { updatedAt: at('08:30'), due: at('09:00') },
			beforeDueMs: 90 * MINUTES,
		},
		undefined,
	],
])('The trigger reports each due time of a task once: %s', (_, parts, previous) => {
	expect(due(comparison(parts))).toEqual(previous);
});

const [A, B] = ['/workspaces/1/columns/a', '/workspaces/1/columns/b'];
it.each<[string, object, object | undefined]>([
	['another column', { before: { status: A }, after: { status: B } }, { previousStatus: A }],
	[
		'the same column below another path',
		{ before: { status: A }, after: { status: `/api${A}` } },
		undefined,
	],
	['a first column', { before: {}, after: { status: A } }, undefined],
	['a hidden column', { before: { status: A } }, undefined],
	[
		'a move before the trigger began',
		{ before: { status: A, updatedAt: at('08:00') }, after: { status: B, updatedAt: at('09:00') } },
		undefined,
	],
])('The trigger reports a moved task only for another column: %s', (_, parts, previous) => {
	expect(moved(comparison(parts))).toEqual(previous);
});

const IN = { membership: 'in' };
it.each([
	['joins', joined, { before: { membership: 'out' }, after: IN }, true],
	['comes back after a deletion', joined, { before: { membership: 'gone' }, after: IN }, true],
	['comes unknown into a read list', joined, { after: IN }, true],
	['is unknown in an unread list', joined, { after: IN, isListRead: false }, false],
	['is new in an unread list', joined, { after: IN, isListRead: false, isNew: true }, true],
	['stays a member', joined, { before: { membership: 'inUnmet' }, after: IN }, false],
	['stays outside', joined, { before: { membership: 'out' }, after: { membership: 'out' } }, false],
	['leaves', left, { before: IN, after: { membership: 'out' } }, true],
	['is deleted', left, { before: IN, after: { membership: 'gone' } }, true],
	['meets no filter any more', left, { before: IN, after: { membership: 'inUnmet' } }, false],
	['was outside', left, { before: { membership: 'out' }, after: { membership: 'gone' } }, false],
] as const)('A trigger on a segment compares a person who %s', (_, detect, parts, isReported) => {
	expect(detect(comparison(parts)) !== undefined).toBe(isReported);
});
