import { partition } from 'lodash';
import {
	type IDataObject,
	type ILoadOptionsFunctions,
	type INodePropertyOptions,
	NodeOperationError,
} from 'n8n-workflow';
import { CREDENTIAL } from '../http/credential';
import type { Entry } from '../crm/directory';
import { SOURCES } from '../schema/record';
import { person } from '../schema/person';
import { noneIf, rethrow } from '../util/errors';
import { entryLabel, noteEntry, noteAtEnd } from './labels';
import { explainedForList, isUnreadable, ListReader } from './listReader';
import { locatedIn } from '../values/json';
import { comparableId, iriOf, lastSegment } from '../values/reference';
import { isBlank } from '../values/text';

/** A collection that a drop-down lists. */
type Listed = '/segments' | '/tags' | '/users';

/**
 * Returns the known records of a collection as options, sorted by label. If the service has no list of users or tags,
 * the node takes them from other records, such as the owners of people.
 *
 * @returns the options; in `isCut`, whether the service may have more; in `hasUnnamed`, whether a user or tag has no
 *   name
 * @throws ServiceError or RateLimited if no list can be read and nothing is known, or if the key is wrong
 */
export async function readKnown(
	reader: ListReader,
	collection: Listed,
): Promise<{ options: INodePropertyOptions[]; isCut: boolean; hasUnnamed: boolean }> {
	const isWhole =
		collection !== '/segments' &&
		(await reader.readsWhole(collection).catch(noneIf(isUnreadable))) === true;
	const reasons: unknown[] = [];
	let isCut = false;
	const sources = isWhole ? [] : sourcesOf(reader, collection);
	for (const readSource of sources) {
		const isSourceCut = await readSource().catch(async (error: unknown) => {
			reasons.push(error);
			await noneIf(isUnreadable)(error);
			return true;
		});
		isCut ||= isSourceCut;
	}
	const known = knownEntries(reader, collection, isWhole);
	// If earlier requests have shown records, the user gets these records instead of the error.
	if (known.length === 0 && reasons.length > 0 && reasons.length === sources.length) {
		rethrow(reasons[0]);
	}
	const kind = collection === '/users' ? 'colleague' : SOURCES[collection].noun;
	const optionsOf = (entries: readonly Entry[]) =>
		entries
			.map((entry) => ({ name: entryLabel(entry, kind), value: entry.iri }))
			.sort((one, other) => one.name.localeCompare(other.name));
	// Records with a name come first, because users look for names.
	const options = partition(known, ({ title }) => title !== '').flatMap(optionsOf);
	const hasUnnamed = collection !== '/segments' && known.some(({ title }) => title === '');
	return { options, isCut, hasUnnamed };
}

/**
 * Returns functions that read the lists where records of a collection appear. Each function returns whether the service
 * has more pages of its list.
 */
function sourcesOf(reader: ListReader, collection: Listed): Array<() => Promise<boolean>> {
	const whole = (path: string) => async () => (await reader.list(path)).isCut;
	if (collection === '/segments') return [whole(collection)];
	const page = (path: string) => async () => (await reader.page(path)).next !== undefined;
	const workspaces = collection === '/users' ? [whole('/workspaces')] : [];
	return [...workspaces, page('/people'), page('/tasks')];
}

/**
 * Returns the records that the service has shown. Adds the users or tags that only the credential names, unless the
 * service has shown its whole list (`isWhole`).
 */
function knownEntries(
	{ directory, names }: ListReader,
	collection: Listed,
	isWhole: boolean,
): Entry[] {
	const seen = directory.entries(collection).map((entry) => ({
		...entry,
		title: entry.title || (names.nameOf(entry.iri, collection) ?? ''),
	}));
	const ids = new Set(seen.map(({ iri }) => comparableId(iri)));
	const others = names
		.entries(collection)
		.filter(({ iri }) => !isWhole && !ids.has(comparableId(iri)))
		// The service has shown other users or tags, but not this one. So the ID in the credential may be mistyped, and the
		// label says "not seen yet".
		.map(({ iri, name }) => ({ iri, title: seen.length > 0 ? `${name} (not seen yet)` : name }));
	return [...seen, ...others];
}

/**
 * Returns the note that a drop-down shows in a node without a credential. The editor loads the drop-downs of a new node
 * before the node has a credential. When the user chooses a person, the editor loads the drop-downs again, and by then
 * the node has a credential. So the note asks for the person if the operation needs a person and none is chosen.
 * Otherwise, the note asks for a credential.
 */
function noteWithoutCredential(context: ILoadOptionsFunctions): INodePropertyOptions {
	const chosen = context.getCurrentNodeParameter(person.locator);
	const isOfPerson = chosen !== undefined && isBlank(locatedIn(chosen));
	return noteEntry(isOfPerson ? 'Choose the person first' : 'Choose a credential first');
}

/**
 * Returns the function that loads a drop-down. Without a credential, the function returns a note, because the editor
 * would keep showing an error. After a failure, the function returns the user's earlier choices with a note, because an
 * error would hide these choices. If there are none, it throws a NodeOperationError, because the editor shows a
 * NodeApiError as "[object Object]".
 */
function forDropDown(collection: Listed) {
	const { knownBy } = SOURCES[collection];
	const more = `More exist: give an ID or a ${knownBy} as an expression`;
	return async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		if (this.getNode().credentials?.[CREDENTIAL] === undefined)
			return [noteWithoutCredential(this)];
		const withChosen = (options: INodePropertyOptions[]) => [
			...options,
			...chosenBefore(this.getCurrentNodeParameters(), collection, options),
		];
		try {
			const known = await readKnown(await ListReader.open(this), collection);
			return [...withChosen(known.options), ...noteAtEnd(known, more)];
		} catch (error) {
			const { text } = explainedForList(error, 'give an ID as an expression');
			const chosen = withChosen([]);
			if (chosen.length > 0) return [...chosen, noteEntry(text)];
			throw new NodeOperationError(this.getNode(), text);
		}
	};
}

/** Returns the user's earlier choices that are not among the options, so that the editor still shows these choices. */
function chosenBefore(
	parameters: IDataObject | undefined,
	collection: string,
	found: readonly INodePropertyOptions[],
): INodePropertyOptions[] {
	const known = new Set(found.map(({ value }) => value));
	const isChosen = (text: string) =>
		!known.has(text) && text.startsWith('/') && 'value' in iriOf(text, collection);
	const chosen = new Set(allTextsIn(parameters).filter(isChosen));
	return [...chosen].map((iri) => ({ name: `Chosen before (${lastSegment(iri)})`, value: iri }));
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
