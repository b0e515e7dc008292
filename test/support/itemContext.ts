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

/** Answers a request, or throws if no answer comes. */
export interface ItemContextOptions {
	answer?: (request: IHttpRequestOptions) => Answer | Promise<Answer>;
}

let keys = 0;

/**
 * Returns the part of an item's context that operations and the transport use, without an engine. It is for tests of
 * decisions before and after requests. Tests of engine behaviour use the engine.
 */
export function itemContext({ answer = () => ({}) }: ItemContextOptions = {}) {
	const requests: IHttpRequestOptions[] = [];
	const executeData = { data: { main: [[{ json: {} }]] } };
	// Each key has its own budget.
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
