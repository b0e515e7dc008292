import { get } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import type { Field } from '../schema/field';
import { labelOf } from '../schema/label';
import { withTimes } from '../crm/serviceForm';
import { Mistakes, UnusableParameter } from '../util/errors';
import type { Path } from './corrected';
import { corrected, propertyPath } from './corrected';
import type { Existing } from './existing';
import { entriesGiven, entriesIn } from './entries';
import type { InputItem } from './item';
import type { Source } from './labels';
import { type Cell, cellLabel, type Row } from '../tables/cell';
import { assertList, emptied, emptinessIn, givenAsJson, noteDotless, valuesOfRow } from './given';
import { isAgentsNone, refuseObjectText, withoutModelsNone } from './noValue';
import { withReferences } from './references';
import type { BodySpecification } from './specification';
import { isObject, locatedIn, parsedList, partTexts, trimmed, withoutBlanks } from '../values/json';
import { amountOf, isExact } from '../values/number';
import { isBlank, quoted, wordOf } from '../values/text';
import { inUtc } from '../values/time';
import { fieldNamesIn } from '../values/list';
import { withEachOnce } from '../schema/equality';

/** Facts about a request body that a caller of `bodyOf` may give in addition to the parameters of the item. */
interface Known {
	/** Values of the fields. By default, these are the values that n8n's engine put into the request. */
	fields?: IDataObject;
	/** The record to change; absent for a new record, or if the check of the body needs no present values. */
	existing?: Existing | undefined;
	/** Mistakes that earlier checks of the item have found. `bodyOf` adds the mistakes in the body. */
	mistakes?: Mistakes;
}

/**
 * Returns the body of an item's request. The values come from parameters of fields, from columns of a table, or from
 * JSON Body.
 *
 * @throws UnusableParameter that names each field with a mistake, and the expected value
 */
export async function bodyOf(
	item: InputItem,
	specification: BodySpecification,
	known: Known = {},
): Promise<IDataObject> {
	const { fields = (item.request.body ?? {}) as IDataObject, existing } = known;
	const { mistakes = new Mistakes() } = known;
	const given = checkedGiven(item, specification, fields, mistakes);
	const body = await withReferences(item, given, specification, mistakes);
	for (const name of fieldNamesIn(item.context.getNodeParameter('clearFields', []))) {
		mistakes.tried(() => (body[name] = emptied(item, specification, given, name)), name);
	}
	for (const name of fieldNamesIn(item.options.replaceLists)) {
		mistakes.tried(() => assertList(name, specification), name);
	}
	Object.assign(body, specification.fixed);
	for (const name of specification.nowWhereEmpty) {
		const isNow = isBlank(body[name]) || wordOf(body[name]) === 'now';
		if (isNow) body[name] = presentTime(item, name);
	}
	const isRight = specification.schema().safeParse(body).success;
	const right = isRight ? body : await corrected(item, body, specification, { existing, mistakes });
	for (const name of specification.required) {
		if (!isBlank(right[name]) || mistakes.isIn(name)) continue;
		mistakes.add(missing(item, name, right));
	}
	mistakes.throwAny();
	const checked = withEachOnce(specification, withTimes(right, specification, inUtc));
	for (const email of partTexts(checked.emailAddresses, 'email')) noteDotless(item, email);
	return checked;
}

/**
 * Returns the fields that the user gave, in the form that the service documents.
 *
 * @param mistakes receives a mistake for each text "[object Object]", and for each number that JSON cannot carry
 *   exactly
 */
function checkedGiven(
	item: InputItem,
	specification: BodySpecification,
	fields: IDataObject,
	mistakes: Mistakes,
): IDataObject {
	const { isJson, isMapped } = item;
	const all = isJson
		? givenAsJson(item, specification, mistakes)
		: givenFields(isMapped ? valuesOfRow(item.row) : fields, specification, {
				labelled: (field) => item.labelAt(field, fields),
				isNone: (value, field) => isAgentsNone(item, value, [field]),
				mistakes,
			});
	const given = item.run.isTool ? withoutModelsNone(item, all, specification) : all;
	for (const [name, value, label] of valuesOf(item, isJson ? given : fields)) {
		mistakes.tried(() => refuseObjectText(value, label), name);
	}
	for (const [name, value] of Object.entries(given)) {
		mistakes.tried(() => refuseInexactNumbers(item, { [name]: value }), name);
	}
	return given;
}

