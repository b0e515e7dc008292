import type { IDataObject } from 'n8n-workflow';
import { isBlank } from '../common/references';
import type { BodySpecification } from './specification';

/**
 * What was filled in of the fields in the editor, which keeps the entries of a field that has
 * several under "values". Blank ones mean that nothing was given.
 */
export function filledInFields(given: IDataObject, { fields }: BodySpecification): IDataObject {
	const unwrapped = Object.entries(given).map(([name, value]): [string, unknown] => {
		const isWrapped = typeof value === 'object' && value !== null && Object.hasOwn(value, 'values');
		if (!isWrapped) return [name, isPlainObject(value) ? withoutBlanks(value) : value];
		return [name, filledEntries((value as { values: unknown }).values, fields[name]?.entryKey)];
	});
	return Object.fromEntries(
		unwrapped.filter(
			([name, value]) =>
				value !== undefined &&
				!isNotFilledIn(value) &&
				!(fields[name]?.isList && isEmptyList(value)),
		),
	) as IDataObject;
}

/** A field that was added but never filled in, or a blank cell of a table: it means nothing. */
function isNotFilledIn(value: unknown): boolean {
	return value === '' || isBareObject(value);
}

/** A list that was added but from which nothing was chosen; "Clear Fields" empties one on purpose. */
function isEmptyList(value: unknown): boolean {
	return Array.isArray(value) && value.length === 0;
}

/** The entries that hold something; undefined where none does. */
function filledEntries(values: unknown, key: string | undefined): unknown {
	if (!Array.isArray(values) || key === undefined) return values;
	const filled = values.filter((entry: IDataObject) => !isBlank(entry[key]));
	return filled.length > 0 ? filled : undefined;
}

/** The parts of a field that were filled in, such as those of an address. */
function withoutBlanks(value: IDataObject): IDataObject {
	return Object.fromEntries(Object.entries(value).filter(([, part]) => !isNotFilledIn(part)));
}

function isBareObject(value: unknown): boolean {
	return isPlainObject(value) && Object.keys(value).length === 0;
}

function isPlainObject(value: unknown): value is IDataObject {
	return (
		typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
	);
}
