import { contracts } from '../contract';
import { titleCase } from '../contract/label';
import type { RecordContract } from '../contract/record';
import { UnusableParameter } from '../common/errors';
import { isAddress } from '../common/identifiers';
import { filledPath, pathParameters } from '../common/iri';
import { locatedIn } from '../common/references';
import { isBlank, isObject } from '../contract/blank';
import type { Item } from './item';
import type { References } from './references';

/** Where a request goes. */
export interface Address {
	path: string;
	/** Id of the record that is addressed; absent for a collection. */
	id?: string;
	/** What the last locator of the path names: the record, or the one it stands below. */
	named?: { noun: string; id: string };
	/** The e-mail address by which a person is addressed: the path has still to be filled in. */
	email?: string;
}

/**
 * The path of an item's request, from the template in the description and the item's parameters.
 *
 * @throws UnusableParameter naming the locator that holds no id
 */
export function addressOf({ context, request, references }: Item): Address {
	const { url: template = '' } = request;
	const names = pathParameters(template);
	const { locator } = contracts.person;
	const email = names.includes(locator)
		? emailOf(context.getNodeParameter(locator, undefined))
		: undefined;
	if (email !== undefined) return { path: template, email };
	const ids = Object.fromEntries(
		names.map((name) => [
			name,
			locatedId(
				references,
				name,
				context.getNodeParameter(name, undefined, { extractValue: true }),
			),
		]),
	);
	const path = filledPath(template, ids);
	const last = names.at(-1);
	if (last === undefined) return { path };
	const { noun } = contractOf(last);
	const named = { noun, id: ids[last] };
	// What a comment is added to is its task, which is no comment itself.
	const isBelow = template.endsWith('/comments') || template.endsWith('/history');
	return { path, named, ...(isBelow ? {} : { id: ids[last] }) };
}

function contractOf(name: string): RecordContract {
	return Object.values(contracts).find(({ locator }) => locator === name)!;
}

/** The e-mail address that a locator holds: in the mode for it, or in any, since a model cannot choose one. */
function emailOf(located: unknown): string | undefined {
	const value = locatedIn(located);
	if (typeof value !== 'string' || isBlank(value)) return undefined;
	const isByEmail = isObject(located) && located.mode === 'email';
	return isByEmail || isAddress(value) ? value : undefined;
}

function locatedId(references: References, name: string, value: unknown): string {
	const { noun, collection } = contractOf(name);
	const label = titleCase(noun);
	if (isBlank(value)) {
		throw new UnusableParameter(
			`${label} is empty`,
			`Choose a ${noun} from the list, or give its ID. An expression must give an ID for every item`,
		);
	}
	const id = references.id(value, collection);
	if ('value' in id) return id.value;
	throw new UnusableParameter(
		`${label}: ${id.expected}`,
		`Give the ID of the ${noun} as the service shows it, without any other part of an address`,
	);
}
