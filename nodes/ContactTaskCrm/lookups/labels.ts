import type { IDataObject } from 'n8n-workflow';
import { lastSegment } from '../common/iri';
import { firstIn, nameIn } from '../common/records';

/** Longer labels push everything else out of the list. */
const LONGEST_LABEL = 80;
/** As many letters of an id as tell apart records of the same label. */
const SHORT_ID = 6;

/** A record as people recognise it: names before numbers, an id only where nothing better is known. */
export function personLabel(person: IDataObject): string {
	const email = joined([firstIn(person.emailAddresses, 'email')], '');
	const name = shortened(nameIn(person));
	if (name === '') return email || idLabel(person);
	return email === '' ? name : `${name} (${email})`;
}

export function taskLabel(task: IDataObject): string {
	const number = joined([task.indexNumber], '');
	return titleLabel(task) + (number === '' ? '' : ` #${number}`);
}

export function titleLabel(record: IDataObject): string {
	return shortened(joined([record.title], '')) || idLabel(record);
}

export function workspaceLabel(workspace: IDataObject): string {
	return titleLabel(workspace) + archivedMark(workspace);
}

export function archivedMark(record: IDataObject): string {
	return isArchived(record) ? ' (archived)' : '';
}

export function isArchived({ archivedAt }: IDataObject): boolean {
	return archivedAt !== undefined && archivedAt !== null && archivedAt !== '';
}

export function commentLabel(comment: IDataObject): string {
	const text = shortened(joined([comment.description], ''));
	return joined([text || idLabel(comment), timeLabel(comment)], ' · ');
}

/** What changed, where the service says it in words; the interface does not show its form. */
export function historyLabel(entry: IDataObject): string {
	const changes = Array.isArray(entry.changes) ? entry.changes.map(changeLabel) : [];
	const said = shortened([...new Set(changes.filter((change) => change !== ''))].join(', '));
	return joined([timeLabel(entry), said || idLabel(entry)], ' · ');
}

function changeLabel(change: unknown): string {
	if (typeof change === 'string') return change;
	if (typeof change !== 'object' || change === null) return '';
	const { field, property, propertyPath, name, type } = change as IDataObject;
	return joined([field ?? property ?? propertyPath ?? name ?? type], '');
}

/** Enough of an id to tell two records apart. */
export function shortId(iri: string): string {
	return lastSegment(iri).slice(0, SHORT_ID);
}

/** Text on one line, cut where it is too long for a list; never within an emoji. */
export function shortened(text: string): string {
	const letters = [...text.replace(/\s+/g, ' ').trim()];
	return letters.length > LONGEST_LABEL
		? `${letters.slice(0, LONGEST_LABEL - 1).join('')}…`
		: letters.join('');
}

function timeLabel(record: IDataObject): string {
	return joined([record.createdAt], '').slice(0, 16).replace('T', ' ');
}

function idLabel(record: IDataObject): string {
	return joined([record.id ?? record['@id']], '');
}

function joined(parts: unknown[], separator: string): string {
	return parts
		.filter((part) => typeof part === 'string' || typeof part === 'number')
		.map((part) => String(part).trim())
		.filter((part) => part !== '')
		.join(separator);
}
