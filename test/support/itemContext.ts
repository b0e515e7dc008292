import type { IExecutePaginationFunctions, IHttpRequestOptions, INode } from 'n8n-workflow';

export const NODE: INode = {
	id: '1',
	name: 'CRM',
	type: 'n8n-nodes-contact-task-crm.contactTaskCrm',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

export interface Answer {
	statusCode?: number;
	headers?: Record<string, string>;
	body?: unknown;
}

export interface ItemContextOptions {
	/** Answers a request, or throws if no answer comes. By default, answers with status 200 and an empty object. */
	answer?: (request: IHttpRequestOptions) => Answer | Promise<Answer>;
}

let keys = 0;

/**
 * Returns the parts of n8n's context of an item that the node uses, without n8n's engine. Such a context serves tests of
 * what the node decides before and after requests. Tests of the engine's behaviour use the engine.
 */
export function itemContext({ answer = () => ({}) }: ItemContextOptions = {}) {
	const requests: IHttpRequestOptions[] = [];
	const executeData = { data: { main: [[{ json: {} }]] } };
	// The node counts the requests of a minute by key. With a key of its own, no test has to wait for another test.
	const apiKey = `key-${keys++}`;
	const baseUrl = 'https://crm.example.com';
	const context = {
		getNode: () => NODE,
		getItemIndex: () => 0,
		logger: { debug: () => undefined, info: () => undefined },
		getExecuteData: () => executeData,
		getExecutionCancelSignal: () => undefined,
		continueOnFail: () => false,
		getTimezone: () => 'Europe/Amsterdam',
		getNodeParameter: (_: string, fallback: unknown) => fallback,
		getCredentials: async () => await Promise.resolve({ baseUrl, apiKey, requestsPerMinute: 20 }),
		helpers: {
			httpRequestWithAuthentication: async (_: string, request: IHttpRequestOptions) => {
				requests.push(request);
				const { statusCode = 200, headers = {}, body = {} } = await answer(request);
				return { statusCode, headers, body };
			},
		},
	} as unknown as IExecutePaginationFunctions;
	return { context, requests };
}
