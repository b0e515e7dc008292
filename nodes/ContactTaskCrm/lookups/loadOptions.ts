import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { CREDENTIAL } from '../transport/send';
import { lastEntry, MORE_MAY_EXIST } from './entries';
import { explainedForList } from './listErrors';
import { chosenBefore, optionsOf } from './options';
import { readSeen } from './readSeen';
import { LookupReader } from './read';

interface DropDown {
	/** Path of the collection that is listed. */
	collection: '/segments' | '/tags' | '/users';
	/** What to call a record of which nothing is known. */
	kind: string;
}

type LoadOptions = (this: ILoadOptionsFunctions) => Promise<INodePropertyOptions[]>;

/**
 * A list as the editor of n8n needs it. It asks once before it has chosen the credential of a new
 * node, and an error then stays in view after the list has come; it shows an error of the API as
 * "[object Object]", and with any error nothing of what was chosen before.
 */
function forDropDown({ collection, kind }: DropDown): LoadOptions {
	return async function () {
		if (this.getNode().credentials?.[CREDENTIAL] === undefined) return [];
		const withChosen = (options: INodePropertyOptions[]) => [
			...options,
			...chosenBefore(this.getCurrentNodeParameters(), collection, options),
		];
		try {
			const { seen, isCut } = await readSeen(await LookupReader.open(this), collection);
			return [...withChosen(optionsOf(seen, kind)), ...(isCut ? [MORE_MAY_EXIST] : [])];
		} catch (error) {
			const { text } = explainedForList(error, 'give an ID as an expression');
			const chosen = withChosen([]);
			if (chosen.length > 0) return [...chosen, lastEntry(text)];
			throw new NodeOperationError(this.getNode(), text);
		}
	};
}

export const loadOptions = {
	getOwners: forDropDown({ collection: '/users', kind: 'user' }),
	getSegments: forDropDown({ collection: '/segments', kind: 'segment' }),
	getTags: forDropDown({ collection: '/tags', kind: 'tag' }),
};
