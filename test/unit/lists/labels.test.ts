import type { IDataObject } from 'n8n-workflow';
import { Directory } from '../../../nodes/ContactTaskCrm/crm/directory';
import {
	columnItems,
	commentLabel,
	entryLabel,
	historyLabel,
	noteAtEnd,
	personLabel,
	taskLabel,
	titleLabel,
	untitledColumns,
	workspaceLabel,
} from '../../../nodes/ContactTaskCrm/lists/labels';

/* The service may leave out any field of a record. Without its usual text, a label shows the ID. */

const at = '2026-03-01T09:30:00+01:00';
const eva = { givenName: 'Eva', familyName: 'Vos' };
const emailAddresses = [{ email: 'eva@vos.example' }];

it.each<[(record: IDataObject) => string, IDataObject, string]>([
	[personLabel, { id: '1', ...eva, emailAddresses }, 'Eva Vos (eva@vos.example)'],
	[personLabel, { id: '1', ...eva }, 'Eva Vos'],
	[personLabel, { id: '1', emailAddresses }, 'eva@vos.example'],
	[personLabel, { id: '1', emailAddresses: [] }, '1'],
	[personLabel, { '@id': '/people/1', emailAddresses: null }, '/people/1'],
	[taskLabel, { id: '1', title: 'Call', indexNumber: 7 }, 'Call #7'],
	[taskLabel, { id: '1', title: 'Call', indexNumber: null }, 'Call'],
	[taskLabel, { id: '1', title: null, indexNumber: 7 }, '1 #7'],
	[titleLabel, { id: '1', title: ' Two\n lines ' }, 'Two lines'],
	[titleLabel, { id: '1', title: ' ' }, '1'],
	[titleLabel, { id: 1 }, '1'],
	[titleLabel, {}, ''],
	[workspaceLabel, { id: '1', title: 'Sales', archivedAt: null }, 'Sales'],
	[workspaceLabel, { id: '1', archivedAt: at }, '1 (archived)'],
	[commentLabel, { id: '1', description: 'Hi', createdAt: at }, 'Hi · 2026-03-01 09:30'],
	[commentLabel, { id: '1', description: '', createdAt: at }, '1 · 2026-03-01 09:30'],
	[commentLabel, { id: '1', description: 'Hi', createdAt: null }, 'Hi'],
	[historyLabel, { id: '1', changes: ['title'], createdAt: at }, '2026-03-01 09:30 · title'],
	[historyLabel, { id: '1', changes: [], createdAt: at }, '2026-03-01 09:30 · 1'],
	[historyLabel, { id: '1' }, '1'],
])('In row %#, the label of a record in an editor list is right', (labelOf, record, label) => {
	expect(labelOf(record)).toBe(label);
});

const COLUMNS = '/workspaces/5/columns';

it.each<[unknown, string[]]>([
	[[{ id: '1', title: 'Lead' }], [`Sales / Lead = ${COLUMNS}/1`]],
	[[{ '@id': `${COLUMNS}/1`, title: ' ' }], [`Sales / Column 1 = ${COLUMNS}/1`]],
	[[null, `${COLUMNS}/2`], [`Sales / Column 2 = ${COLUMNS}/2`]],
	[[{ title: 'Without ID' }, { id: '2', title: 'Won' }], [`Sales / Won = ${COLUMNS}/2`]],
	[{ 3: { id: '2', title: 'Won' } }, [`Sales / Won = ${COLUMNS}/2`]],
	[undefined, []],
	[null, []],
	['none', []],
])('From the columns %j of a workspace, the editor offers %j', (columns, offered) => {
	const workspace = { id: '5', title: 'Sales', columns } as IDataObject;
	const items = columnItems(workspace, new Directory());
	expect(items.map(({ name, value }) => `${name} = ${value}`)).toEqual(offered);
});

it.each<[unknown, string[]]>([
	[
		[`${COLUMNS}/1`, { id: '2' }, { id: '3', title: 'Won' }],
		[`${COLUMNS}/1`, `${COLUMNS}/2`],
	],
	[[null, { title: '' }, `${COLUMNS}/4`], []],
	[undefined, []],
	['none', []],
])('Of the columns %j, the editor reads the titles of %j one by one', (columns, iris) => {
	const directory = new Directory();
	directory.notice([{ '@id': `${COLUMNS}/4`, title: 'Lost' }], '/workspaces/{workspaceId}/columns');
	expect(untitledColumns({ id: '5', columns } as IDataObject, directory)).toEqual(iris);
});

it.each([
	[{ title: 'Eva' }, 'Eva'],
	[
		{ title: '', relations: ['owns Sales', 'wrote Call'] },
		'Colleague 3f2a (owns Sales, wrote Call)',
	],
	[{ title: '', relations: [] }, 'Colleague 3f2a'],
	[{ title: '' }, 'Colleague 3f2a'],
])('The label of the user %j is "%s"', (entry, label) => {
	expect(entryLabel({ iri: '/users/3f2a', ...entry } as never, 'colleague')).toBe(label);
});

it('The note at the end of a list mentions more records and missing names', () => {
	const names = 'Give names in the credential, under Names of Users and Tags';
	const noteOf = (isCut: boolean, hasUnnamed: boolean) =>
		noteAtEnd({ isCut, hasUnnamed }, 'More exist').map(({ name }) => name);
	expect(noteOf(false, false)).toEqual([]);
	expect(noteOf(true, false)).toEqual(['More exist']);
	expect(noteOf(false, true)).toEqual([names]);
	expect(noteOf(true, true)).toEqual([`More exist. ${names}`]);
});
