import { compact, upperFirst } from 'lodash';
import type { IDataObject, INodeListSearchItems, INodePropertyOptions } from 'n8n-workflow';
import { COLUMNS, titleIn } from '../schema/record';
import { columnIri, type Directory, type Entry } from '../crm/directory';
import { emailIn, isArchived, nameIn } from '../values/person';
import { listOf, cellOf } from '../values/json';
import { lastSegment, NO_CHOICE } from '../values/reference';
import { shortened, textIn } from '../values/text';

/**
 * Maximum length in characters of a text in a label. A longer text would leave no room for the rest of the label, such
 * as the e-mail address.
 */
const LONGEST_LABEL = 80;

export function personLabel(person: IDataObject): string {
	const [name, email] = [shortLabel(nameIn(person)), emailIn(person)];
	if (name === '') return email || idLabel(person);
	return email === '' ? name : `${name} (${email})`;
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

export function commentLabel(comment: IDataObject): string {
	const text = shortLabel(textIn(comment.description));
	return compact([text || idLabel(comment), timeLabel(comment)]).join(' · ');
}

/** Returns the label of a history entry, with its changes as text, because their form is not documented. */
export function historyLabel(entry: IDataObject): string {
	const changes = shortLabel(textIn(cellOf(entry.changes)));
	return compact([timeLabel(entry), changes || idLabel(entry)]).join(' · ');
}

function timeLabel(record: IDataObject): string {
	return textIn(record.createdAt).slice(0, 16).replace('T', ' ');
}

function idLabel(record: IDataObject): string {
	return textIn(record.id ?? record['@id']);
}

/** Puts a text on one line, and cuts it with an ellipsis if it is too long. */
function shortLabel(text: string): string {
	return shortened(text.replace(/\s+/g, ' ').trim(), LONGEST_LABEL);
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

/** Returns the IRIs of a workspace's columns that the service has not shown with a title yet. */
export function untitledColumns(workspace: IDataObject, directory: Directory): string[] {
	return (listOf(workspace.columns) ?? []).flatMap((column) => {
		const iri = titleIn(column, COLUMNS) ? undefined : columnIri(column, workspace);
		return iri === undefined || directory.shownTitleOf(iri, COLUMNS) ? [] : [iri];
	});
}

/**
 * Returns the label of a user, tag or segment: its name, or else its ID. Records that refer to the user or tag follow
 * the ID: "Colleague 3f2a (owns Onboarding, owns Rick van der Ven)". The ID is whole, because users copy it into the
 * credential.
 *
 * @param kind noun for the label, such as "colleague"
 */
export function entryLabel(entry: Readonly<Entry>, kind: string): string {
	const { iri, title, relations = [] } = entry;
	if (title !== '') return shortLabel(title);
	const known = relations.length > 0 ? ` (${shortLabel(relations.join(', '))})` : '';
	return `${upperFirst(kind)} ${lastSegment(iri)}${known}`;
}

/**
 * Returns a note such as "More exist" as an entry at the end of a list. A drop-down shows the entry as disabled. In a
 * locator, users can pick the entry, but the editor marks the locator as wrong, and the node refuses it.
 */
export function noteEntry(name: string): INodeListSearchItems & INodePropertyOptions {
	return { name, value: NO_CHOICE, disabled: true };
}

/**
 * Returns the note for the end of a list: more records may exist, or a user or tag has no name. Returns an empty list
 * if neither is true.
 *
 * @param more text that says that more records may exist
 */
export function noteAtEnd(
	{ isCut, hasUnnamed }: { isCut: boolean; hasUnnamed: boolean },
	more: string,
): Array<ReturnType<typeof noteEntry>> {
	const notes = [...(isCut ? [more] : []), ...(hasUnnamed ? [GIVE_NAMES] : [])];
	return notes.length > 0 ? [noteEntry(notes.join('. '))] : [];
}

const GIVE_NAMES = 'Give names in the credential, under Names of Users and Tags';
