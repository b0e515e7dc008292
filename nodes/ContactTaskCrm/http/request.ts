import type { IDataObject, IHttpRequestMethods, IHttpRequestOptions } from 'n8n-workflow';
import type { Waiting } from '../limit/waiting';

/** Query parameters in order. A name may occur several times. */
export type Query = ReadonlyArray<readonly [string, string]>;

/** Words for a request in messages. */
export interface Subject {
	/** Noun for the record, such as "person" or "comment". */
	noun: string;
	/** ID of the record that the request is about, if there is one. */
	id?: string | undefined;
	/** Record that a 404 message calls missing, such as a comment's task. By default, the record with `id`. */
	named?: { noun: string; id: string } | undefined;
	/** Verb for messages, such as "export". If absent, the HTTP method determines the verb. */
	verb?: string;
}

/** A request to the service. */
export interface ApiRequest {
	method: IHttpRequestMethods;
	/** Path below the base URL, with encoded segments: `/people/1f0c`. */
	path: string;
	query?: Query | undefined;
	/** JSON to send; absent for a request without a body. */
	body?: IDataObject | undefined;
	subject: Subject;
	/** Returns the editor's label for a path in the body. If absent, the name of the field determines the label. */
	labelAt?: ((path: string, body: IDataObject) => string) | undefined;
}

/** Options for sending a request: its wait for a slot, its options for the HTTP client, and its retries. */
export interface Sending
	extends Waiting,
		Pick<
			IHttpRequestOptions,
			'allowedDomains' | 'proxy' | 'skipSslCertificateValidation' | 'timeout'
		> {
	/**
	 * Latest time for a write to leave n8n if it has references that the node looked up by title. Later, a title may
	 * belong to another record. In ms of the clock's `now`.
	 */
	titlesUntil?: number;
	/**
	 * Whether the caller, not the client, decides on the repetition of a request that may have taken effect. The client
	 * then throws LostAnswer.
	 */
	decidesAgain?: boolean;
	/** Number of earlier tries of the same write that got no answer. */
	triesBefore?: number;
	maxRetries: number;
	/** Latest time for an answer or a retry, in ms of the clock's `now`. */
	deadline?: number;
	/** Runs right before each try. */
	onSent?: () => void;
	/** Runs for every answer, including refusals. */
	onAnswer?: (headers: ServiceResponse['headers']) => void;
}

/** An answer of the service with any status. */
export interface ServiceResponse {
	status: number;
	/** Headers by lower-case name. */
	headers: Readonly<Record<string, string>>;
	/** Parsed JSON; text if it is not JSON. */
	body: unknown;
}

/** Failure without an answer, or with an answer that the node cannot read. */
export interface NetworkError {
	/** Code of the failure, such as `ECONNRESET`; empty if n8n failed before it sent the request. */
	code: string;
	message: string;
}

/** The outcome of one try to send a request. */
export type Outcome =
	| ({ kind: 'response' } & ServiceResponse)
	| ({ kind: 'networkError' } & NetworkError);
