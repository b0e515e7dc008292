import type { IDataObject } from 'n8n-workflow';
import type { ZodIssue } from 'zod';
import { isBlank, isObject, referencesIn } from '../util/values';
import { DATE_TIME_EXPECTED } from '../schema/formats';
import type { Field } from '../schema/field';
import { inUtc } from '../util/dateTime';
import { UnusableParameter } from '../util/errors';
import { asMeant } from '../util/identifiers';
import { quoted } from '../util/quoted';
import { givenFields, isExact, isMapped, replacementsFor, withParts } from './given';
import type { Item } from './item';
import { linkTo, linksIn } from './links';
import { fieldsOfRow, mappedRow } from './mappedColumns';
import { namesIn } from './output';
import { sourcesOf } from './sources';
import type { BodySpecification } from './specification';

type Path = Array<string | number>;

/**
 * The body of an item's request, from its fields or its JSON, as it goes over the wire.
 *
 * @param sources where the fields were given, for messages
 * @throws UnusableParameter naming the field and what was expected
 */
export async function bodyOf(
	item: Item,
	specification: BodySpecification,
	fields = (item.request.body ?? {}) as IDataObject,
	sources = () => sourcesOf(item, specification, fields),
): Promise<IDataObject> {
	const { context } = item;
	const isJson = context.getNodeParameter('inputMode', 'fields') === 'json';
	if (!isJson) item.sources = sources;
	const given = isJson
		? givenAsJson(item, specification)
		: givenFields(
				isMapped(item)
					? fieldsOfRow(mappedRow(item, specification), specification)
					: withParts(fields, fields, specification),
				specification,
				(field) => item.labelAt(field, fields),
			);
	refuseInexactNumbers(item, given);
	const body = await withReferences(item, given, specification, isJson);
	for (const name of namesIn(context.getNodeParameter('clearFields', []))) {
		if (Object.hasOwn(given, name)) throw givenAndCleared(item.labelAt(name, given));
		const field = Object.hasOwn(specification.fields, name)
			? specification.fields[name]
			: undefined;
		if (field?.emptiedBy === undefined) throw notClearable(name);
		body[name] = field.emptiedBy as IDataObject[string];
	}
	for (const name of specification.emptied) body[name] = null;
	for (const name of specification.nowWhereEmpty) {
		if (isBlank(body[name])) body[name] = new Date().toISOString();
	}
	const checked = withTimesInUtc(
		isJson ? checkedAsGiven(item, body, specification) : checkedWithCare(item, body, specification),
		specification,
	);
	for (const name of specification.required) {
		if (!isBlank(checked[name])) continue;
		throw new UnusableParameter(
			`${item.labelAt(name, checked)} is empty`,
			isJson
				? `The JSON needs the field "${name}"`
				: `Enter a value. If it is an expression, it gave nothing for this item`,
		);
	}
	return checked;
}

function notClearable(name: string): UnusableParameter {
	return new UnusableParameter(
		`Clear Fields: ${quoted(name)} is no field that can be emptied`,
		'Choose from the list, or give names of fields that may be empty',
	);
}

function givenAndCleared(label: string): UnusableParameter {
	return new UnusableParameter(
		`${label} is given a value and stands in Clear Fields, too`,
		'Remove it from one of the two',
	);
}

/**
 * The fields that a JSON Body holds.
 *
 * @throws UnusableParameter where it is no object
 */
export function parsedJson(given: unknown): IDataObject {
	if (isBlank(given)) {
		throw new UnusableParameter(
			'JSON Body is empty',
			'Write the fields in braces, e.g. {"familyName": "Jansen"}. If it is an expression, it gave nothing for this item',
		);
	}
	const value = typeof given === 'string' ? parsed(given) : given;
	if (value instanceof SyntaxError) {
		throw new UnusableParameter(
			`JSON Body is not valid JSON: ${value.message}`,
			'Check quotes, commas and brackets. In an expression, use JSON.stringify() for values that are put in',
		);
	}
	if (typeof value !== 'object' || value === null || Array.isArray(value)) {
		const got = value === null ? 'null' : Array.isArray(value) ? 'a list' : `a ${typeof value}`;
		throw new UnusableParameter(
			`JSON Body: expected an object, got ${got}`,
			'Write the fields in braces, e.g. {"familyName": "Jansen"}',
		);
	}
	return { ...(value as IDataObject) };
}

