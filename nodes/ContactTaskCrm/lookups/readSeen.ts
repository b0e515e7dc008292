import { iriOf, valueOf } from '../common/iri';
import { nameIn } from '../common/records';
import type { LookupReader } from './read';
import { ifNotReadable } from './listErrors';
import type { Seen } from './sightings';
import { seenLately } from './sightings';

/** What is known of a collection. */
export interface SeenList {
	seen: Seen[];
	/** Whether there may be more than that. */
	isCut: boolean;
}

/**
 * The records of a collection that the interface lists, or of one that it does not: users and tags are
 * known from the records that show them.
 *
 * @throws ServiceError or RateLimited where nothing can be told
 */
export async function readSeen(
	reader: LookupReader,
	collection: '/segments' | '/tags' | '/users',
): Promise<SeenList> {
	if (collection === '/segments') return await readListed(reader, collection);
	const listed = await reader.undocumented(collection).catch(ifNotReadable);
	const isListed = listed?.isCut === false;
	const isCut =
		!isListed &&
		(await readSources(sourcesOf(reader, collection)).catch(async (error: unknown) => {
			// What was seen otherwise is better than nothing.
			if (seenLately(reader.identity, collection).length === 0) await Promise.reject(error);
			await ifNotReadable(error);
			return true;
		}));
	return { seen: seenLately(reader.identity, collection), isCut };
}

/** The lists whose records show those of the collection. */
function sourcesOf(reader: LookupReader, collection: string): Source[] {
	return [
		...(collection === '/users' ? [async () => await reader.list('/workspaces')] : []),
		async () => await firstPageOf(reader, '/people'),
		async () => await firstPageOf(reader, '/tasks'),
	];
}

async function readListed(reader: LookupReader, collection: string): Promise<SeenList> {
	const { records, isCut } = await reader.list(collection);
	const seen = records.flatMap((record) => {
		const iri = valueOf(iriOf(record, collection));
		return iri === undefined ? [] : [{ iri, name: nameIn(record), shownBy: new Map() }];
	});
	return { seen: uniqueByIri(seen), isCut };
}

function uniqueByIri(seen: Seen[]): Seen[] {
	return [...new Map(seen.map((record) => [record.iri, record])).values()];
}

type Source = () => Promise<{ isCut: boolean }>;

async function firstPageOf(reader: LookupReader, path: string): Promise<{ isCut: boolean }> {
	const { nextPage } = await reader.page(path);
	return { isCut: nextPage !== undefined };
}

/**
 * Reads lists one after the other, and goes without those that cannot be read now or with this key.
 *
 * @returns whether anything was not read
 * @throws what the first of them threw, where none could be read
 */
async function readSources(sources: Source[]): Promise<boolean> {
	const reasons: unknown[] = [];
	let isCut = false;
	for (const read of sources) {
		const source = await read().catch(async (error: unknown) => {
			reasons.push(error);
			return await ifNotReadable(error);
		});
		isCut ||= source?.isCut ?? true;
	}
	if (reasons.length === sources.length) await Promise.reject(reasons[0]);
	return isCut;
}
