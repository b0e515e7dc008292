import type { IDataObject, IHttpRequestMethods, IHttpRequestOptions, Logger } from 'n8n-workflow';

/** Query parameters in order; a name may stand more than once. */
export type Query = ReadonlyArray<readonly [string, string]>;

/** What a request is about, for the messages. */
export interface Subject {
	/** "person", "comment" */
	noun: string;
	/** Id of the record that is addressed, if one is. */
	id?: string;
	/** What does not exist where the answer is 404: the record, or the one it stands below. */
	named?: { noun: string; id: string };
	/** What is to be done with it, where the method does not tell: "export". */
	verb?: string;
}

/** What the user may set for the connection, in the node's Request Options. */
type ConnectionOptions = Pick<
	IHttpRequestOptions,
	'allowedDomains' | 'proxy' | 'skipSslCertificateValidation' | 'timeout'
>;

/**
 * One request to the service: what it asks for, and how it is sent. The client fills in what is the same
 * for all requests of an item, a list of the editor or a poll.
 */
export interface ApiRequest extends ConnectionOptions {
	method: IHttpRequestMethods;
	/** Path from the base URL, its segments encoded: `/people/1f0c`. */
	path: string;
	query?: Query;
	/** What goes out as JSON; absent for requests without a body. */
	body?: IDataObject;
	/** What it is about, for messages. */
	subject: Subject;
	/** What the editor calls what a path into the body leads to; by the names of the fields where absent. */
	labelAt?: (path: string, body: IDataObject) => string;
	/** What it is queued by: an object that stands for one run, one poll, or the lists of the editor. */
	lane: object;
	/** The item that it is for: within a lane, an item that was begun is finished before the next. */
	item: number;
	/** Whether a person waits for it in the editor: it goes before all others. */
	isUrgent: boolean;
	/** How many minutes the run takes at least that it is part of: a long one sends at an even pace. */
	runMinutes: number;
	/** Requests a minute that the credential allows. */
	limit: number;
	/** How long it waits for a free slot of the limit, in ms. */
	slotWaitMs: number;
	/** How long it waits while the service refuses whatever is sent, in ms. */
	throttledWaitMs: number;
	/** Since when whoever sends it has been waiting, in ms of the clock's `now`; since it is queued where absent. */
	waitsSince?: number;
	/** How often it is sent again at most. */
	maxRetries: number;
	/** When all has to be over, in ms of the clock's `now`: no timeout and no retry goes beyond it. */
	deadline?: number;
	/** Nothing is sent once it aborts; what is under way then has a moment left to be answered. */
	signal?: AbortSignal;
	logger?: Logger;
	/** Called each time it is sent. */
	onSent?: () => void;
	/** Called with the headers of every answer, refusals among them. */
	onAnswer?: (headers: ServiceResponse['headers']) => void;
}

/** An answer of the service, whatever its status. */
export interface ServiceResponse {
	status: number;
	/** By lower-case name. */
	headers: Readonly<Record<string, string>>;
	/** Parsed where it was JSON, else the text. */
	body: unknown;
}

/** No answer came, or none that could be read. */
export interface NetworkError {
	/** The code of the failure, such as `ECONNRESET`; empty where n8n itself sent nothing. */
	code: string;
	message: string;
}

/** What came of sending a request once. */
export type Outcome =
	| ({ kind: 'response' } & ServiceResponse)
	| ({ kind: 'networkError' } & NetworkError);
