import type { IDataObject, ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { CREDENTIAL } from '../util/credential';
import type { Entry } from '../tenant/directory';
import { sourceOf, titleIn } from '../tenant/directory';
import { noneIf } from '../util/errors';
import { comparableId, iriOf, valueOf } from '../util/iri';
import { entryLabel, lastEntry, shortId } from './labels';
import { explainedForList, isUnreadable, ListReader } from './listReader';

/** The collections of which all records that are known are offered, and what to call one of them. */
const KINDS = { '/segments': 'segment', '/tags': 'tag', '/users': 'user' } as const;

/** What is known of a collection. */
interface KnownRecords {
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
		async () => (await reader.page('/people')).next !== undefined,
		async () => (await reader.page('/tasks')).next !== undefined,
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

type LoadOptions = (this: ILoadOptionsFunctions) => Promise<INodePropertyOptions[]>;

/**
 * A list as the editor of n8n needs it. It asks once before it has chosen the credential of a new
 * node, and an error then stays in view after the list has come; it shows an error of the API as
 * "[object Object]", and with any error nothing of what was chosen before.
 *
 * @param collection path of the collection that is listed
 */
function forDropDown(collection: '/segments' | '/tags' | '/users'): LoadOptions {
	const { knownBy } = sourceOf(collection);
	const moreExist = lastEntry(`More exist: give an ID or a ${knownBy} as an expression`);
	return async function () {
		if (this.getNode().credentials?.[CREDENTIAL] === undefined) return [];
		const withChosen = (options: INodePropertyOptions[]) => [
			...options,
			...chosenBefore(this.getCurrentNodeParameters(), collection, options),
		];
		try {
			const { options, isCut } = await readKnown(await ListReader.open(this), collection);
			return [...withChosen(options), ...(isCut ? [moreExist] : [])];
		} catch (error) {
			const { text } = explainedForList(error, 'give an ID as an expression');
			const chosen = withChosen([]);
			if (chosen.length > 0) return [...chosen, lastEntry(text)];
			throw new NodeOperationError(this.getNode(), text);
		}
	};
}

/**
 * The options that are chosen in a node and not among those that were found: they stay to be seen.
 *
 * @param parameters the parameters of the node as they stand in the editor
 * @param collection path of the collection that the options are from
 */
function chosenBefore(
	parameters: IDataObject | undefined,
	collection: string,
	found: readonly INodePropertyOptions[],
): INodePropertyOptions[] {
	const known = new Set(found.map(({ value }) => value));
	const isChosen = (text: string) =>
		!known.has(text) && text.startsWith('/') && 'value' in iriOf(text, collection);
	const chosen = new Set(allTextsIn(parameters).filter(isChosen));
	return [...chosen].map((iri) => ({ name: `Chosen before (${shortId(iri)})`, value: iri }));
}

function allTextsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	return typeof value === 'object' && value !== null
		? Object.values(value).flatMap(allTextsIn)
		: [];
}

export const loadOptions = {
	getOwners: forDropDown('/users'),
	getSegments: forDropDown('/segments'),
	getTags: forDropDown('/tags'),
};
