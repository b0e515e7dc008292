import { meansTitle } from '../values/list';
import { comparableId, iriOf, lastSegment, valueOf } from '../values/reference';
import { cleanText, shortened } from '../values/text';

/*
 * The names that the user gives to users and tags in the credential. The interface documents no list of users or tags
 * (section 4.4).
 */

const NAMED = ['/tags', '/users'] as const;

type NamedCollection = (typeof NAMED)[number];

/** A line of the credential that names a user or tag. */
export interface NamedLine {
	/** Number of the line, from 1. */
	line: number;
	id: string;
	name: string;
	/** Collections that may have the record. For /users/3f2a, only users. For 3f2a, users and tags. */
	collections: readonly NamedCollection[];
	/** Whether the ID is cut off with an ellipsis. The node then ignores the line. */
	isCut: boolean;
}

/** IRI of a user or tag, and its name in the credential. */
interface NamedRecord {
	iri: string;
	name: string;
}

/**
 * Line breaks: all characters that a dot in a regular expression does not match. With such a character inside a line,
 * matching `LINE` could take quadratic time.
 */
const LINE_END = /\r\n|[\r\n\u2028\u2029]/;

/** An ID or IRI, "=" and a name. An ID may contain "=", as in "ab= = Eva". So " = " takes precedence over "=". */
const LINE = /^(.*?)\s=\s(.*)$|^([^=]*)=(.*)$/;

/** The end of a shortened ID: "…" or "...". */
const ELLIPSIS = /(?:…|\.{3})$/;

/** Maximum length of a quotation from a line, in characters. */
const MOST_SHOWN = 60;

/** Names that the user gives to users and tags of the CRM in the credential. */
export class NameTable {
	/** Problems with lines that the node cannot use. */
	readonly problems: string[] = [];

	/** Usable lines, and lines with a shortened ID. */
	readonly lines: NamedLine[] = [];

	/**
	 * Lines by the IRIs that they may name. The line "3f2a = Eva" has two IRIs: /tags/3f2a and /users/3f2a. Keys are made
	 * by `comparableId`.
	 */
	private readonly byIri = new Map<string, NamedLine>();

	/**
	 * Reads the names, and notes the problem of each line that cannot be used.
	 *
	 * @param text one name per line, "/users/3f2a = Eva de Vries"; skips blank lines and lines that begin with "#"
	 * @param shows returns whether the service has shown a record with this IRI
	 */
	constructor(
		text: unknown,
		private readonly shows: (iri: string, collection: string) => boolean = () => false,
	) {
		const lines = typeof text === 'string' ? text.split(LINE_END) : [];
		for (const [index, whole] of lines.entries()) {
			const line = whole.trim();
			if (cleanText(line) === '' || line.startsWith('#')) continue;
			const problem = this.readLine(line, index + 1);
			if (problem !== undefined) this.problems.push(`line ${index + 1}: ${problem}`);
		}
	}

	nameOf(reference: unknown, collection: string): string | undefined {
		const iri = valueOf(iriOf(reference, collection));
		const line = iri === undefined ? undefined : this.byIri.get(comparableId(iri));
		const isNamed = line && !line.isCut && (isSure(line) || this.shows(iri!, collection));
		return isNamed ? line.name : undefined;
	}

	/** Returns the names of the users and tags that a text mentions by IRI. */
	namesIn(text: string): string[] {
		return NAMED.flatMap((collection) =>
			(text.match(new RegExp(`${collection}/[\\w-]+`, 'g')) ?? []).flatMap(
				(iri) => this.nameOf(iri, collection) ?? [],
			),
		);
	}

	/**
	 * Returns the records of a collection that have a name in the credential, in the order of the lines. An ID without
	 * a path, such as 3f2a, counts for each collection where the service has shown it.
	 */
	entries(collection: string): NamedRecord[] {
		return this.recordsOf(collection, (line, iri) => isSure(line) || this.shows(iri, collection));
	}

	/**
	 * Returns records for the IDs without a path, such as 3f2a, that may belong to this collection. Leaves out an ID
	 * once the service has shown a user or tag with the ID.
	 */
	unplaced(collection: string): NamedRecord[] {
		return this.recordsOf(collection, (line) => !isSure(line) && !this.isShown(line));
	}

	/** Returns whether the credential gives this name to a record of the collection, or to an ID without a path. */
	holds(text: string, collection: string): boolean {
		const isMeant = meansTitle(text);
		const named = [...this.entries(collection), ...this.unplaced(collection)];
		return named.some(({ name }) => isMeant(name));
	}

	/** Returns whether the service has shown the user or tag of a line. */
	isShown({ id, collections }: NamedLine): boolean {
		return collections.some((one) => this.shows(`${one}/${id}`, one));
	}

	private recordsOf(
		collection: string,
		counts: (line: NamedLine, iri: string) => boolean,
	): NamedRecord[] {
		return this.lines.flatMap((line) => {
			const { id, name, isCut, collections } = line;
			const iri = `${collection}/${id}`;
			const isOf = !isCut && collections.some((one) => one === collection);
			return isOf && counts(line, iri) ? [{ iri, name }] : [];
		});
	}

	/** Adds a line. Returns the problem with it; undefined if there is none. */
	private readLine(text: string, line: number): string | undefined {
		const [, spacedId, spacedName = '', whole = spacedId, given = spacedName] =
			LINE.exec(text) ?? [];
		if (whole === undefined) {
			return `expected an ID, "=" and a name, such as /users/3f2a = Eva de Vries, got "${shortened(text, MOST_SHOWN)}"`;
		}
		const reference = cleanText(whole);
		const isCut = ELLIPSIS.test(reference);
		const iris = NAMED.flatMap((collection) => {
			const iri = valueOf(iriOf(reference.replace(ELLIPSIS, ''), collection));
			return iri === undefined ? [] : [[collection, iri] as const];
		});
		const [first] = iris;
		if (!first) {
			return `expected the ID of a user or tag, such as /users/3f2a or /tags/7c1e, got "${shortened(reference, MOST_SHOWN)}"`;
		}
		const name = given.trim();
		if (cleanText(name) === '')
			return `there is no name behind "${shortened(reference, MOST_SHOWN)} ="`;
		const id = lastSegment(first[1]);
		const collections = iris.map(([collection]) => collection);
		const one: NamedLine = { line, id, name, collections, isCut };
		const keys = iris.map(([, iri]) => comparableId(iri));
		const before = keys.map((key) => this.byIri.get(key)).find(Boolean);
		if (!before) {
			this.lines.push(one);
			for (const key of keys) this.byIri.set(key, one);
		} else if (before.name !== name) {
			return `"${shortened(id, MOST_SHOWN)}" has the name ${shownName(one)} here, and ${shownName(before)} on line ${before.line}`;
		}
		return undefined;
	}
}

function isSure({ collections }: NamedLine): boolean {
	return collections.length === 1;
}

function shownName({ name }: NamedLine): string {
	return `"${shortened(name, MOST_SHOWN)}"`;
}