/**
 * Returns the present time as ISO 8601. With the option Approved Changes, returns the time in the approved preview,
 * because the approval covers no other time.
 */
export function presentTime(
	{ approval }: Pick<InputItem, 'approval'>,
	name: string,
): IDataObject[string] {
	const approved = approval?.valueOf(name) as IDataObject[string];
	return isBlank(approved) ? new Date().toISOString() : approved;
}

/**
 * Returns the values as the user gave them, each with its field and its label. A function returns the label, because
 * only few values need a label.
 */
function valuesOf(
	item: InputItem,
	fields: IDataObject,
): Array<[name: string, value: unknown, label: () => string]> {
	if (item.isMapped) {
		return item.row.cells.map((cell) => {
			const { column, fullName, value } = cell;
			return [column.field, fullName?.text ?? value, () => cellLabel(cell)];
		});
	}
	return Object.entries(fields).map(([name, value]) => {
		return [name, value, () => item.labelAt(name, fields)];
	});
}

/** Returns the error for a required field without a value. */
function missing(item: InputItem, name: string, body: IDataObject): UnusableParameter {
	return new UnusableParameter(
		`${item.labelAt(name, body)} ${emptinessIn(item.row, name)}`,
		item.isJson
			? `The JSON needs the field "${name}"`
			: item.headings
				? `Rename the column that holds it to ${labelOf(name)}. Preview Only lists the columns that are not taken`
				: `Enter a value. If it is an expression, it gave nothing for this item`,
	);
}

/**
 * Refuses numbers that JSON cannot carry exactly. JSON.stringify writes NaN and Infinity as null, which would empty the
 * field. A whole number of more than 15 digits may have lost digits before it reaches the node.
 *
 * @throws UnusableParameter that names the first of these numbers
 */
export function refuseInexactNumbers(item: InputItem, given: IDataObject): void {
	const path = pathToInexact(given);
	if (!path) return;
	const label = item.labelAt(propertyPath(path), given);
	throw new UnusableParameter(
		`${label}: expected a number that can be written exactly, got ${quoted(get(given, path))}`,
		'Correct the value; give a number of more than 15 digits as text',
		label,
	);
}

/** Returns the path to the first number that JSON may not carry exactly, at any depth; undefined without one. */
function pathToInexact(value: unknown, path: Path = []): Path | undefined {
	if (typeof value === 'number') return isExact(value) ? undefined : path;
	const parts: Array<[string | number, unknown]> = Array.isArray(value)
		? [...value.entries()]
		: isObject(value)
			? Object.entries(value)
			: [];
	for (const [key, part] of parts) {
		const found = pathToInexact(part, [...path, key]);
		if (found) return found;
	}
	return undefined;
}

interface GivenOptions {
	/** Returns the label of a field for messages. */
	labelled: (field: string) => string;
	/**
	 * Returns whether a value is a word for "none" that a language model wrote. `givenFields` leaves such a word
	 * unchanged, for `withoutModelsNone`.
	 */
	isNone: (value: unknown, field: string) => boolean;
	mistakes: Mistakes;
}

/**
 * Returns the fields that have a value, in the form that the service documents. Also parses text that holds a list,
 * because tables and AI agents give lists as text.
 */
function givenFields(
	given: Row,
	specification: BodySpecification,
	{ labelled, isNone, mistakes }: GivenOptions,
): IDataObject {
	const found: Record<string, unknown> = {};
	for (const [name, shown] of Object.entries(withParts(given, specification))) {
		const field: Field | undefined = specification.fields[name];
		const value =
			field === undefined
				? withoutBlanks(shown)
				: isNone(shown, name)
					? shown
					: mistakes.tried(() => givenIn(field, shown, () => labelled(name)), name);
		if (value !== undefined) found[name] = value;
	}
	return found as IDataObject;
}

