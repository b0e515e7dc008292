import type { INodePropertyOptions } from 'n8n-workflow';
import type { Entry } from '../tenant/directory';
import { titleIn } from '../tenant/directory';
import { comparableId, iriOf, valueOf } from '../util/iri';
import { entryLabel } from './labels';
import { isUnreadable, noneIf } from './listErrors';
import type { ListReader } from './listReader';

/** The collections of which all records that are known are offered, and what to call one of them. */
const KINDS = { '/segments': 'segment', '/tags': 'tag', '/users': 'user' } as const;

/** What is known of a collection. */
export interface KnownRecords {
	/** By their IRIs, in the order of their labels. */
	options: INodePropertyOptions[];
	/** Whether there may be more than that. */
	isCut: boolean;
}

/**
 * The records of a collection that the interface lists, or of one that it does not: users and tags are
 * known from the records that show them.
 *
 * @throws ServiceError or RateLimited where nothing can be told
 */
export async function readKnown(
	reader: ListReader,
	collection: keyof typeof KINDS,
): Promise<KnownRecords> {
	const { known, isCut } =
		collection === '/segments'
			? await readListed(reader, collection)
			: await readShown(reader, collection);
	const options = known
		.map((entry) => ({ name: entryLabel(entry, KINDS[collection]), value: entry.iri }))
		.sort((one, other) => one.name.localeCompare(other.name));
	return { options, isCut };
}

interface KnownEntries {
	known: ReadonlyArray<Readonly<Entry>>;
	isCut: boolean;
}

async function readListed(reader: ListReader, collection: '/segments'): Promise<KnownEntries> {
	const { records, isCut } = await reader.list(collection);
	const entries = records.flatMap((record): Array<[string, Entry]> => {
		const iri = valueOf(iriOf(record, collection));
		return iri === undefined ? [] : [[iri, { iri, title: titleIn(record, collection) }]];
	});
	return { known: [...new Map(entries).values()], isCut };
}

/** Reads the lists that show records of the collection, and goes without those that cannot be read. */
async function readShown(
	reader: ListReader,
	collection: '/tags' | '/users',
): Promise<KnownEntries> {
	const isWhole = await reader.readUndocumented(collection).catch(noneIf(isUnreadable));
	if (isWhole) return { known: withNames(reader, collection, isWhole), isCut: false };

	const sources = [
		...(collection === '/users' ? [async () => (await reader.list('/workspaces')).isCut] : []),
		async () => (await reader.page('/people')).isFollowed,
		async () => (await reader.page('/tasks')).isFollowed,
	];
	const reasons: unknown[] = [];
	let isCut = false;
	for (const readSource of sources) {
		const isSourceCut = await readSource().catch(async (error: unknown) => {
			reasons.push(error);
			await noneIf(isUnreadable)(error);
			return true;
		});
		isCut ||= isSourceCut;
	}
	const known = withNames(reader, collection, false);
	// What was seen otherwise is better than nothing.
	if (reasons.length === sources.length && known.length === 0) await Promise.reject(reasons[0]);
	return { known, isCut };
}

/** The records that were seen, by the names of the credential where nothing else names them, and others it names. */
function withNames(
	{ directory, names }: ListReader,
	collection: '/tags' | '/users',
	isWhole: boolean,
): Entry[] {
	const seen = directory.entries(collection).map((entry) => ({
		...entry,
		title: entry.title || (names.nameOf(entry.iri, collection) ?? ''),
	}));
	const ids = new Set(seen.map(({ iri }) => comparableId(iri)));
	const others = names
		.entries(collection)
		.filter(({ iri, isSure }) => isSure && !isWhole && !ids.has(comparableId(iri)))
		.map(({ iri, name }) => ({ iri, title: name }));
	return [...seen, ...others];
}
