import type { IDataObject, IHttpRequestMethods, IHttpRequestOptions, Logger } from 'n8n-workflow';
import type { PollPlace } from './polls';

/** Query parameters in order. A name may stand more than once. */
export type Query = ReadonlyArray<readonly [string, string]>;

/** Words about a request for messages. */
export interface Subject {
	/** "person", "comment" */
	noun: string;
	/** ID of the addressed record, if there is one. */
	id?: string;
	/** Record that does not exist if the answer is 404: the addressed one, or the one above it. */
	named?: { noun: string; id: string };
	/** "export", if the method does not tell. */
	verb?: string;
}

/**
 * One request to the service: its content, and the way to send it. The client fills in the part that all requests of an
 * item, a list of the editor or a poll share.
 */
export interface ApiRequest
	extends Pick<
		IHttpRequestOptions,
		'allowedDomains' | 'proxy' | 'skipSslCertificateValidation' | 'timeout'
	> {
	method: IHttpRequestMethods;
	/** Path from the base URL, its segments encoded: `/people/1f0c`. */
	path: string;
	query?: Query;
	/** JSON to send; absent for a request without a body. */
	body?: IDataObject;
	subject: Subject;
	/** Returns the editor's label for a path into the body; the names of the fields count if absent. */
	labelAt?: (path: string, body: IDataObject) => string;
	/** Object that stands for one run, one poll or the lists of the editor. The queue goes by it. */
	lane: object;
	/** Place of the trigger whose poll sends it; absent for all other requests. */
	place?: PollPlace;
	/** Index of the item. Within a lane, the requests of one item end before those of the next begin. */
	item: number;
	/** Whether a person waits for it in the editor: it goes before all others. */
	isUrgent: boolean;
	/** Least length of its run in minutes. A long run sends at an even pace. */
	runMinutes: number;
	/** Requests a minute that the credential allows. */
	limit: number;
	/** Longest wait for a free slot of the limit, in ms. */
	slotWaitMs: number;
	/** Longest wait while the service refuses all requests, in ms. */
	throttledWaitMs: number;
	/** Time at which the sender began to wait, in ms of the clock's `now`; the time of queueing if absent. */
	waitsSince?: number;
	/** Most tries after the first. */
	maxRetries: number;
	/** End of all timeouts and retries, in ms of the clock's `now`. */
	deadline?: number;
	/** Signal to send nothing more. A request under way has a moment left for its answer. */
	signal?: AbortSignal;
	logger?: Logger;
	/** Runs each time the request is sent. */
	onSent?: () => void;
	/** Runs for every answer, refusals among them. */
	onAnswer?: (headers: ServiceResponse['headers']) => void;
}

/** An answer of the service with any status. */
export interface ServiceResponse {
	status: number;
	/** Headers by lower-case name. */
	headers: Readonly<Record<string, string>>;
	/** Parsed JSON, or else the text. */
	body: unknown;
}

/** No answer came, or none that the node can read. */
export interface NetworkError {
	/** Code of the failure, such as `ECONNRESET`; empty if n8n itself sent nothing. */
	code: string;
	message: string;
}

/** The outcome of one try to send a request. */
export type Outcome =
	| ({ kind: 'response' } & ServiceResponse)
	| ({ kind: 'networkError' } & NetworkError);
