import type { INode, JsonObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import { UnusableBaseUrl } from '../transport/baseUrl';
import type { Tally } from '../transport/nodeRun';
import type { Explanation } from '../transport/serviceErrors';
import { ServiceError } from '../transport/serviceErrors';
import { RateLimited } from '../transport/tenantGate';

/** A parameter that cannot be used as it was given. The message names it by its label. */
export class UnusableParameter extends Error {
	constructor(
		message: string,
		readonly advice: string,
	) {
		super(message);
	}
}

/**
 * Whatever was thrown, as the editor and the engine want it. Made of texts alone: an error of the
 * HTTP client, kept as the cause, would carry the request and with it the key into the execution.
 */
export function asNodeError(node: INode, error: unknown, itemIndex: number): NodeApiError {
	const { message, description, httpCode } = toldTo(node, explained(error));
	const failure =
		error instanceof RateLimited
			? { failure: { cause: 'rate-limited' as const, retryAfterMs: error.waitMs } }
			: {};
	const nodeError = new NodeApiError(node, { message, description } as JsonObject, {
		message,
		description,
		httpCode,
		itemIndex,
		...failure,
	});
	// The constructor drops a description that equals the message and rewrites some messages by code.
	nodeError.message = message;
	return nodeError;
}

/** An AI agent is shown the message of its tool and nothing else, so the advice goes into it. */
function toldTo({ type }: INode, explanation: Explanation): Explanation {
	const { message, description } = explanation;
	if (!type.endsWith('Tool') || description === '') return explanation;
	return { ...explanation, message: `${message}. ${description}` };
}

/** Adds how the rest of the run ended, so that the user knows what to run again. */
export function withTally(error: NodeApiError, { total, done, notSent }: Tally): NodeApiError {
	if (total > 1) {
		const many = (count: number) => `${count} of ${total} item${total === 1 ? '' : 's'}`;
		error.message += ` (${many(done)} done before, ${notSent} not sent)`;
	}
	return error;
}

function explained(error: unknown): Explanation {
	if (error instanceof ServiceError) return error.explanation;
	if (error instanceof UnusableParameter) {
		return { message: error.message, description: error.advice };
	}
	if (error instanceof UnusableBaseUrl) {
		const [message, ...advice] = error.message.split('. ');
		return { message, description: advice.join('. ') };
	}
	if (error instanceof RateLimited) return explainRateLimit(error);
	const message = error instanceof Error ? error.message : String(error);
	return { message, description: '' };
}

function explainRateLimit({ waitMs, reason }: RateLimited): Explanation {
	const seconds = Math.ceil(waitMs / 1000);
	return {
		message:
			reason === 'limit'
				? `The requests of this minute are used up; the next one is possible in ${seconds} seconds`
				: `The service refuses requests for now (HTTP 429); the next try is possible in ${seconds} seconds`,
		description:
			'Set Options > When Rate Limited to Wait, or raise Options > Max Wait (Minutes), or run this again later',
		httpCode: reason === 'refusal' ? '429' : undefined,
	};
}
