import { ExplainedError } from '../common/errors';
import { asText } from './times';

/** What a trigger has been unable to do since it last read all there is. */
interface Repeated {
	/** What was thrown last. */
	message: string;
	/** When something was first thrown, and each kind of it last, in ms since 1970. */
	firstAt: number;
	thrownAt: ReadonlyMap<string, number>;
	/** Polls that ended in it and did not throw it. */
	silent: number;
	/** Since when all can be read again, in ms since 1970. */
	endedAt?: number;
	/** What the next poll throws before it reads anything. */
	due?: unknown;
}

/** The same is thrown no more often: each time is a failed execution. */
const ONCE_MS = 60 * 60_000;

/** What comes and goes has not ended: all has to be read for so long. */
const ENDED_MS = 10 * 60_000;

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
	else repeated.set(trigger, { ...thrown(known, due, wallTime), due: undefined });
	return due;
}

/**
 * Notes what a poll ended in.
 *
 * @param isLater whether it is to be thrown by the next poll, since this one hands something over
 * @returns whether to throw it: the first time, once an hour, and when it is something else
 */
export function noteError(
	trigger: string,
	error: unknown,
	{ wallTime, isLater }: { wallTime: number; isLater: boolean },
): boolean {
	const known = repeated.get(trigger);
	const last = known?.thrownAt.get(kindOf(error));
	if (known && last !== undefined && wallTime - last < ONCE_MS) {
		repeated.set(trigger, { ...known, silent: known.silent + 1, endedAt: undefined });
		return false;
	}
	const due = isLater ? error : undefined;
	repeated.set(trigger, { ...thrown(known, error, wallTime), due });
	return !isLater;
}

function thrown(known: Repeated | undefined, error: unknown, wallTime: number): Repeated {
	return {
		message: textOf(error),
		firstAt: known?.firstAt ?? wallTime,
		// Several kinds may take turns, as a page that cannot be read and what is said of it.
		thrownAt: new Map([...(known?.thrownAt ?? []), [kindOf(error), wallTime]]),
		silent: known?.silent ?? 0,
	};
}

function textOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

/** How many seconds are left says nothing new. */
function kindOf(error: unknown): string {
	return textOf(error).replace(/\d+/g, '#');
}

/**
 * Notes that all can be read. Once that is so for ten minutes, the next poll says so, if anything was
 * left unsaid meanwhile.
 */
export function noteSuccess(trigger: string, wallTime: number): void {
	const known = repeated.get(trigger);
	if (!known || known.due !== undefined) return;
	const { endedAt = wallTime, silent } = known;
	if (wallTime - endedAt < ENDED_MS) repeated.set(trigger, { ...known, endedAt });
	else if (silent === 0) repeated.delete(trigger);
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
