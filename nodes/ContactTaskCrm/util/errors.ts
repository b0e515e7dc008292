import * as host from 'n8n-workflow';
import { type INode, type INodeExecutionData, type JsonObject, NodeApiError } from 'n8n-workflow';
import { uniq, uniqBy } from 'lodash';
import type { ErrorCode } from './codes';

/** Facts about an error, in addition to its message and advice. */
export interface Facts {
	code: ErrorCode;
	/** Status of the answer, if one came. */
	httpCode?: string | undefined;
	/** Time in ms until a retry may succeed, if a rate limit is the reason. */
	retryAfterMs?: number;
	/** Label of the parameter to correct, if it is known. */
	parameter?: string | undefined;
	/** Writes that took effect before the error. The failed item shows them, so that Undo can take them back. */
	written?: readonly unknown[];
}

/**
 * An error with texts for the user. The message says what happened, and the advice says how to go on. Neither ends with
 * a full stop.
 */
export class ExplainedError extends Error {
	constructor(
		message: string,
		readonly advice: string,
		readonly facts: Facts,
	) {
		super(message);
	}

	/** Message and advice in one text, for a reader who sees only a message, such as an AI agent. */
	get text(): string {
		const { message, advice } = this;
		return advice === '' ? message : `${message.replace(/\.$/, '')}. ${advice}`;
	}

	/** Whether a request may have changed something although it failed. */
	get mayHaveTakenEffect(): boolean {
		return this.facts.code === 'uncertain';
	}
}

interface OptionsOfUnusable {
	canDoWithout?: string | undefined;
	code?: ErrorCode | undefined;
}

/** Error of a parameter with a value that the node cannot use. The message begins with the parameter's label. */
export class UnusableParameter extends ExplainedError {
	readonly canDoWithout: string | undefined;

	/**
	 * @param label label of the parameter; unnecessary if the message begins with it, as in "Phone: …" or "Phone is …"
	 * @param options.canDoWithout noun of a value that a write can leave out, such as "phone number"; otherwise absent
	 * @param options.code code for a value in the right form, such as `not-found`; by default `unusable-value`
	 */
	constructor(
		message: string,
		advice: string,
		label?: string,
		{ canDoWithout, code = 'unusable-value' }: OptionsOfUnusable = {},
	) {
		const [, begun] = /^([^:]+?)(?:: | is )/.exec(message) ?? [];
		super(message, advice, { code, parameter: label ?? begun });
		this.canDoWithout = canDoWithout;
	}
}

/**
 * Why a reference does not mean exactly one record. `expected` gives the reason in words. `code` is absent if the text
 * does not have the form of a reference.
 */
interface Unresolved {
	expected: string;
	code?: ErrorCode;
}

/** Returns the error for a reference that means no record, or several. */
export function unusableReference(
	label: string,
	{ expected, code }: Unresolved,
	advice: string,
): UnusableParameter {
	return new UnusableParameter(`${label}: ${expected}`, advice, label, { code });
}

/** Error of an item that has written something before it failed, such as a merge of several people. */
export class PartlyWritten extends ExplainedError {
	override get mayHaveTakenEffect(): boolean {
		return true;
	}
}

/** Error of a write that was not sent, because its changes go beyond the approved ones. */
export class ApprovalOutdated extends ExplainedError {
	/**
	 * @param what the changes beyond the approval, in words
	 * @param noun noun for the record, such as "person"
	 */
	constructor(what: string, noun: string) {
		super(
			`Not what was approved: ${what}`,
			`It was not written. The ${noun} has changed since the preview, or the item gives other values. Make a new preview, and have it approved`,
			{ code: 'moved' },
		);
	}
}

/**
 * Turns any error into a NodeApiError for the editor and the engine. Copies only texts, because an error of the HTTP
 * client holds the request with the API key.
 *
 * @param isTool whether an AI agent reads the error
 */
export function asNodeError(
	node: INode,
	error: unknown,
	itemIndex: number,
	isTool = false,
): NodeApiError {
	const explained = asExplained(error);
	const { code, httpCode, retryAfterMs } = explained.facts;
	// An AI agent sees only the message.
	const message = isTool ? explained.text : explained.message;
	const description = explained.advice;
	const nodeError = new NodeApiError(node, { message, description } as JsonObject, {
		message,
		description,
		itemIndex,
		...(httpCode === undefined ? {} : { httpCode }),
		...(retryAfterMs === undefined ? {} : { failure: { cause: 'rate-limited', retryAfterMs } }),
	});
	// The constructor replaces a message that contains an error code such as ENOTFOUND, so the message is set again.
	// The constructor also drops a description that equals the message.
	nodeError.message = message;
	// The code goes into the context. An error workflow gets the context even after n8n has turned the error into JSON.
	nodeError.context.code = code;
	return nodeError;
}

/**
 * Hides the index of the item in an error. n8n counts items from 0, so its editor would add "[item 4]" to the message
 * of the fifth row. n8n's engine sets the index after the node has thrown the error. So the function makes the context
 * of the error ignore the index.
 */
export function hideItemIndex(error: NodeApiError): void {
	Object.defineProperty(error.context, 'itemIndex', { get: () => undefined, set: () => undefined });
}

