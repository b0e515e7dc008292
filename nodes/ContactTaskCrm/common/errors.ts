/**
 * An error for the person in the editor. The message says what happened, the advice how to go on;
 * neither ends with a full stop.
 */
export class ExplainedError extends Error {
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
		return this.advice === '' ? this.message : `${this.message}. ${this.advice}`;
	}
}

/** A parameter that cannot be used as it was given. The message names it by its label. */
export class UnusableParameter extends ExplainedError {
	constructor(message: string, advice: string) {
		super(message, advice);
	}
}
