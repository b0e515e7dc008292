import { compact, uniq, upperFirst } from 'lodash';
import type { IDataObject, INodeListSearchItems, INodePropertyOptions } from 'n8n-workflow';
import type { Directory, Entry } from '../tenant/directory';
import { COLUMNS, columnIri, titleIn } from '../tenant/directory';
import { lastSegment, NO_CHOICE } from '../util/iri';
import { isBlank, listOf, textIn } from '../util/values';
import { emailIn, nameIn } from '../util/contacts';

/** Longest label in letters. A longer one pushes everything else out of the list. */
const LONGEST_LABEL = 80;
/** Letters of an ID that tell records with the same label apart. */
const SHORT_ID = 6;

export function personLabel(person: IDataObject): string {
	return nameAndEmail(nameIn(person), emailIn(person)) || idLabel(person);
}

export function nameAndEmail(name: string, email: string): string {
	if (name === '') return email;
	return email === '' ? shortLabel(name) : `${shortLabel(name)} (${email})`;
}

export function taskLabel(task: IDataObject): string {
	const number = textIn(task.indexNumber);
	return titleLabel(task) + (number === '' ? '' : ` #${number}`);
}

export function titleLabel(record: IDataObject): string {
	return shortLabel(textIn(record.title)) || idLabel(record);
}

export function workspaceLabel(workspace: IDataObject, column = ''): string {
	return titleLabel(workspace) + column + (isArchived(workspace) ? ' (archived)' : '');
}

export function isArchived({ archivedAt }: IDataObject): boolean {
	return !isBlank(archivedAt);
}

export function commentLabel(comment: IDataObject): string {
	const text = shortLabel(textIn(comment.description));
	return compact([text || idLabel(comment), timeLabel(comment)]).join(' · ');
}

/**
 * Returns the label of a history entry, with its changes if the service names them. The interface does not show their
 * form.
 */
export function historyLabel(entry: IDataObject): string {
	const changes = Array.isArray(entry.changes) ? entry.changes.map(changeLabel) : [];
	const said = shortLabel(compact(uniq(changes)).join(', '));
	return compact([timeLabel(entry), said || idLabel(entry)]).join(' · ');
}

function changeLabel(change: unknown): string {
	if (typeof change === 'string') return change;
	if (typeof change !== 'object' || change === null) return '';
	const { field, property, propertyPath, name, type } = change as IDataObject;
	return textIn(field ?? property ?? propertyPath ?? name ?? type);
}

function timeLabel(record: IDataObject): string {
	return textIn(record.createdAt).slice(0, 16).replace('T', ' ');
}

function idLabel(record: IDataObject): string {
	return textIn(record.id ?? record['@id']);
}

/** Shortens an ID, with an ellipsis. */
export function shortId(iri: string): string {
	const id = lastSegment(iri);
	return id.length > SHORT_ID ? `${id.slice(0, SHORT_ID)}…` : id;
}

/** Puts a text on one line, and shortens it if it is too long. It does not split a letter. */
function shortLabel(text: string): string {
	const letters = [...text.replace(/\s+/g, ' ').trim()];
	return letters.length > LONGEST_LABEL
		? `${letters.slice(0, LONGEST_LABEL - 1).join('')}…`
		: letters.join('');
}

/** Returns the columns of a workspace as "Workspace / Column". The service may show a column as an IRI or a record. */
export function columnItems(workspace: IDataObject, directory: Directory): INodeListSearchItems[] {
	return (listOf(workspace.columns) ?? []).flatMap((column, position) => {
		const value = columnIri(column, workspace);
		if (value === undefined) return [];
		const title = titleIn(column, COLUMNS) || (directory.shownTitleOf(value, COLUMNS) ?? '');
		const label = shortLabel(title) || `Column ${position + 1}`;
		return [{ name: workspaceLabel(workspace, ` / ${label}`), value }];
	});
}

/** Returns the IRIs of columns without a known title. */
export function untitledColumns(workspace: IDataObject, directory: Directory): string[] {
	return (listOf(workspace.columns) ?? []).flatMap((column) => {
		const iri = titleIn(column, COLUMNS) ? undefined : columnIri(column, workspace);
		return iri === undefined || directory.shownTitleOf(iri, COLUMNS) ? [] : [iri];
	});
}

/** Relations of records to a user or tag, by field. The most telling field is first. */
const RELATIONS = {
	owner: 'owns',
	tags: 'on',
	assignees: 'assigned to',
	author: 'wrote',
	observers: 'follows',
	users: 'member of',
};

/** Most record names in a label. */
const MOST_NAMED = 2;

/**
 * Returns the name of a user, tag or segment. Without a name, returns the ID and the records that it belongs to:
 * "Colleague f8ab49… (owns Onboarding, Rick van der Ven)".
 *
 * @param kind "colleague"
 */
export function entryLabel({ iri, title, shownBy }: Readonly<Entry>, kind: string): string {
	if (title !== '') return shortLabel(title);
	let left = MOST_NAMED;
	const said = Object.entries(RELATIONS).flatMap(([field, relation]) => {
		const named = [...(shownBy?.get(field) ?? [])].slice(0, left).map(shortLabel);
		left -= named.length;
		return named.length > 0 ? [`${relation} ${named.join(', ')}`] : [];
	});
	const known = said.length > 0 ? ` (${shortLabel(said.join('; '))})` : '';
	return `${upperFirst(kind)} ${shortId(iri)}${known}`;
}

/** Returns an entry with a note about missing records. The node refuses it as a choice. */
export function lastEntry(name: string): INodeListSearchItems & INodePropertyOptions {
	return { name, value: NO_CHOICE };
}
