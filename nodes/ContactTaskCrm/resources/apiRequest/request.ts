import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';
import type { Query } from '../../http/request';
import { refuseInexactNumbers } from '../../run/body';
import type { Item } from '../../run/item';
import { parsedJson } from '../../run/given';
import { UnusableParameter } from '../../util/errors';
import { cleanText, isBlank, listOf, quoted } from '../../util/values';
import { METHODS, WITH_BODY } from './methods';

/**
 * Reads the request from the parameters of an item. The path may begin with the path of the base URL.
 *
 * @throws UnusableParameter with the name of the parameter
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

/** Reads the body. A POST needs none, because it may only ask the service to do something. */
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

/** Reads the query parameters in order. A list becomes one parameter for each of its values. */
function queryIn({ context, run }: Item): Query {
	const given = context.getNodeParameter('queryParameters', {}) as { parameters?: unknown };
	// An AI model fills in every parameter. It leaves a blank for a parameter that it does not need.
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
		const named = cleanText(String(name));
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
	// A date of n8n becomes readable text. Most other objects become "[object Object]".
	if (!text.startsWith('[object ')) return text;
	throw new UnusableParameter(
		`Query Parameters: expected text, a number, true or false for ${quoted(name)}, got an object`,
		'Correct the expression: one parameter for each value',
	);
}

const BELOW = 'Give the path below the Base URL of the credential, such as /people';

/** A character that a path segment must encode (RFC 3986, section 3.3). */
const NOT_IN_SEGMENT = /(?![A-Za-z0-9._~!$&'()*+,;=:@-]|%[\dA-Fa-f]{2})./su;

/** A character that may end a path segment, after decoding, on a server that decodes twice. */
// eslint-disable-next-line no-control-regex -- looks for control characters
const LEADS_ELSEWHERE = /[/\\%\u0000-\u001F\u007F]/;

/**
 * Checks that a path stays below the base URL. Refuses other addresses, and segments of dots and slashes, encoded or
 * not. Refuses a query as well, because the query has its own parameter.
 *
 * @throws UnusableParameter with the problem
 */
function checkedPath(given: unknown): string {
	if (isBlank(given)) {
		throw new UnusableParameter(
			'Path is empty',
			`${BELOW}. If it is an expression, it gave nothing for this item`,
		);
	}
	if (typeof given !== 'string') {
		throw new UnusableParameter(`Path: expected text, got ${quoted(given)}`, BELOW);
	}
	const path = cleanText(given);
	const objection = objectionTo(path);
	if (!objection) return path;
	throw new UnusableParameter(`Path: ${quoted(path)} ${objection[0]}`, objection[1]);
}

function objectionTo(path: string): [problem: string, advice: string] | undefined {
	if (!path.startsWith('/')) return ['does not begin with a slash', BELOW];
	const end = /[?#]/.exec(path)?.[0];
	if (end !== undefined) {
		return [
			`goes on after "${end}"`,
			'Enter the path up to there, and what follows as Query Parameters',
		];
	}
	for (const segment of path.split('/').slice(1)) {
		if (segment === '') {
			return [
				'has a part without anything in it',
				'Leave out slashes at the end and double ones. If the part is an expression, it gave nothing for this item',
			];
		}
		const character = NOT_IN_SEGMENT.exec(segment)?.[0];
		if (character !== undefined) {
			return [
				`holds ${JSON.stringify(character)}, which cannot stand in a path`,
				`${BELOW}. In an expression, encodeURIComponent() writes such characters`,
			];
		}
		const decoded = decodedText(segment);
		if (decoded === undefined || decoded.startsWith('.') || LEADS_ELSEWHERE.test(decoded)) {
			return [`holds ${quoted(segment)}, which may lead elsewhere`, BELOW];
		}
	}
	return undefined;
}

/** Returns a path segment without its encoding; undefined if it cannot be decoded. */
function decodedText(segment: string): string | undefined {
	try {
		return decodeURIComponent(segment);
	} catch {
		return undefined;
	}
}

/**
 * Removes the path of the base URL, such as /api, from an IRI of the service.
 *
 * @param baseUrl without a trailing slash
 */
export function pathBelow(baseUrl: string, path: string): string {
	const { pathname } = new URL(baseUrl);
	const isMounted = pathname !== '/';
	return isMounted && path.startsWith(`${pathname}/`) ? path.slice(pathname.length) : path;
}
