import { attempt, isError, sortBy, trimEnd, uniq } from 'lodash';
import { ExplainedError } from './errors';
import { comparableTitle } from '../values/list';
import { comparableId, iriOf, lastSegment, valueOf } from '../values/reference';
import { cleanText, shortened } from '../values/text';

export const CREDENTIAL = 'contactTaskCrmApi';

/** Requests per minute that the service allows (interface, section 8), and the default of the credential. */
export const DEFAULT_LIMIT = 20;

/** Name of the header with the key (interface, section 5). */
export const API_KEY_HEADER = 'X-API-KEY';

/**
 * Returns the API key without white space around it.
 *
 * @throws ExplainedError if there is none
 */
export function checkedApiKey(value: unknown): string {
	const key = String(value ?? '').trim();
	if (key !== '') return key;
	throw unusable('The API Key is empty', 'enter a key; an administrator of the CRM creates one');
}

function unusable(message: string, advice: string): ExplainedError {
	return new ExplainedError(message, `Open the credential and ${advice}`);
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Returns the base URL without a trailing slash. The URL keeps its path, because paths of the interface are relative
 * to it. HTTP without encryption is allowed for this machine alone (interface, section 5, rule 3).
 *
 * @throws ExplainedError if the URL is empty, malformed or not allowed, or has a user name, password, query or fragment
 */
export function checkedBaseUrl(value: unknown): string {
	const text = typeof value === 'string' ? value.trim() : '';
	if (text === '') {
		throw unusable(
			'The Base URL is empty',
			'enter the address of your CRM, e.g. https://crm.example.com',
		);
	}
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (!url || url.hostname === '' || !/^https?:$/.test(url.protocol)) {
		throw unusable(
			'The Base URL is no web address',
			'enter it with https://, e.g. https://crm.example.com',
		);
	}
	if (url.username !== '' || url.password !== '') {
		throw unusable(
			'The Base URL carries a user name or password',
			'leave them out; the API Key field alone signs you in',
		);
	}
	if (url.search !== '' || url.hash !== '') {
		throw unusable(
			`The Base URL "${url.origin}${url.pathname}…" goes on after "?" or "#"`,
			'enter the address up to there',
		);
	}
	if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname)) {
		throw unusable(
			`The Base URL "${url.origin}" uses plain HTTP, over which your API key could be read`,
			`enter https://${url.host} instead`,
		);
	}
	return url.origin + trimEnd(url.pathname, '/');
}

/** Returns whether a URL has the same origin as the base URL, and lies below its path. */
export function liesAt(baseUrl: string, url: string): boolean {
	if (!URL.canParse(url)) return false;
	const [target, base] = [new URL(url), new URL(baseUrl)];
	const isBelow = `${target.pathname}/`.startsWith(`${trimEnd(base.pathname, '/')}/`);
	return target.origin === base.origin && target.username + target.password === '' && isBelow;
}

/** Removes the API key from a text, in every form that a service or proxy may repeat. */
export function withoutKey(text: string, apiKey: string): string {
	const base64 = Buffer.from(apiKey, 'utf8').toString('base64').replace(/=+$/, '');
	// Text with invalid Unicode has no URL-encoded form.
	const encoded = attempt(() => [encodeURIComponent(apiKey), encodeURI(apiKey)]);
	const forms = [
		apiKey,
		...(isError(encoded) ? [] : encoded),
		base64,
		base64.replace(/\+/g, '-').replace(/\//g, '_'),
		JSON.stringify(apiKey).slice(1, -1),
	];
	const lowered = forms.map((form) => form.replace(/%[\dA-F]{2}/g, (code) => code.toLowerCase()));
	// Removes the longest form first, because a shorter form may be a part of a longer one.
	const ordered = sortBy(uniq([...forms, ...lowered]), ({ length }) => -length);
	return ordered.reduce((cleared, form) => cleared.split(form).join('…'), text);
}

/** Collections without a documented endpoint (interface, section 4.4). The credential may name their records. */
const NAMED = ['/tags', '/users'] as const;

/** A user or tag with a name from the credential. */
interface NamedRecord {
	iri: string;
	name: string;
	/** Number of the line in the credential, from 1. */
	line: number;
	/** Whether the line names the collection by an IRI. A bare ID may belong to a user or a tag. */
	isSure: boolean;
}

/** Line breaks: all characters that a dot does not match. In text with one of them, `LINE` could take quadratic time. */
const LINE_END = /\r\n|[\r\n\u2028\u2029]/;

/** An ID or IRI, "=" and a name. An ID may contain "=", so a "=" with white space around it takes precedence. */
const LINE = /^(.*?)\s=\s(.*)$|^([^=]*)=(.*)$/;

/** Maximum length of a quotation from a line, in characters. */
const MOST_SHOWN = 60;

/** Names that the user gives to users and tags of the CRM in the credential. */
export class NameTable {
	/** Problems with lines that the node cannot use. */
	readonly problems: string[] = [];

	/** Records by collection, and by `comparableId` of their IRI. */
	private readonly named = new Map<string, Map<string, NamedRecord>>(
		NAMED.map((collection) => [collection, new Map<string, NamedRecord>()]),
	);

	/** @param text one name per line, "3f2a = Eva de Vries"; blank lines and lines that begin with "#" are skipped */
	constructor(text: unknown) {
		const lines = typeof text === 'string' ? text.split(LINE_END) : [];
		for (const [index, whole] of lines.entries()) {
			const line = whole.trim();
			if (cleanText(line) === '' || line.startsWith('#')) continue;
			const problem = this.readLine(line, index + 1);
			if (problem !== undefined) this.problems.push(`line ${index + 1}: ${problem}`);
		}
	}

	nameOf(reference: unknown, collection: string): string | undefined {
		const iri = valueOf(iriOf(reference, collection));
		return iri === undefined ? undefined : this.named.get(collection)?.get(comparableId(iri))?.name;
	}

	/** Returns the records of a collection, in the order of the lines. */
	entries(collection: string): NamedRecord[] {
		return [...(this.named.get(collection)?.values() ?? [])];
	}

	holds(text: string, collection: string): boolean {
		const wanted = comparableTitle(text);
		return this.entries(collection).some(({ name }) => comparableTitle(name) === wanted);
	}

	/** Adds the record of a line. Returns the problem with the line; undefined if there is none. */
	private readLine(line: string, number: number): string | undefined {
		const [, spacedId, spacedName = '', id = spacedId, given = spacedName] = LINE.exec(line) ?? [];
		if (id === undefined) {
			return `expected an ID, "=" and a name, such as /users/3f2a = Eva de Vries, got "${shortened(line, MOST_SHOWN)}"`;
		}
		const reference = cleanText(id);
		const places = NAMED.flatMap((collection) => {
			const iri = valueOf(iriOf(reference, collection));
			return iri === undefined ? [] : [[collection, iri] as const];
		});
		if (places.length === 0) {
			return `expected the ID of a user or tag, such as 3f2a, /users/3f2a or /tags/7c1e, got "${shortened(reference, MOST_SHOWN)}"`;
		}
		const name = given.trim();
		if (cleanText(name) === '')
			return `there is no name behind "${shortened(reference, MOST_SHOWN)} ="`;
		const isSure = places.length === 1;
		for (const [collection, iri] of places) {
			const records = this.named.get(collection)!;
			const before = records.get(comparableId(iri));
			if (before)
				return `"${shortened(lastSegment(iri), MOST_SHOWN)}" is named on line ${before.line}, too`;
			records.set(comparableId(iri), { iri, name, line: number, isSure });
		}
		return undefined;
	}
}
