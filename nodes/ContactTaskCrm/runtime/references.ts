import type { Resolved } from '../common/iri';
import { idOf, iriOf, lastSegment } from '../common/iri';
import type { Collection, Directory } from '../directory/directory';
import { byTitle, isTitle, titledCollection } from '../directory/find';

/** Thrown while parameters are read: a title was given, and has to be looked up first. */
export class TitlesNeeded extends Error {
	constructor(readonly collection: Collection) {
		super(`titles of ${collection}`);
	}
}

/**
 * Reads the references that parameters hold: IDs and IRIs by themselves, and titles by what is known of the
 * tenant's records.
 */
export class References {
	/**
	 * @param directory what is known; absent while nothing has been asked for
	 * @param looked the collections of which the titles were asked for
	 */
	constructor(
		private readonly directory?: Directory,
		private readonly looked: ReadonlySet<Collection> = new Set(),
	) {}

	/**
	 * The IRI that a reference stands for, or what was expected in its place.
	 *
	 * @throws TitlesNeeded where the titles of the collection have to be asked for first
	 */
	iri(reference: unknown, collection: string): Resolved {
		const titled = titledCollection(collection);
		const text = typeof reference === 'string' ? reference.trim() : '';
		if (titled === undefined || !isTitle(text, titled)) return iriOf(reference, collection);
		if (!this.directory || !this.looked.has(titled)) throw new TitlesNeeded(titled);
		return byTitle(this.directory, text, titled);
	}

	/** The ID that a reference stands for, or what was expected in its place. */
	id(reference: unknown, collection: string): Resolved {
		const titled = titledCollection(collection);
		const text = typeof reference === 'string' ? reference.trim() : '';
		if (titled === undefined || !isTitle(text, titled)) return idOf(reference, collection);
		const iri = this.iri(reference, collection);
		return 'value' in iri ? { value: lastSegment(iri.value) } : iri;
	}
}
