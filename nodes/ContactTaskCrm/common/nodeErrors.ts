import type { IDataObject, INode, JsonObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import { isAgentTool } from './agentTool';
import { ExplainedError } from './errors';

/**
 * Whatever was thrown, as the error that the editor and the engine understand. Made of texts alone: an
 * error of the HTTP client, kept as the cause, would carry the request and with it the key into the
 * execution.
 */
export function asNodeError(node: INode, error: unknown, itemIndex: number): NodeApiError {
	const explained = asExplained(error);
	const { httpCode, retryAfterMs } = explained;
	// An AI agent is shown the message of its tool and nothing else, so the advice goes into it.
	const message = isAgentTool(node) ? explained.text : explained.message;
	const description = explained.advice;
	const nodeError = new NodeApiError(node, { message, description } as JsonObject, {
		message,
		description,
		httpCode,
		itemIndex,
		...(retryAfterMs === undefined ? {} : { failure: { cause: 'rate-limited', retryAfterMs } }),
	});
	// The constructor drops a description that equals the message and rewrites some messages by code.
	nodeError.message = message;
	return nodeError;
}

/** What an error says beyond its message: how to go on, and what it was about. */
export interface ErrorDetails extends IDataObject {
	howToGoOn: string;
	/** Status that the service answered with, such as 404. */
	httpStatus?: number;
	/** Label of the parameter that has to be corrected. */
	parameter?: string;
}

/** The details of whatever was thrown. */
export function detailsOf(error: unknown): ErrorDetails {
	const { advice, httpCode, parameter } = asExplained(error);
	return {
		howToGoOn: advice,
		...(httpCode === undefined ? {} : { httpStatus: Number(httpCode) }),
		...(parameter === undefined ? {} : { parameter }),
	};
}

function asExplained(error: unknown): ExplainedError {
	if (error instanceof ExplainedError) return error;
	return new ExplainedError(error instanceof Error ? error.message : String(error), '');
}
