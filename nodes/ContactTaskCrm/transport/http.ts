import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';

/** One request to the service, before it is sent. */
export interface ServiceRequest {
	method: IHttpRequestMethods;
	/** Path from the base URL, its segments encoded: `/people/1f0c`. */
	path: string;
	/** Query parameters in order; a name may stand more than once. */
	query?: ReadonlyArray<readonly [string, string]>;
	/** What goes out as JSON; absent for requests without a body. */
	body?: IDataObject;
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

export type Outcome =
	| ({ kind: 'response' } & ServiceResponse)
	| ({ kind: 'networkError' } & NetworkError);

/** Whether a status says success (RFC 9110, section 15.3). */
export function isSuccess(status: number): boolean {
	return status >= 200 && status < 300;
}
