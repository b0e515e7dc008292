import { attempt, isError, sortBy, trimEnd, uniq } from 'lodash';
import { ExplainedError } from '../util/errors';

export const CREDENTIAL = 'contactTaskCrmApi';

/** Name of the header with the key (interface, section 5). */
export const API_KEY_HEADER = 'X-API-KEY';

/**
 * Returns the API key without white space around it.
 *
 * @throws ExplainedError if the key is empty
 */
export function checkedApiKey(value: unknown): string {
	const key = String(value ?? '').trim();
	if (key !== '') return key;
	throw unusable('The API Key is empty', 'enter a key; an administrator of the CRM creates one');
}

function unusable(message: string, advice: string): ExplainedError {
	return new ExplainedError(message, `Open the credential and ${advice}`, {
		code: 'unusable-value',
	});
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

/**
 * Returns whether `url` lies at the base URL: the same origin, the same path or a path below it, and no user or
 * password.
 */
export function liesAt(baseUrl: string, url: string): boolean {
	if (!URL.canParse(url)) return false;
	const [target, base] = [new URL(url), new URL(baseUrl)];
	const isBelow = `${target.pathname}/`.startsWith(`${trimEnd(base.pathname, '/')}/`);
	return target.origin === base.origin && target.username + target.password === '' && isBelow;
}

/** Removes the API key from a text, in every form that the service or a proxy may give it. */
export function withoutKey(text: string, apiKey: string): string {
	const base64 = Buffer.from(apiKey, 'utf8').toString('base64').replace(/=+$/, '');
	// A key with invalid Unicode has no URL-encoded form: `encodeURIComponent` throws for it.
	const encoded = attempt(() => [encodeURIComponent(apiKey), encodeURI(apiKey)]);
	const forms = [
		apiKey,
		...(isError(encoded) ? [] : encoded),
		base64,
		base64.replace(/\+/g, '-').replace(/\//g, '_'),
		JSON.stringify(apiKey).slice(1, -1),
	];
	const lowered = forms.map((form) => form.replace(/%[\dA-F]{2}/g, (code) => code.toLowerCase()));
	// Removes the longest form first, because it may contain a shorter form.
	const ordered = sortBy(uniq([...forms, ...lowered]), ({ length }) => -length);
	return ordered.reduce((cleared, form) => cleared.split(form).join('…'), text);
}
