import type { Service } from './index';

/** A body of the service. The tests read these members by name. */
export interface Body {
	'@id': string;
	'@type': string;
	id: string;
	member: Body[];
	totalItems: number;
	view?: Record<string, string>;
	title: string;
	detail: string;
	message: string;
	violations: Array<{ propertyPath: string; message: string }>;
	[field: string]: unknown;
}

/** The answer to one request. */
export interface Reply {
	status: number;
	headers: Headers;
	/** Parsed JSON; undefined for any other content. */
	body: Body;
}

interface RequestOptions {
	/** Body as JSON; a text is sent unchanged. */
	body?: unknown;
	/** Content-Type; by default that of the method. */
	type?: string;
	accept?: string;
	/** API key; null for none. By default the key of the service. */
	key?: string | null | undefined;
}

const toText = (body: unknown) => (typeof body === 'string' ? body : JSON.stringify(body));

const defaultType = (method: string) =>
	method === 'PATCH' ? 'application/merge-patch+json' : 'application/ld+json';

/** Returns a minimal client of a service. */
export function connect(service: Service) {
	return async (method: string, path: string, options: RequestOptions = {}): Promise<Reply> => {
		const { body, type = defaultType(method), accept, key = service.apiKey } = options;
		const response = await fetch(`${service.url}${path}`, {
			method,
			redirect: 'error',
			headers: {
				...(key !== null && { 'X-API-KEY': key }),
				...(accept && { Accept: accept }),
				...(body !== undefined && type !== '' && { 'Content-Type': type }),
			},
			// In a blob without a type, because fetch would otherwise add a content type.
			...(body !== undefined && { body: new Blob([toText(body)]) }),
		});
		const text = await response.text();
		const mediaType = response.headers.get('content-type')?.split(';')[0];
		const isJson = mediaType?.endsWith('json') ?? false;
		return {
			status: response.status,
			headers: response.headers,
			body: (isJson && text ? JSON.parse(text) : undefined) as Body,
		};
	};
}
