import * as host from 'n8n-workflow';
import type { IDataObject, INode, INodeExecutionData, JsonObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

/**
 * An error for the person in the editor. The message says what happened, the advice how to go on;
 * neither ends with a full stop.
 */
export class ExplainedError extends Error {
	/** Whether something may have been written all the same. */
	readonly mayHaveTakenEffect: boolean = false;

	constructor(
		message: string,
		readonly advice: string,
		/** The status the service answered with, if it did. */
		readonly httpCode?: string,
		/** After how many ms another try may get through, where a rate limit was the reason. */
		readonly retryAfterMs?: number,
	) {
		super(message);
	}

	/** Message and advice as one text, for places that show no more than a message. */
	get text(): string {
		const { message, advice } = this;
		return advice === '' ? message : `${message.replace(/\.$/, '')}. ${advice}`;
	}

	/** The label of the parameter that has to be corrected, where it is known to be one. */
	get parameter(): string | undefined {
		return undefined;
	}
}

/** A parameter that cannot be used as it was given. The message begins with its label. */
export class UnusableParameter extends ExplainedError {
	/** @param label where it cannot be read from the message */
	constructor(
		message: string,
		advice: string,
		private readonly label?: string,
	) {
		super(message, advice);
	}

	override get parameter(): string | undefined {
		if (this.label !== undefined) return this.label;
		const [, label] = /^([^:]+?)(?:: | is )/.exec(this.message) ?? [];
		return label;
	}
}

/**
 * Whatever was thrown, as the error that the editor and the engine understand. Made of texts alone: an
 * error of the HTTP client, kept as the cause, would carry the request and with it the key into the
 * execution.
 *
 * @param isTool whether an AI agent is told of it
 */
export function asNodeError(
	node: INode,
	error: unknown,
	itemIndex: number,
	isTool = false,
): NodeApiError {
	const explained = asExplained(error);
	const { httpCode, retryAfterMs } = explained;
	// An AI agent is shown the message of its tool and nothing else, so the advice goes into it.
	const message = isTool ? explained.text : explained.message;
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

/**
 * Throws an error again, as it is. In a `catch`, n8n's lint (`require-node-api-error`) refuses `throw error`; the
 * transport throws errors of its own, which become a NodeApiError at the end of their item.
 */
export function rethrow(error: unknown): never {
	throw error;
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

/** Whatever was thrown, as an error with a message for people. */
export function asExplained(error: unknown): ExplainedError {
	if (error instanceof ExplainedError) return error;
	return new ExplainedError(error instanceof Error ? error.message : String(error), '');
}

/** Returns a handler for `catch`: it turns an expected error into undefined, and throws any other again. */
export function noneIf(
	isExpected: (error: unknown) => boolean,
): (error: unknown) => Promise<undefined> {
	return async (error) => (isExpected(error) ? undefined : await Promise.reject(error));
}

/**
 * Whether the engine takes an item with `error` and `details` for one that failed. It does so since 2.35;
 * n8n-workflow has exported `redactedHeaders` since 2.36. Before, `error` and `message` were all that
 * such an item might hold, and one with anything else went out as if it had been done.
 */
const takesDetails = 'redactedHeaders' in host;

/**
 * An item that failed, in the form into which the engine of n8n puts the row that it came from, on the
 * error output: without the property `error` beside `json`, for which it would cut the row.
 *
 * @param message what happened
 * @param itemIndex of the input item, to which it stays linked
 */
export function errorItem(
	message: string,
	details: ErrorDetails,
	itemIndex: number,
	isWithDetails = takesDetails,
): INodeExecutionData {
	return {
		json: isWithDetails
			? { error: message, details }
			: { error: message, message: details.howToGoOn || message },
		pairedItem: { item: itemIndex },
	};
}
