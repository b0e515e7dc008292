import type { Resolved } from '../util/iri';
import { comparableId, iriOf, lastSegment, valueOf } from '../util/iri';
import { shortened } from '../util/quoted';
import { cleanText, comparableTitle } from '../util/values';

/** The collections whose records the credential may name: the interface shows no list of them (4.4). */
const NAMED = ['/tags', '/users'] as const;

export type NamedCollection = (typeof NAMED)[number];

/** A user or tag with the name that the credential gives it. */
export interface NamedRecord {
	iri: string;
	name: string;
	/** The line that says so, counted from 1. */
	line: number;
	/** Whether the line says that it is of this collection: an ID alone may be that of a user or of a tag. */
	isSure: boolean;
}

/** An ID or IRI, "=" and a name; an ID may hold "=", too, so that one between blanks parts them first. */
const LINE = /^(.*?)\s=\s(.*)$|^([^=]*)=(.*)$/;

/** So much of a line a message shows. */
const MOST_SHOWN = 60;

/** The names that a credential gives to users and tags. */
export class NameTable {
	/** What is wrong with lines that name nobody, in words. */
	readonly problems: string[] = [];

	/** By collection, and by IRI as it is compared. */
	private readonly named = new Map<string, Map<string, NamedRecord>>(
		NAMED.map((collection) => [collection, new Map<string, NamedRecord>()]),
	);

	/** @param text one name a line, "3f2a = Eva de Vries"; blank lines and those with "#" in front say nothing */
	constructor(text: unknown) {
		const lines = typeof text === 'string' ? text.split(/\r\n|\r|\n/) : [];
		for (const [index, whole] of lines.entries()) {
			const line = whole.trim();
			if (cleanText(line) === '' || line.startsWith('#')) continue;
			const problem = this.read(line, index + 1);
			if (problem !== undefined) this.problems.push(`line ${index + 1}: ${problem}`);
		}
	}

	/** The name of a record; undefined where it is given none. */
	nameOf(reference: unknown, collection: string): string | undefined {
		const iri = valueOf(iriOf(reference, collection));
		return iri === undefined ? undefined : this.named.get(collection)?.get(comparableId(iri))?.name;
	}

	/** All records of a collection that are named, in the order of the lines. */
	entries(collection: string): NamedRecord[] {
		return [...(this.named.get(collection)?.values() ?? [])];
	}

	/** Whether a text is the name of a record of a collection. */
	holds(text: string, collection: string): boolean {
		const wanted = comparableTitle(text);
		return this.entries(collection).some(({ name }) => comparableTitle(name) === wanted);
	}

	/** @returns what is wrong with a line; undefined where nothing is */
	private read(line: string, number: number): string | undefined {
		const [, spacedId, spacedName, id = spacedId, given = spacedName] = LINE.exec(line) ?? [];
		if (id === undefined) {
			return `expected an ID, "=" and a name, such as /users/3f2a = Eva de Vries, got "${shortened(line, MOST_SHOWN)}"`;
		}
		const reference = cleanText(id);
		const places = NAMED.map((collection): [NamedCollection, Resolved] => [
			collection,
			iriOf(reference, collection),
		]).flatMap(
			([collection, resolved]): Array<[NamedCollection, string]> =>
				'value' in resolved ? [[collection, resolved.value]] : [],
		);
		if (places.length === 0) {
			return `expected the ID of a user or tag, such as 3f2a, /users/3f2a or /tags/7c1e, got "${shortened(reference, MOST_SHOWN)}"`;
		}
		const name = given.trim();
		if (cleanText(name) === '')
			return `there is no name behind "${shortened(reference, MOST_SHOWN)} ="`;
		const isSure = places.length === 1;
		for (const [collection, iri] of places) {
			const records = this.named.get(collection)!;
			const before = records.get(comparableId(iri));
			if (before)
				return `"${shortened(lastSegment(iri), MOST_SHOWN)}" is named on line ${before.line}, too`;
			records.set(comparableId(iri), { iri, name, line: number, isSure });
		}
		return undefined;
	}
}
