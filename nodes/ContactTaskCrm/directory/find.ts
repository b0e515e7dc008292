import type { Resolved } from '../common/iri';
import { idOf, iriOf, lastSegment } from '../common/iri';
import type { Collection, Directory, Entry } from './directory';
import { COLUMNS } from './directory';

/** What messages call the records of a collection of which titles are understood. */
const NOUNS: Partial<Record<string, string>> = {
	'/segments': 'segment',
	'/tags': 'tag',
	'/users': 'user',
	'/workspaces': 'workspace',
	[COLUMNS]: 'column',
};

/** Titles that a message lists at most: who does not see the list, such as a model, chooses from these. */
const MOST_LISTED = 30;

/** The collection whose records may be given by title; undefined for any other. */
export function titledCollection(collection: string): Collection | undefined {
	return collection in NOUNS ? (collection as Collection) : undefined;
}

/**
 * Whether a text has to be looked up as a title. An ID has a digit and no white space, an IRI begins with a
 * slash or stands behind a title in brackets; the ID of a column says nothing without its workspace.
 */
export function isTitle(text: string, collection: Collection): boolean {
	if (text === '' || /^(\/|\.|https?:)/.test(text)) return false;
	if (text.endsWith(')') && 'value' in iriOf(text, collection)) return false;
	if (collection === COLUMNS) return true;
	const isWord = 'value' in idOf(text, collection);
	return isWord ? !/\d/.test(text) : / /.test(text) && !/[\n\r\t]/.test(text);
}

/**
 * The IRI of the one record of a title, of upper or lower case; of a column "Workspace / Column", or its
 * own title where it is the only one.
 */
export function byTitle(directory: Directory, text: string, collection: Collection): Resolved {
	const entries = directory.entries(collection).map(({ iri, title }) => ({
		iri,
		title,
		whole: wholeTitle(directory, iri, title, collection),
	}));
	const wanted = comparableTitle(text);
	const exact = entries.filter(({ iri, title, whole }) =>
		[title, whole, lastSegment(iri)].some(
			(name) => name !== '' && comparableTitle(name) === wanted,
		),
	);
	const matches = withoutArchived(directory, exact);
	if (matches.length === 1) return { value: matches[0].iri };
	const noun = NOUNS[collection] ?? 'record';
	const listed =
		matches.length > 0
			? matches.map(({ whole, iri }) => `${whole} (${iri})`)
			: known(withoutArchived(directory, entries));
	return {
		expected:
			matches.length > 0
				? `"${text}" is the title of ${matches.length} ${noun}s: ${shortList(listed)}`
				: `no ${noun} has the title "${text}"${listed.length > 0 ? `; there are ${shortList(listed)}` : `, as far as the service shows titles of ${noun}s`}`,
	};
}

function known(entries: ReadonlyArray<{ whole: string; title: string }>): string[] {
	const titles = new Set(entries.filter(({ title }) => title !== '').map(({ whole }) => whole));
	return [...titles].sort((one, other) => one.localeCompare(other, 'en'));
}

function shortList(texts: readonly string[]): string {
	const more = texts.length - MOST_LISTED;
	return texts.slice(0, MOST_LISTED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** "Workspace / Column", as lists in the editor show it. */
function wholeTitle(
	directory: Directory,
	iri: string,
	title: string,
	collection: Collection,
): string {
	if (collection !== COLUMNS) return title;
	const workspace = directory.titleOf(workspaceOf(iri), '/workspaces');
	return workspace === undefined ? title : `${workspace} / ${title}`;
}

function workspaceOf(iri: string): string {
	return iri.split('/').slice(0, 3).join('/');
}

/** Without what is archived or stands in an archived workspace, where anything else is left. */
function withoutArchived<T extends Entry>(
	directory: Directory,
	entries: readonly T[],
): readonly T[] {
	const { records = [] } = directory.wholeList('/workspaces') ?? {};
	const archived = new Set(
		records.filter(({ archivedAt }) => archivedAt).map((record) => iriText(record)),
	);
	const current = entries.filter(({ iri }) => !archived.has(workspaceOf(iri)));
	return current.length > 0 ? current : entries;
}

function iriText(record: unknown): string {
	const iri = iriOf(record, '/workspaces');
	return 'value' in iri ? iri.value : '';
}

function comparableTitle(text: string): string {
	return text
		.normalize('NFC')
		.toLowerCase()
		.replace(/\s*\/\s*/g, '/')
		.trim();
}