/** Returns the value of one field in the form that the service documents; undefined for a blank. */
function givenIn(field: Field, value: unknown, label: () => string): unknown {
	const { kind, isList, entryKey, isAmount } = field;
	if (entryKey !== undefined) {
		const advice = 'Correct the expression, or give a list of texts';
		return entriesIn({ field, entryKey, label, advice }, value);
	}
	if ((kind === 'number' || kind === 'wholeNumber') && typeof value === 'string') {
		const amount = amountOf(value);
		if (isAmount && amount === undefined && !isBlank(value)) throw noAmount(value, label());
		// "12.5" for a whole number stays text. The zod schema then refuses it, and the message quotes the user's text.
		const usable = kind === 'number' || Number.isInteger(amount) ? amount : undefined;
		return usable ?? withoutBlanks(value);
	}
	const holdsParts = isList || kind === 'object' || kind === 'any';
	const given = withoutBlanks(holdsParts ? (parsedList(value) ?? value) : value);
	return kind === 'text' || kind === 'object' ? trimmed(given) : given;
}

/**
 * Matches a text with a dot or comma before its last three digits, such as 1.500. The dot or comma may separate
 * thousands or decimals.
 */
const UNCLEAR_SEPARATOR = /^\D*\d{1,3}[.,]\d{3}\D*$/;

function noAmount(text: string, label: string): UnusableParameter {
	const expected = UNCLEAR_SEPARATOR.test(text)
		? 'an amount without a separator before its last three digits, because it may mean decimals'
		: 'an amount such as 1500 or 1500.50';
	const message = `${label}: expected ${expected}, got ${quoted(text)}`;
	return new UnusableParameter(message, 'Correct the value, or leave it out', label);
}

/**
 * Assembles each field from the columns that give its parts. For example, the column Email becomes an entry of
 * `emailAddresses`.
 */
function withParts(given: Row, { fields, columns }: BodySpecification): Row {
	const whole: Record<string, unknown> = { ...given };
	const first = new Map<string, unknown[]>();
	for (const { name, field, isPart, part, entry } of columns) {
		const value = given[name];
		if (!isPart) continue;
		delete whole[name];
		if (isBlank(locatedIn(value))) continue;
		if (fields[field]?.isList) {
			const own = part === undefined ? [value] : [value].flat();
			const wholes = own.map((one) => (part === undefined ? one : { ...entry, [part]: one }));
			first.set(field, [...(first.get(field) ?? []), ...wholes]);
		} else if (part !== undefined) {
			whole[field] = { ...(isObject(whole[field]) ? whole[field] : {}), [part]: value };
		}
	}
	for (const [field, entries] of first) {
		whole[field] = [...entries, ...(isBlank(whole[field]) ? [] : entriesGiven(whole[field]))];
	}
	return whole;
}

/** Returns the parameters, columns and list entries that gave the values of an item. Messages use their labels. */
export function sourcesOf(
	item: InputItem,
	specification: BodySpecification,
	fields: Readonly<Record<string, unknown>>,
): Source[] {
	const cells: readonly Cell[] = item.isMapped
		? item.row.cells
		: specification.columns
				.filter(({ isPart }) => isPart)
				.map((column) => ({ column, value: fields[column.name] }));
	const found = cells.filter(({ value }) => !isBlank(locatedIn(value)));
	const own = found.map((cell): Source => {
		const { field, part, isPart } = cell.column;
		const gave = isPart ? 'part' : 'field';
		return { field, part, gave, label: cellLabel(cell), value: locatedIn(cell.value) };
	});
	const wholes = item.isMapped
		? own.filter(({ gave }) => gave === 'field')
		: Object.keys(fields).map((field) => ({ field, label: labelOf(field), value: fields[field] }));
	const entries = wholes.flatMap(({ field, label, value }): Source[] => {
		const part = specification.fields[field]?.entryKey;
		if (part === undefined || isBlank(value)) return [];
		return entriesGiven(value).map((entry, index) => ({
			...{ field, label: `${label} (entry ${index + 1})`, gave: 'entry' },
			...{ part, value: isObject(entry) ? entry[part] : entry },
		}));
	});
	return [...own, ...entries];
}
