import { contracts } from '../contract';
import { titleCase } from '../contract/label';
import { UnusableParameter } from '../common/errors';
import { filledPath, idOf, pathParameters } from '../common/iri';
import { isBlank } from '../contract/blank';
import type { Item } from './item';

/** Where a request goes. */
export interface Address {
	path: string;
	/** Id of the record that is addressed; absent for a collection. */
	id?: string;
}

/**
 * The path of an item's request, from the template in the description and the item's parameters.
 *
 * @throws UnusableParameter naming the locator that holds no id
 */
export function addressOf({ context, request }: Item): Address {
	const { url: template = '' } = request;
	const names = pathParameters(template);
	const ids = Object.fromEntries(
		names.map((name) => [
			name,
			locatedId(name, context.getNodeParameter(name, undefined, { extractValue: true })),
		]),
	);
	const last = names.at(-1);
	return {
		path: filledPath(template, ids),
		...(last === undefined ? {} : { id: ids[last] }),
	};
}

function locatedId(name: string, value: unknown): string {
	const { noun, collection } = Object.values(contracts).find(({ locator }) => locator === name)!;
	const label = titleCase(noun);
	if (isBlank(value)) {
		throw new UnusableParameter(
			`${label} is empty`,
			`Choose a ${noun} from the list, or give its ID. An expression must give an ID for every item`,
		);
	}
	const id = idOf(value, collection);
	if ('value' in id) return id.value;
	throw new UnusableParameter(
		`${label}: ${id.expected}`,
		`Give the ID of the ${noun} as the service shows it, without any other part of an address`,
	);
}
