import { attempt, isError } from 'lodash';
import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';
import type { Query } from '../http/request';
import { refuseInexactNumbers } from '../input/body';
import type { Item } from './item';
import { parsedJson } from '../input/given';
import { UnusableParameter } from '../util/errors';
import { METHODS, WITH_BODY } from '../schema/methods';
import { listOf } from '../values/json';
import { cleanText, isBlank, quoted } from '../values/text';

/**
 * Reads the request from the parameters of an item. The returned path may still begin with the path of the base URL,
 * such as /api. `pathBelow` removes it.
 *
 * @throws UnusableParameter if a parameter has no usable value
 */
export function requestFrom(item: Item) {
	const { method = '' } = item.request;
	if (!Object.hasOwn(METHODS, method)) {
		throw new UnusableParameter(
			`Method: expected one of ${Object.keys(METHODS).join(', ')}, got ${quoted(method)}`,
			'Choose from the list, or give one of these names',
		);
	}
	const path = checkedPath(item.context.getNodeParameter('path', ''));
	const body = bodyFor(item, method);
	const query = queryIn(item);
	return { method: method as IHttpRequestMethods, path, query, ...(body && { body }) };
}

/** Reads the body of the request. A POST needs no body, because it may be a command, such as the export of a task. */
function bodyFor(item: Item, method: string): IDataObject | undefined {
	const given: unknown = item.context.getNodeParameter('jsonBody', '');
	const takesBody = WITH_BODY.includes(method);
	if (isBlank(given) && (method === 'POST' || !takesBody)) return undefined;
	if (!takesBody) {
		throw new UnusableParameter(
			`JSON Body: a request with ${method} has none`,
			'Leave it empty for this item, or choose another Method',
		);
	}
	const body = parsedJson(given);
	refuseInexactNumbers(item, body);
	return body;
}

/** Reads the query parameters in their order. A list as value becomes several parameters with the same name. */
function queryIn({ context, run }: Item): Query {
	const given = context.getNodeParameter('queryParameters', {}) as { parameters?: unknown };
	// An AI model fills in every parameter, with a blank where it has no value. Such a blank is no mistake.
	const ignoresBlanks = run.isTool;
	return ((listOf(given.parameters) ?? []) as IDataObject[]).flatMap(({ name, value }) => {
		const isNamed = !isBlank(name);
		const values = [value].flat().filter((one) => !isBlank(one));
		if (values.length === 0 && (ignoresBlanks || !isNamed)) return [];
		if (!isNamed) {
			throw new UnusableParameter(
				`Query Parameters: ${quoted(String(values[0]))} has no name`,
				'Enter the name of the parameter beside its value, or remove it',
			);
		}
		const named = textFor('Name', name);
		if (values.length === 0) {
			throw new UnusableParameter(
				`Query Parameters: ${quoted(named)} has no value`,
				'Enter a value, or remove the parameter. Without one the service may give the unfiltered list',
			);
		}
		return values.map((one): [string, string] => [named, textFor(named, one)]);
	});
}

function textFor(name: string, value: unknown): string {
	const text = cleanText(String(value));
	const isList = Array.isArray(value);
	// `String` turns a date object of n8n into usable text. It turns most other objects into "[object Object]", which
	// the service cannot use.
	if (!isList && !text.startsWith('[object ')) return text;
	throw new UnusableParameter(
		`Query Parameters: expected text, a number, true or false for ${quoted(name)}, got ${isList ? 'a list' : 'an object'}`,
		'Correct the expression: one parameter for each value',
	);
}

/** Returns whether a text begins with a scheme or a host, such as https://crm.example or //crm.example. */
function isAddress(text: string): boolean {
	return /^(?:[a-z][a-z\d+.-]*:|[\\/]{2})/i.test(text);
}

const PATH_ADVICE = 'Give the path below the Base URL of the credential, such as /people';

/**
 * Pattern of a permitted path. A path consists of segments (RFC 3986, section 3.3). No segment begins with a dot. No
 * segment encodes a dot, slash, backslash, percent sign or control character. A server that decodes twice would
 * otherwise find another path.
 */
const PATH = /^(?:\/(?!\.)(?:[\w.~!$&'()*+,;=:@-]|%(?!2[EF5]|5C|[01]|7F)[\dA-F]{2})+)+$/i;

/** Returns the parameters of a query as words for an advice: `q=amber` as `: Name "q" with Value "amber"`. */
function pairsIn(query: string): string {
	const pairs = [...new URLSearchParams(query)].map(
		([name, value]) => `Name ${quoted(name)} with Value ${quoted(value)}`,
	);
	return pairs.length > 0 ? `: ${pairs.join(', ')}` : '';
}

/**
 * Checks that a path stays below the base URL, and returns it. Refuses a path with a query, because the parameter Query
 * Parameters takes the query.
 *
 * @throws UnusableParameter if the path is empty, has a query or fragment, or may leave the base URL
 */
function checkedPath(given: unknown): string {
	if (isBlank(given)) {
		throw new UnusableParameter(
			'Path is empty',
			`${PATH_ADVICE}. If it is an expression, it gave nothing for this item`,
		);
	}
	const text = typeof given === 'string' ? cleanText(given) : '';
	const path = /^\w/.test(text) && !isAddress(text) ? `/${text}` : text;
	const [, before = '', end, after = ''] = isAddress(path)
		? []
		: (/^(.*?)([?#])(.*)$/.exec(path) ?? []);
	if (end !== undefined) {
		throw new UnusableParameter(
			`Path: ${quoted(text)} goes on after "${end}"`,
			end === '?'
				? `Enter ${before} as Path, and the rest under Query Parameters${pairsIn(after)}`
				: 'Leave out what follows "#", because it never reaches the service',
		);
	}
	if (PATH.test(path) && !isError(attempt(decodeURIComponent, path))) return path;
	throw new UnusableParameter(
		`Path: expected a path such as /people/1f0c, got ${quoted(given)}`,
		`${PATH_ADVICE}, without empty parts and dots at the beginning of a part. In an expression, encodeURIComponent() writes other characters than letters and digits`,
	);
}

/**
 * Removes the path of the base URL, such as /api, from the start of a path. A path that the user copied from an IRI has
 * this start.
 *
 * @param baseUrl without a trailing slash
 */
export function pathBelow(baseUrl: string, path: string): string {
	const { pathname } = new URL(baseUrl);
	const isMounted = pathname !== '/';
	return isMounted && path.startsWith(`${pathname}/`) ? path.slice(pathname.length) : path;
}
