import type { IDataObject, ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { CREDENTIAL } from '../util/credential';
import type { Entry } from '../tenant/directory';
import { sourceOf, titleIn } from '../tenant/collections';
import { noneIf, rethrow } from '../util/errors';
import { comparableId, iriOf, valueOf } from '../util/iri';
import { entryLabel, lastEntry, shortId } from './labels';
import { explainedForList, isUnreadable, ListReader } from './listReader';

/**
 * Returns the known records of a collection as options, sorted by label. `isCut` tells whether the service may have
 * more. If the service has no list of users or tags, they are known from the records that refer to them.
 *
 * @throws ServiceError or RateLimited if nothing is known
 */
export async function readKnown(
	reader: ListReader,
	collection: '/segments' | '/tags' | '/users',
): Promise<{ options: INodePropertyOptions[]; isCut: boolean }> {
	const { known, isCut } =
		collection === '/segments'
			? await readListed(reader, collection)
			: await readShown(reader, collection);
	const kind = collection === '/users' ? 'colleague' : sourceOf(collection).noun;
	const options = known
		.map((entry) => ({ name: entryLabel(entry, kind), value: entry.iri }))
		.sort((one, other) => one.name.localeCompare(other.name));
	return { options, isCut };
}

async function readListed(reader: ListReader, collection: '/segments') {
	const { records, isCut } = await reader.list(collection);
	const entries = records.flatMap((record): Entry[] => {
		const iri = valueOf(iriOf(record, collection));
		return iri === undefined ? [] : [{ iri, title: titleIn(record, collection) }];
	});
	return { known: [...new Map(entries.map((entry) => [entry.iri, entry])).values()], isCut };
}

/** Returns known users or tags. Reads their own list, or else lists of records that refer to them, if it can. */
async function readShown(reader: ListReader, collection: '/tags' | '/users') {
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
	// Records from earlier requests are better than an error.
	if (reasons.length === sources.length && known.length === 0) rethrow(reasons[0]);
	return { known, isCut };
}

/** Returns the users or tags that the service has shown, and those that the credential names. */
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

/**
 * Returns the loader of a drop-down. The editor calls the loader once before a new node has a credential, and would keep
 * showing an error. For an API error, the editor shows "[object Object]" and hides earlier choices.
 */
function forDropDown(collection: '/segments' | '/tags' | '/users') {
	const { knownBy } = sourceOf(collection);
	const moreExist = lastEntry(`More exist: give an ID or a ${knownBy} as an expression`);
	return async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
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

/** Returns earlier choices of the user that are not among the options, so that the editor shows them. */
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