/** The fields of JSON, with e-mail addresses and phone numbers as they are meant. */
function givenAsJson({ context, request }: Item, { fields }: BodySpecification): IDataObject {
	const given = parsedJson(context.getNodeParameter('jsonBody', ''));
	const own = request.method === 'POST' ? withoutOwnNames(given, fields) : given;
	const entries = Object.entries(own).map(([name, value]) => {
		const { entryKey } = (fields[name] ?? {}) as Partial<Field>;
		const isOfContacts = entryKey !== undefined && Array.isArray(value);
		return [name, isOfContacts ? value.map((entry) => asMeant(entry, entryKey)) : value];
	});
	return Object.fromEntries(entries) as IDataObject;
}

/**
 * A record without what the service names itself, so that one that was read can be created anew: its IRI, and
 * the ID that goes with it; and of the parts that no other record is linked by, whatever JSON-LD adds.
 */
function withoutOwnNames(given: IDataObject, fields: BodySpecification['fields']): IDataObject {
	const isNamed = '@id' in given;
	const kept = Object.entries(given).filter(
		([name]) => !name.startsWith('@') && !(isNamed && name === 'id'),
	);
	const partOf = (value: unknown): unknown => {
		if (Array.isArray(value)) return value.map(partOf);
		if (!isObject(value)) return value;
		return Object.fromEntries(Object.entries(value).filter(([name]) => !name.startsWith('@')));
	};
	return Object.fromEntries(
		kept.map(([name, value]) => [name, fields[name]?.kind === 'object' ? partOf(value) : value]),
	) as IDataObject;
}

/** A body whose times all leave in one form, those within its parts, too. */
function withTimesInUtc(body: IDataObject, { fields }: BodySpecification): IDataObject {
	const within = (value: unknown): unknown => {
		if (Array.isArray(value)) return value.map(within);
		if (!isObject(value)) return inUtc(value);
		return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, within(part)]));
	};
	return Object.fromEntries(
		Object.entries(body).map(([name, value]) => {
			const kind: string = fields[name]?.kind ?? 'text';
			return [name, HOLD_TIMES.includes(kind) ? within(value) : value];
		}),
	) as IDataObject;
}

const HOLD_TIMES = ['dateTime', 'object'];

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch (error) {
		return error;
	}
}

async function withReferences(
	item: Item,
	given: IDataObject,
	{ fields }: BodySpecification,
	isJson: boolean,
): Promise<IDataObject> {
	const body = { ...given };
	for (const name of Object.keys(given)) {
		const { kind, isList, refersTo } = (fields[name] ?? {}) as Partial<Field>;
		const value = body[name];
		if (refersTo === undefined || isBlank(value)) continue;
		if (kind === 'record') {
			const linked = async (reference: unknown, index: number) => {
				const label = item.labelAt(`${name}[${index}]`, given);
				return linkTo(await referenced(item, label, reference, refersTo));
			};
			const links = await linksIn(value, { collection: refersTo, isJson, linked });
			if (links.length > 0 || isJson) body[name] = links as IDataObject[];
			else delete body[name];
		} else if (isList) {
			const iris: string[] = [];
			for (const entry of referencesIn(value)) {
				iris.push(await referenced(item, item.labelAt(name, given), entry, refersTo));
			}
			body[name] = iris;
		} else {
			body[name] = await referenced(item, item.labelAt(name, given), value, refersTo);
		}
	}
	return body;
}

async function referenced(
	item: Item,
	label: string,
	reference: unknown,
	collection: string,
): Promise<string> {
	const iri = await item.iri(reference, collection);
	if ('value' in iri) return iri.value;
	throw new UnusableParameter(
		`${label}: ${iri.expected}`,
		'Choose from the list, give the ID as the service shows it, or leave it empty',
		label,
	);
}

