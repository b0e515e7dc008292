import { ExplainedError } from '../common/errors';
import { asText } from './times';

/** What a trigger has last been unable to do. */
interface Repeated {
	kind: string;
	message: string;
	/** When it was first and last thrown, in ms since 1970. */
	firstAt: number;
	thrownAt: number;
	/** Polls that ended in it and did not throw it. */
	silent: number;
	/** What the next poll throws before it reads anything. */
	due?: unknown;
}

/** The same is thrown no more often: each time is a failed execution. */
const ONCE_MS = 60 * 60_000;

const repeated = new Map<string, Repeated>();

/**
 * What a poll has to throw before it reads: what an earlier one had to leave unsaid because it handed
 * items over, or that what kept being thrown has ended.
 */
export function takeDue(trigger: string, wallTime: number): unknown {
	const known = repeated.get(trigger);
	if (known?.due === undefined) return undefined;
	const { due } = known;
	if (due instanceof HasEnded) repeated.delete(trigger);
	else repeated.set(trigger, { ...known, due: undefined, thrownAt: wallTime });
	return due;
}

/**
 * Notes what a poll ended in.
 *
 * @param isLater whether it is to be thrown by the next poll, since this one hands something over
 * @returns whether to throw it: the first time, once an hour, and when it has changed
 */
export function noteError(
	trigger: string,
	error: unknown,
	{ wallTime, isLater }: { wallTime: number; isLater: boolean },
): boolean {
	const message = error instanceof Error ? error.message : String(error);
	// How many seconds are left says nothing new.
	const kind = message.replace(/\d+/g, '#');
	const known = repeated.get(trigger);
	const isSame = known?.kind === kind;
	if (isSame && wallTime - known.thrownAt < ONCE_MS) {
		repeated.set(trigger, { ...known, silent: known.silent + 1 });
		return false;
	}
	const firstAt = isSame ? known.firstAt : wallTime;
	const silent = isSame ? known.silent : 0;
	const due = isLater ? error : undefined;
	repeated.set(trigger, { kind, message, firstAt, thrownAt: wallTime, silent, due });
	return !isLater;
}

/** Notes that a poll went well: the next one says so, if anything was left unsaid meanwhile. */
export function noteSuccess(trigger: string): void {
	const known = repeated.get(trigger);
	if (!known || known.due !== undefined) return;
	if (known.silent === 0) repeated.delete(trigger);
	else repeated.set(trigger, { ...known, due: new HasEnded(known) });
}

/** What kept a trigger from reading has ended. */
class HasEnded extends ExplainedError {
	constructor({ message, firstAt, silent }: Repeated) {
		super(
			`The trigger reads again, after ${silent + 1} polls since ${asText(firstAt)} that could not: ${message}`,
			'Nothing has to be done: what happened in the meantime starts the workflow now',
		);
	}
}
