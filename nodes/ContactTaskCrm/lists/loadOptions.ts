import type { IDataObject, ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { CREDENTIAL } from '../http/credential';
import { sourceOf } from '../tenant/titles';
import { iriOf } from '../util/iri';
import { readKnown } from './knownRecords';
import { lastEntry, shortId } from './labels';
import { explainedForList } from './listErrors';
import { ListReader } from './listReader';

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
