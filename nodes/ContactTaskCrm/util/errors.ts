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
