import { ExplainedError } from './errors';
import type { Resolved } from './iri';
import { comparableId, iriOf, lastSegment, valueOf } from './iri';
import { cleanText, comparableTitle, shortened } from './values';

/** The type of credential that the nodes use. */
export const CREDENTIAL = 'contactTaskCrmApi';

/** The one header that carries the key (interface, section 5). */
export const API_KEY_HEADER = 'X-API-KEY';

/**
 * The API key as it is sent, without the blanks that come along when it is pasted.
 *
 * @throws ExplainedError where there is none
 */
export function checkedApiKey(value: unknown): string {
	const key = String(value ?? '').trim();
	if (key !== '') return key;
	throw new ExplainedError(
		'The API Key is empty',
		'Open the credential and enter a key; an administrator of the CRM creates one',
	);
}

/** The base URL cannot be used. */
export class UnusableBaseUrl extends ExplainedError {
	constructor(message: string, advice: string) {
		super(message, `Open the credential and ${advice}`);
	}
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * The base URL as requests need it, without a trailing slash. A path is kept, since the interface
 * gives paths relative to the base address.
 *
 * @throws UnusableBaseUrl for an empty or malformed URL, one that carries a user name, a query or a
 *   fragment, and for plain HTTP to any host but this machine (interface, section 5, rule 3)
 */
export function checkedBaseUrl(value: unknown): string {
	const text = typeof value === 'string' ? value.trim() : '';
	if (text === '') {
		throw new UnusableBaseUrl(
			'The Base URL is empty',
			'enter the address of your CRM, e.g. https://crm.example.com',
		);
	}
	const url = parsedUrl(text);
	if (!url || url.hostname === '' || !/^https?:$/.test(url.protocol)) {
		throw new UnusableBaseUrl(
			'The Base URL is no web address',
			'enter it with https://, e.g. https://crm.example.com',
		);
	}
	if (url.username !== '' || url.password !== '') {
		throw new UnusableBaseUrl(
			'The Base URL carries a user name or password',
			'leave them out; the API Key field alone signs you in',
		);
	}
	if (url.search !== '' || url.hash !== '') {
		throw new UnusableBaseUrl(
			`The Base URL "${url.origin}${url.pathname}…" goes on after "?" or "#"`,
			'enter the address up to there',
		);
	}
	if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname)) {
		throw new UnusableBaseUrl(
			`The Base URL "${url.origin}" uses plain HTTP, over which your API key could be read`,
			`enter https://${url.host} instead`,
		);
	}
	return url.origin + url.pathname.replace(/\/+$/, '');
}

/** Whether a URL lies at the base URL: the same origin and below its path. */
export function liesAt(baseUrl: string, url: string): boolean {
	const target = parsedUrl(url);
	if (!target || target.username !== '' || target.password !== '') return false;
	const base = new URL(baseUrl);
	const stem = base.pathname.replace(/\/+$/, '');
	return (
		target.origin === base.origin &&
		(target.pathname === stem || target.pathname.startsWith(`${stem}/`))
	);
}

function parsedUrl(text: string): URL | undefined {
	try {
		return new URL(text);
	} catch {
		return undefined;
	}
}

/** Takes the API key out of a text, also in the forms in which a service or a proxy may repeat it. */
export function withoutKey(text: string, apiKey: string): string {
	return formsOf(apiKey).reduce((cleared, form) => cleared.split(form).join('…'), text);
}

/** The longest first, so that no rest of a longer form is left. */
function formsOf(apiKey: string): string[] {
	const base64 = Buffer.from(apiKey, 'utf8').toString('base64').replace(/=+$/, '');
	const forms = [
		apiKey,
		...(isWellFormed(apiKey) ? [encodeURIComponent(apiKey), encodeURI(apiKey)] : []),
		base64,
		base64.replace(/\+/g, '-').replace(/\//g, '_'),
		JSON.stringify(apiKey).slice(1, -1),
	];
	const lowered = forms.map((form) => form.replace(/%[\dA-F]{2}/g, (code) => code.toLowerCase()));
	return [...new Set([...forms, ...lowered])].sort((one, other) => other.length - one.length);
}

/** Text that is no valid Unicode cannot be encoded for a URL. */
function isWellFormed(text: string): boolean {
	try {
		encodeURIComponent(text);
		return true;
	} catch {
		return false;
	}
}

/** The collections whose records the credential may name: the interface shows no list of them (4.4). */
const NAMED = ['/tags', '/users'] as const;

export type NamedCollection = (typeof NAMED)[number];

/** A user or tag with the name that the credential gives it. */
export interface NamedRecord {
	iri: string;
	name: string;
	/** The line that says so, counted from 1. */
	line: number;
	/** Whether the line says that it is of this collection: an ID alone may be that of a user or of a tag. */
	isSure: boolean;
}

/** An ID or IRI, "=" and a name; an ID may hold "=", too, so that one between blanks parts them first. */
const LINE = /^(.*?)\s=\s(.*)$|^([^=]*)=(.*)$/;

/** So much of a line a message shows. */
const MOST_SHOWN = 60;

/** The names that a credential gives to users and tags. */
export class NameTable {
	/** What is wrong with lines that name nobody, in words. */
	readonly problems: string[] = [];

	/** By collection, and by IRI as it is compared. */
	private readonly named = new Map<string, Map<string, NamedRecord>>(
		NAMED.map((collection) => [collection, new Map<string, NamedRecord>()]),
	);

	/** @param text one name a line, "3f2a = Eva de Vries"; blank lines and those with "#" in front say nothing */
	constructor(text: unknown) {
		const lines = typeof text === 'string' ? text.split(/\r\n|\r|\n/) : [];
		for (const [index, whole] of lines.entries()) {
			const line = whole.trim();
			if (cleanText(line) === '' || line.startsWith('#')) continue;
			const problem = this.read(line, index + 1);
			if (problem !== undefined) this.problems.push(`line ${index + 1}: ${problem}`);
		}
	}

	/** The name of a record; undefined where it is given none. */
	nameOf(reference: unknown, collection: string): string | undefined {
		const iri = valueOf(iriOf(reference, collection));
		return iri === undefined ? undefined : this.named.get(collection)?.get(comparableId(iri))?.name;
	}

	/** All records of a collection that are named, in the order of the lines. */
	entries(collection: string): NamedRecord[] {
		return [...(this.named.get(collection)?.values() ?? [])];
	}

	/** Whether a text is the name of a record of a collection. */
	holds(text: string, collection: string): boolean {
		const wanted = comparableTitle(text);
		return this.entries(collection).some(({ name }) => comparableTitle(name) === wanted);
	}

	/** @returns what is wrong with a line; undefined where nothing is */
	private read(line: string, number: number): string | undefined {
		const [, spacedId, spacedName, id = spacedId, given = spacedName] = LINE.exec(line) ?? [];
		if (id === undefined) {
			return `expected an ID, "=" and a name, such as /users/3f2a = Eva de Vries, got "${shortened(line, MOST_SHOWN)}"`;
		}
		const reference = cleanText(id);
		const places = NAMED.map((collection): [NamedCollection, Resolved] => [
			collection,
			iriOf(reference, collection),
		]).flatMap(
			([collection, resolved]): Array<[NamedCollection, string]> =>
				'value' in resolved ? [[collection, resolved.value]] : [],
		);
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