/**
 * JSON.stringify writes NaN and Infinity as null, which would empty the field; and a number of more
 * than 15 digits has lost some of them.
 *
 * @throws UnusableParameter naming the first such number
 */
export function refuseInexactNumbers(item: Item, given: IDataObject): void {
	const path = pathToInexact(given);
	if (!path) return;
	const label = item.labelAt(propertyPath(path), given);
	throw new UnusableParameter(
		`${label}: expected a number that can be written exactly, got ${quoted(valueAt(given, path))}`,
		'Correct the value; give a number of more than 15 digits as text',
		label,
	);
}

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

/** What the schema does not accept of a body. */
function issuesOf(schema: BodySpecification['schema'], body: unknown): ZodIssue[] {
	return schema.safeParse(body).error?.issues ?? [];
}

/**
 * A body of JSON, where its fields hold what they may.
 *
 * @throws UnusableParameter naming the field and what was expected
 */
function checkedAsGiven(item: Item, body: IDataObject, { schema }: BodySpecification): IDataObject {
	const [issue] = issuesOf(schema, body);
	if (issue) throw unusable(item, issue, body);
	return body;
}

/**
 * Fields come from spreadsheets and forms, where a number may stand as text and a text as a number:
 * a value that its field cannot hold is replaced by the one that was meant, if there is one.
 *
 * @throws UnusableParameter naming the field and what was expected
 */
function checkedWithCare(
	item: Item,
	body: IDataObject,
	{ schema }: BodySpecification,
): IDataObject {
	const timezone = item.context.getTimezone();
	let checked = body;
	for (const issue of issuesOf(schema, body)) {
		const replaced = replacementsFor(valueAt(checked, issue.path), timezone)
			.map((value) => withValueAt(checked, issue.path, value) as IDataObject)
			.find((candidate) => !issuesOf(schema, candidate).some((other) => isAt(other, issue.path)));
		if (!replaced) throw unusable(item, issue, checked);
		checked = replaced;
	}
	return checked;
}

function isAt(issue: ZodIssue, path: Path): boolean {
	return issue.path.join('.') === path.join('.');
}

/** How dates are read that stand in spreadsheets of many countries: only people know which of two is the month. */
const OTHER_DATES =
	". An expression reads other forms: {{ DateTime.fromFormat('31.12.2026', 'd.M.yyyy') }}";

function unusable(item: Item, issue: ZodIssue, body: IDataObject): UnusableParameter {
	const label = item.labelAt(propertyPath(issue.path), body);
	const isOfDate = issue.message === DATE_TIME_EXPECTED;
	return new UnusableParameter(
		`${label}: ${lowerFirst(issue.message)}, got ${quoted(valueAt(body, issue.path))}`,
		`Correct the value, or remove the field if you do not need it${isOfDate ? OTHER_DATES : ''}`,
		label,
	);
}

function lowerFirst(text: string): string {
	return text.charAt(0).toLowerCase() + text.slice(1);
}

/** A path as the service writes it in its violations: `emailAddresses[0].email`. */
function propertyPath(path: Path): string {
	return path
		.map((part, position) =>
			typeof part === 'number' ? `[${part}]` : position === 0 ? part : `.${part}`,
		)
		.join('');
}

function valueAt(value: unknown, path: Path): unknown {
	return path.reduce<unknown>(
		(inner, key) => (inner as Record<string | number, unknown> | undefined)?.[key],
		value,
	);
}

function withValueAt(value: unknown, [key, ...rest]: Path, replacement: unknown): unknown {
	if (key === undefined) return replacement;
	const inner = withValueAt((value as Record<string | number, unknown>)[key], rest, replacement);
	if (Array.isArray(value)) return value.map((entry, index) => (index === key ? inner : entry));
	return { ...(value as Record<string | number, unknown>), [key]: inner };
}