/**
 * Throws an error again, unchanged. n8n's lint rule `require-node-api-error` refuses `throw error` in a `catch`. The
 * node throws errors of its own classes, which become a NodeApiError at the end of their item.
 */
export function rethrow(error: unknown): never {
	throw error;
}

/**
 * Returns the details of a failed item: the code and advice of its error, the status of the answer, and the label of
 * the parameter to correct. An AI agent gets the advice in the message, so the details leave the advice out.
 */
export function detailsOf(error: unknown, isTool = false) {
	const { advice, facts } = asExplained(error);
	const { code, httpCode, parameter } = facts;
	return {
		code,
		...(isTool ? {} : { howToGoOn: advice }),
		...(httpCode === undefined ? {} : { httpStatus: Number(httpCode) }),
		...(parameter === undefined ? {} : { parameter }),
	};
}

export function asExplained(error: unknown): ExplainedError {
	if (error instanceof ExplainedError) return error;
	const message = error instanceof Error ? error.message : String(error);
	return new ExplainedError(message, '', { code: 'unexpected' });
}

/** Returns a handler for `catch` that turns an expected error into undefined, and throws any other error again. */
export function noneIf(isExpected: (error: unknown) => boolean): (error: unknown) => undefined {
	return (error) => (isExpected(error) ? undefined : rethrow(error));
}

/**
 * Whether n8n's engine recognises a failed item by `error` and `details`. The engine has done so since 2.35. The node
 * detects engines from 2.36 on, by the export `redactedHeaders`. An older engine accepts only `error` and `message`,
 * and treats any other item as a success.
 */
const takesDetails = 'redactedHeaders' in host;

/**
 * Returns a failed item in the form of n8n's own error output. The item has no property `error` beside `json`. With
 * that property, the engine would replace `json` with the message alone.
 *
 * @param itemIndex index of the input item that failed, for n8n's item linking
 */
export function errorItem(
	message: string,
	details: ReturnType<typeof detailsOf>,
	itemIndex: number,
): INodeExecutionData {
	return {
		json: takesDetails
			? { error: message, details }
			: { error: message, message: (details.howToGoOn ?? details.code) || message },
		pairedItem: { item: itemIndex },
	};
}

/**
 * Mistakes in the values of one item. The checks go on after a mistake, so that one message can name all mistakes.
 */
export class Mistakes {
	private readonly found: UnusableParameter[] = [];

	private readonly fields = new Set<string>();

	get areNone(): boolean {
		return this.found.length === 0;
	}

	/** Returns whether a field has a mistake. */
	isIn(field: string): boolean {
		return this.fields.has(field);
	}

	/** @param field field with the mistake, if it is known */
	add(mistake: UnusableParameter, field?: string): void {
		this.found.push(mistake);
		if (field !== undefined) this.fields.add(field);
	}

	/**
	 * Runs a check. If the check throws a mistake (UnusableParameter), keeps the mistake, and returns undefined.
	 *
	 * @throws any other error of the check
	 */
	tried<T>(check: () => T, field?: string): T | undefined {
		try {
			return check();
		} catch (error) {
			return this.caught(error, field);
		}
	}

	/** Does the same as `tried`, for a check that sends requests. */
	async triedLater<T>(check: () => Promise<T>, field?: string): Promise<T | undefined> {
		try {
			return await check();
		} catch (error) {
			return this.caught(error, field);
		}
	}

	/** Keeps an error that is a mistake, and throws any other error again. */
	private caught(error: unknown, field: string | undefined): undefined {
		if (!(error instanceof UnusableParameter)) return rethrow(error);
		this.add(error, field);
		return undefined;
	}

	/**
	 * Throws one error for all mistakes. Does nothing if there are none.
	 *
	 * @throws UnusableParameter
	 */
	throwAny(): void {
		if (!this.areNone) throw merged(this.found);
	}
}

/** Matches the end of a sentence, but not the point of "e.g.". */
const END_OF_SENTENCE = /(?<!\be\.g)\. /;

/**
 * Merges mistakes into one error with the label of the first mistake. If several mistakes have the same label, the
 * message has only the first of them. The advice has each sentence once. If the codes differ, the code is
 * `unusable-value`. The error has `canDoWithout` only if every mistake has it.
 */
function merged(mistakes: readonly UnusableParameter[]): UnusableParameter {
	const distinct = uniqBy(mistakes, ({ facts, message }) => facts.parameter ?? message);
	const [first, ...others] = distinct;
	if (others.length === 0) return first!;
	const dispensable = mistakes.map(({ canDoWithout }) => canDoWithout);
	const isSameCode = distinct.every(({ facts }) => facts.code === first!.facts.code);
	return new UnusableParameter(
		distinct.map(({ message }) => message).join('; '),
		uniq(distinct.flatMap(({ advice }) => advice.split(END_OF_SENTENCE))).join('. '),
		first!.facts.parameter,
		{
			canDoWithout: dispensable.includes(undefined) ? undefined : uniq(dispensable).join(' and '),
			code: isSameCode ? first!.facts.code : undefined,
		},
	);
}
