import { isEmpty, omit } from 'lodash';
import { labelOf } from '../schema/label';
import { withoutKey } from './credential';
import type { ApiRequest, ServiceResponse } from './request';
import { isWebPage } from './send';
import { isObject, listOf, withoutBlanks } from '../values/json';
import { isBlank, shortened } from '../values/text';

/*
 * Finds the texts of the service in an answer, mainly the explanation of a failure. Section 7 of the interface gives
 * the usual forms of an explanation.
 */

/**
 * Brings a text of the service into the form for messages: on one line, without the API key, and cut after `longest`
 * characters. Returns empty text for a value of any other type.
 */
export type Reader = (text: unknown, longest?: number) => string;

const LONGEST_TEXT = 500;

/** Maximum number of violations in a message. Also the maximum number of texts from a field with a list of texts. */
const MOST_SHOWN = 10;

/** Returns a reader that puts texts on one line, removes the key and the final full stop, and cuts between words. */
export function readerWithout(apiKey: string): Reader {
	return (text, longest = LONGEST_TEXT) => {
		if (typeof text !== 'string') return '';
		// Removes the key before the cut, because `withoutKey` would not recognise a part of the key.
		const line = withoutKey(text, apiKey).replace(/\s+/g, ' ').trim().replace(/\.$/, '');
		return line.length > longest ? shortened(line, longest).replace(/\s\S*$/, ' …') : line;
	};
}

/** Returns the service's explanation of an error, from the first field with text. Returns '' for a web page. */
export function saying(body: unknown, read: Reader): string {
	if (typeof body === 'string') return isWebPage(body) ? '' : read(body);
	if (!isObject(body)) return '';
	const textAt = (whole: Record<string, unknown>, ...names: string[]) => {
		const values = names.flatMap((name) => [whole[name], whole[`hydra:${name}`]]);
		return values.map((value) => textIn(value, read)).find((text) => text !== '') ?? '';
	};
	const ofErrors = errorsIn(body).map((error) =>
		isObject(error)
			? textAt(error, 'detail', 'message', 'description', 'title')
			: textIn(error, read),
	);
	const firstViolation = () => {
		for (const { text } of violationsIn(body)) if (textIn(text, read) !== '') return text;
		return '';
	};
	// The title comes last, because it only names the kind of error.
	return (
		textAt(body, 'detail', 'message', 'description') ||
		ofErrors.find((text) => text !== '') ||
		textIn(firstViolation(), read) ||
		textAt(body, 'title')
	);
}

/** Removes the title and description from a body that is a record. They do not explain why a request failed. */
export function withoutRecordTexts(body: unknown): unknown {
	return isObject(body) && 'id' in body ? omit(body, 'title', 'description') : body;
}

/** Returns the values of `error` in a body, and in the `data` of the body. */
function errorsIn({ error, data }: Record<string, unknown>): unknown[] {
	return [error, isObject(data) ? data.error : undefined];
}

/** Returns a text, or the texts of a list on one line. Returns empty text for any other value. */
function textIn(value: unknown, read: Reader): string {
	const texts = listOf(value)?.slice(0, MOST_SHOWN) ?? [value];
	return read(
		texts
			.map((text) => read(text))
			.filter(Boolean)
			.join('; '),
	);
}

/**
 * The refusal of one value in an answer: the path of the field with this value, and the reason as text. The service may
 * send path and reason as any JSON type.
 */
interface Violation {
	path: unknown;
	text: unknown;
}

/** Reads the first violations of an answer, with labels of their fields. `violationCount` counts all of them. */
export function violationsOf(
	body: unknown,
	{ body: sent = {}, labelAt = labelOf }: Pick<ApiRequest, 'body' | 'labelAt'>,
	read: Reader,
) {
	const all = [...violationsIn(body)];
	const violations = all.slice(0, MOST_SHOWN).map(({ path, text }) => {
		const label = shortened(labelAt(read(path), sent), LONGEST_TEXT);
		const said = textIn(text, read) || 'not accepted';
		return { label, text: label === '' ? said : `${label}: ${said}` };
	});
	return { violations, violationCount: all.length };
}

/**
 * If `said` names a reference of the request, returns the label of its field. For "/users/9 not found", this is the
 * label of `owner`. Returns empty text if `said` names no such reference.
 */
