import { mapValues } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import type { Field } from '../schema/field';
import { UnusableParameter } from '../util/errors';
import { isObject, partsWhere } from '../values/json';
import { isModelsNone, isObjectText } from '../values/placeholder';
import { isBlank, quoted } from '../values/text';
import type { InputItem } from './item';
import type { BodySpecification } from './specification';

/*
 * Handles texts that hold no value: "[object Object]", and the words that a language model writes for "none".
 */

/**
 * Refuses a value that is the text "[object Object]", or has this text in one of its parts. Rows, JSON and calls by AI
 * agents may hold this text.
 *
 * @throws UnusableParameter that names the parameter or column
 */
export function refuseObjectText(value: unknown, label: () => string): void {
	if (!holdsObjectText(value)) return;
	throw new UnusableParameter(
		`${label()}: expected a value, got "[object Object]", because an expression gave an object`,
		'Correct the value: take one text of the object, such as {{ $json.customer.name }}',
		label(),
	);
}

function holdsObjectText(value: unknown): boolean {
	if (typeof value === 'string') return isObjectText(value);
	if (Array.isArray(value)) return value.some(holdsObjectText);
	return isObject(value) && Object.values(value).some(holdsObjectText);
}

/**
 * Returns the fields that an AI agent gives, without the words that its model writes for "none". Required texts keep
 * these words. References keep them as well, because "Todo" may be a title. `withReferences` later looks for such a
 * title.
 */
export function withoutModelsNone(
	item: InputItem,
	given: IDataObject,
	{ fields, required }: BodySpecification,
): IDataObject {
	const note = (name: string, text: string) =>
		item.addNote(`${item.labelAt(name, given)} ${quoted(text)} counts as blank`);
	const kept = Object.entries(given).flatMap(([name, value]): Array<[string, unknown]> => {
		const field = fields[name];
		const isKept =
			!field || field.refersTo !== undefined || (required.includes(name) && !field.isList);
		if (isKept) return [[name, value]];
		const own = withoutNone(value, [name], { field, note: (text) => note(name, text) });
		return own === undefined ? [] : [[name, own]];
	});
	return Object.fromEntries(kept) as IDataObject;
}

/**
 * Returns a value without a model's words for "none" in it; undefined if nothing is left.
 *
 * @param names name of the field, and of its part if the value is a part
 */
function withoutNone(
	value: unknown,
	names: readonly string[],
	{ field, note }: { field: Field; note: (text: string) => void },
): unknown {
	if (typeof value === 'string') {
		if (!isModelsNone(value, names)) return value;
		note(value);
		return undefined;
	}
	const { entryKey, kind } = field;
	if (Array.isArray(value) && entryKey !== undefined) {
		const left = (one: unknown) => withoutNone(one, names, { field, note });
		const entries = value.flatMap((entry): unknown[] => {
			if (!isObject(entry)) return left(entry) === undefined ? [] : [entry];
			const { [entryKey]: key, ...others } = entry;
			if (key !== undefined && left(key) === undefined) return [];
			return [{ ...entry, ...mapValues(others, (part) => left(part) ?? null) }];
		});
		return entries.length > 0 || value.length === 0 ? entries : undefined;
	}
	if (kind !== 'object' || !isObject(value)) return value;
	const parts = partsWhere(
		value,
		(part, name) => withoutNone(part, [...names, name], { field, note }) !== undefined,
	);
	return Object.keys(parts).length > 0 ? parts : undefined;
}

/**
 * Returns whether a value is a word that the model of an AI agent writes for "none". Without an AI agent, returns false
 * for every value.
 *
 * @param names name of the field, if a field takes the value
 */
export function isAgentsNone({ run }: InputItem, value: unknown, names: string[] = []): boolean {
	const isWord = typeof value === 'string' && !isBlank(value);
	return run.isTool && isWord && isModelsNone(value, names);
}
