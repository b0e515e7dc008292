import { compact, uniq, upperFirst } from 'lodash';
import type { IDataObject, INodeListSearchItems, INodePropertyOptions } from 'n8n-workflow';
import type { Directory, Entry } from '../tenant/directory';
import { COLUMNS, columnIri, titleIn } from '../tenant/directory';
import { lastSegment, NO_CHOICE } from '../util/iri';
import { isBlank, listOf, textIn } from '../util/values';
import { emailIn, nameIn } from '../util/contacts';

/*
 * How lists show a record: as people recognise it, with names before numbers, and an id only where nothing
 * better is known.
 */

/** Longer labels push everything else out of the list. */
const LONGEST_LABEL = 80;
/** As many letters of an id as tell apart records of the same label. */
const SHORT_ID = 6;

export function personLabel(person: IDataObject): string {
	return nameAndEmail(nameIn(person), emailIn(person)) || idLabel(person);
}

/** Empty where neither is known. */
export function nameAndEmail(name: string, email: string): string {
	if (name === '') return email;
	return email === '' ? shortened(name) : `${shortened(name)} (${email})`;
}

export function taskLabel(task: IDataObject): string {
	const number = textIn(task.indexNumber);
	return titleLabel(task) + (number === '' ? '' : ` #${number}`);
}

export function titleLabel(record: IDataObject): string {
	return shortened(textIn(record.title)) || idLabel(record);
}

export function workspaceLabel(workspace: IDataObject): string {
	return titleLabel(workspace) + archivedMark(workspace);
}

function archivedMark(record: IDataObject): string {
	return isArchived(record) ? ' (archived)' : '';
}

export function isArchived({ archivedAt }: IDataObject): boolean {
	return !isBlank(archivedAt);
}

export function commentLabel(comment: IDataObject): string {
	const text = shortened(textIn(comment.description));
	return compact([text || idLabel(comment), timeLabel(comment)]).join(' · ');
}

/** What changed, where the service says it in words; the interface does not show its form. */
export function historyLabel(entry: IDataObject): string {
	const changes = Array.isArray(entry.changes) ? entry.changes.map(changeLabel) : [];
	const said = shortened(compact(uniq(changes)).join(', '));
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

/** Enough of an id to tell two records apart, cut so that nobody takes it for the whole. */
export function shortId(iri: string): string {
	const id = lastSegment(iri);
	return id.length > SHORT_ID ? `${id.slice(0, SHORT_ID)}…` : id;
}

/** Text on one line, cut where it is too long for a list; never within an emoji. */
function shortened(text: string): string {
	const letters = [...text.replace(/\s+/g, ' ').trim()];
	return letters.length > LONGEST_LABEL
		? `${letters.slice(0, LONGEST_LABEL - 1).join('')}…`
		: letters.join('');
}

/**
 * The columns of a workspace as "Workspace / Column", with their IRIs. The interface leaves open
 * whether columns come as IRIs or as records; both list.
 */
export function columnsOf(workspace: IDataObject, directory: Directory): INodeListSearchItems[] {
	return (listOf(workspace.columns) ?? []).flatMap((column, position) => {
		const value = columnIri(column, workspace);
		if (value === undefined) return [];
		const title = titleIn(column, COLUMNS) || (directory.titleOf(value, COLUMNS) ?? '');
		const label = shortened(title) || `Column ${position + 1}`;
		return [{ name: `${titleLabel(workspace)} / ${label}${archivedMark(workspace)}`, value }];
	});
}

/** The IRIs of columns of a workspace of which nobody knows the title. */
export function untitledColumns(workspace: IDataObject, directory: Directory): string[] {
	return (listOf(workspace.columns) ?? []).flatMap((column) => {
		const iri = titleIn(column, COLUMNS) ? undefined : columnIri(column, workspace);
		return iri === undefined || directory.titleOf(iri, COLUMNS) ? [] : [iri];
	});
}

/** How a record shows a user or tag, by the field that does; the most telling first. */
const RELATIONS = {
	owner: 'owner of',
	tags: 'on',
	assignees: 'assigned to',
	author: 'author of',
	observers: 'observer of',
	users: 'member of',
};

/** Names of records that show another: as many as fit into a label. */
const MOST_NAMED = 2;

/**
 * A record by its name or, where none is known, by what shows it: "On Amber van Dijk and Eva de Vries
 * (dd22a6…)".
 *
 * @param kind what to call a record of which nothing is known: "user"
 */
export function entryLabel({ iri, title, shownBy }: Readonly<Entry>, kind: string): string {
	if (title !== '') return shortened(title);
	let left = MOST_NAMED;
	const said = Object.entries(RELATIONS).flatMap(([field, relation]) => {
		const named = [...(shownBy?.get(field) ?? [])].slice(0, left).map(shortened);
		left -= named.length;
		return named.length > 0 ? [`${relation} ${named.join(' and ')}`] : [];
	});
	return `${shortened(upperFirst(said.join('; ') || kind))} (${shortId(iri)})`;
}

/** An entry of a list, in either kind of list. */
type ListEntry = INodeListSearchItems & INodePropertyOptions;

/** A last entry that says what a list does not show; whoever chooses it is told to choose something else. */
export function lastEntry(name: string): ListEntry {
	return { name, value: NO_CHOICE };
}