export function labelOfNamed(
	said: string,
	{ body: sent = {}, labelAt = labelOf }: Pick<ApiRequest, 'body' | 'labelAt'>,
): string {
	const words = said.split(/[\s"'“”„«»,;]+/);
	for (const [name, value] of Object.entries(sent)) {
		const references = (listOf(value) ?? [value]).map((one) => (isObject(one) ? one['@id'] : one));
		const isNamed = (one: unknown) => String(one).startsWith('/') && words.includes(String(one));
		const place = references.findIndex(isNamed);
		if (place >= 0) return labelAt(listOf(value) ? `${name}[${place}]` : name, sent);
	}
	return '';
}

const PATHS = ['propertyPath', 'field', 'property', 'path'];
const TEXTS = ['message', 'detail', 'description', 'title', 'error'];

/** Maximum depth of fields within fields, if an answer gives its violations as a map by field. */
const DEEPEST = 4;

/**
 * Returns the violations in an answer. The interface shows a list of objects in `violations` (section 7, rule 3). Other
 * software at the same base URL sends `errors`: texts, objects, or a map from fields to texts.
 */
function* violationsIn(body: unknown): Generator<Violation> {
	if (!isObject(body)) return;
	const errors = errorsIn(body).filter(isObject);
	const parts = [body, body.data, ...errors].filter(isObject);
	const lists = parts.flatMap(({ violations, errors }) => [violations, errors]);
	const given = lists.find((list) => (typeof list === 'string' ? !isBlank(list) : !isEmpty(list)));
	const isMap = (error: object) => Object.values(error).every((part) => typeof part === 'object');
	yield* violationsAt(given ?? errors.find(isMap), '', 0);
}

function* violationsAt(value: unknown, path: string, depth: number): Generator<Violation> {
	if (depth > DEEPEST) return;
	const list = listOf(value);
	if (list) {
		for (const entry of list) {
			const own =
				isObject(entry) && !isEntry(entry) ? [...violationsAt(entry, path, depth + 1)] : [];
			if (own.length > 0) yield* own;
			else yield violationFrom(entry, path);
		}
	} else if (typeof value === 'string') {
		yield violationFrom(value, path);
	} else if (isObject(value)) {
		// In a map by field, "title" may be the name of a field. So only "message" and "detail" show that the object is one
		// violation.
		const isOne = [value.message, value.detail].some((text) => typeof text === 'string');
		if (isOne) yield violationFrom(value, path);
		else {
			for (const [name, part] of Object.entries(value)) {
				yield* violationsAt(part, path === '' ? name : `${path}.${name}`, depth + 1);
			}
		}
	}
}

/** Returns whether an object in a list of errors is one violation: an object that names a field, or has a text. */
function isEntry(entry: Record<string, unknown>): boolean {
	return [...PATHS, ...TEXTS].some((name) => typeof entry[name] === 'string');
}

function violationFrom(entry: unknown, path: string): Violation {
	if (!isObject(entry)) return { path, text: entry };
	const valueAt = (names: string[]) =>
		names.map((name) => entry[name]).find((value) => !isBlank(value));
	return { path: valueAt(PATHS) ?? path, text: valueAt(TEXTS) };
}

/** Statuses of a full success. Another 2xx, such as 207, may mean that only a part was done. */
const DONE_STATUSES = [200, 201, 202, 204];

/**
 * Returns whether an answer with a success status says that the request failed. Some installations of the CRM, and
 * gateways in front of them, refuse a request with status 200.
 */
export function reportsFailure({
	status,
	body,
}: Pick<ServiceResponse, 'status' | 'body'>): boolean {
	if (!DONE_STATUSES.includes(status)) return true;
	if (!isObject(body)) return false;
	const { success, ok, status: told, message, detail, '@type': type } = body;
	if ([success, ok].includes(false)) return true;
	const parts = [body, body.data].filter(isObject);
	const named = parts.flatMap(({ error, errors, violations }) => [error, errors, violations]);
	if (named.some(isGiven)) return true;
	if (/\b(Error|ConstraintViolation(List)?)$/.test(typeof type === 'string' ? type : ''))
		return true;
	if (typeof told === 'number' ? told >= 400 : /^(error|fail(ed|ure)?)$/i.test(String(told)))
		return true;
	// A record has an ID. In a body without an ID, `detail` or `message` explains a problem (interface, section 7, rules
	// 1 and 2).
	const isNeutral = 'id' in body || success === true || ok === true;
	return !isNeutral && (!isBlank(detail) || (status === 200 && !isBlank(message)));
}

function isGiven(value: unknown): boolean {
	return withoutBlanks(value) !== undefined && value !== false && value !== 0;
}

/** Returns the media type of an answer, to end a message (", text/html"). Returns empty text for JSON. */
export function otherThanJson(
	{ 'content-type': given = '' }: ServiceResponse['headers'],
	read: Reader,
): string {
	const [type = ''] = given.split(';');
	return type === '' || /\bjson\b/.test(type) ? '' : `, ${read(type, 50)}`;
}

/** Describes an answer by its first field names, without any values: an object of "id", "title". */
export function outlineOf(body: unknown, read: Reader): string {
	if (typeof body === 'string' && body !== '') return isWebPage(body) ? 'a web page' : 'text';
	if (Array.isArray(body)) return 'a list';
	if (!isObject(body)) return body ? `a ${typeof body}` : 'empty';
	const names = Object.keys(body).slice(0, 12);
	return ['an object', names.map((name) => `"${read(name, 40)}"`).join(', ')]
		.filter(Boolean)
		.join(' of ');
}
