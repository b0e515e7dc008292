import { ExplainedError } from '../util/errors';

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
