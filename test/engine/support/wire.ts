import type { LoggedRequest } from '../../service';

/** The content of a request. */
export interface Sent {
	method: string;
	path: string;
	/** `name=value`, sorted. */
	query: string[];
	accept?: string | undefined;
	contentType?: string | undefined;
	apiKey?: string | string[] | undefined;
	body: unknown;
}

/** Placeholder for the test's key in logged requests. */
export const OWN_KEY = 'the key of the credential';

/** Returns a logged request in a form to compare as a whole. */
export function asSent({ method, path, rawUrl, headers, body }: LoggedRequest, key: string): Sent {
	const query = [...new URLSearchParams(rawUrl.slice(path.length))];
	return {
		method,
		path,
		query: query.map(([name, value]) => `${name}=${value}`).sort(),
		accept: headers.accept,
		contentType: headers['content-type'],
		apiKey: headers['x-api-key'] === key ? OWN_KEY : headers['x-api-key'],
		body,
	};
}

const GENID = /\/\.well-known\/genid\/[\da-f]{20}/g;

/** Replaces each generated `@id` in a value by a fixed one, because these are new in every answer. */
export const steady = <T>(value: T): T =>
	JSON.parse(JSON.stringify(value).replaceAll(GENID, '/.well-known/genid/any')) as T;

const signed = { accept: 'application/ld+json', apiKey: OWN_KEY };

/** Returns the expected GET (interface, sections 1 and 5). */
export function get(path: string, ...query: string[]): Sent {
	return {
		...signed,
		method: 'GET',
		path,
		query: query.sort(),
		contentType: undefined,
		body: undefined,
	};
}

const WRITES = {
	POST: 'application/ld+json',
	PUT: 'application/ld+json',
	PATCH: 'application/merge-patch+json',
};

function write(method: keyof typeof WRITES, path: string, body: unknown): Sent {
	return { ...signed, method, path, query: [], contentType: WRITES[method], body };
}

export const post = (path: string, body: unknown): Sent => write('POST', path, body);
export const put = (path: string, body: unknown): Sent => write('PUT', path, body);
export const patch = (path: string, body: unknown): Sent => write('PATCH', path, body);

/** Returns the expected POST without a body. */
export const command = (path: string): Sent => ({
	...write('POST', path, undefined),
	contentType: undefined,
});

/** Encodes the parameters of `get` for a URL. */
export function asSearch(query: string[]): string {
	const search = new URLSearchParams();
	for (const parameter of query) {
		const [name] = parameter.split('=', 1);
		search.append(name, parameter.slice(name.length + 1));
	}
	return search.toString();
}
