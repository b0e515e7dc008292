import type { IDataObject } from 'n8n-workflow';
import { UnusableParameter } from '../common/errors';
import { listOf } from '../common/lists';
import { parsedList } from '../common/references';
import { isObject, withoutBlanks } from '../contract/blank';
import type { Field } from '../contract/field';
import { labelOf } from '../contract/label';
import { numberOf } from './coercion';
import type { BodySpecification } from './specification';

/**
 * The fields that were given a value, in the form of the interface. Tables and agents give a list as
 * text.
 */
export function givenFields(given: IDataObject, { fields }: BodySpecification): IDataObject {
	const found = Object.entries(given).map(([name, value]): [string, unknown] => {
		const field: Field | undefined = fields[name];
		return [name, field === undefined ? withoutBlanks(value) : givenIn(name, field, value)];
	});
	return Object.fromEntries(found.filter(([, value]) => value !== undefined)) as IDataObject;
}

function givenIn(name: string, field: Field, value: unknown): unknown {
	const { kind, isList, entryKey } = field;
	if (entryKey !== undefined) return entriesIn(name, field, entryKey, value);
	if (kind === 'number' && typeof value === 'string') {
		return numberOf(value) ?? withoutBlanks(value);
	}
	const holdsParts = isList || kind === 'object' || kind === 'any';
	return withoutBlanks(holdsParts ? (parsedList(value) ?? value) : value);
}

/**
 * The entries that hold something, each with all parts that the interface requires of one.
 *
 * @throws UnusableParameter where an entry is of another form, since it would be left out without a word
 */
function entriesIn(name: string, { written }: Field, entryKey: string, value: unknown): unknown {
	const parts = partNames(written);
	const entries = entriesGiven(value)
		.map((entry) => (isObject(entry) ? entry : { [entryKey]: entry }))
		.map((entry) => withoutBlanks(entry) as IDataObject | undefined)
		.filter((entry) => entry !== undefined)
		.filter((entry) => {
			if (Object.hasOwn(entry, entryKey)) return true;
			if (Object.keys(entry).every((part) => parts.includes(part))) return false;
			throw new UnusableParameter(
				`${labelOf(name)}: expected entries with "${entryKey}", got ${JSON.stringify(entry)}`,
				'Correct the expression, or give a list of texts',
			);
		});
	if (entries.length === 0) return undefined;
	const complete = parts.map((part) => [part, null]);
	return entries.map((entry) => ({ ...Object.fromEntries(complete), ...entry }));
}

/** Several values, from a list, a list as JSON text, text with commas, or one value. */
export function entriesGiven(value: unknown): unknown[] {
	return listOf(value) ?? listOf(parsedList(value)) ?? partsOf(value);
}

function partsOf(value: unknown): unknown[] {
	const parsed = parsedList(value);
	if (parsed !== undefined) return [parsed];
	return typeof value === 'string' ? value.split(',') : [value];
}

/** The names of the parts that an entry has. */
function partNames(written: Field['written']): string[] {
	const { element } = (written ?? {}) as { element?: { shape?: object } };
	return Object.keys(element?.shape ?? {});
}
