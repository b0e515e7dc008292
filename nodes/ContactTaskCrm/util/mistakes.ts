import { uniq, uniqBy } from 'lodash';
import { rethrow, UnusableParameter } from './errors';

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
	 * Runs a check. If the check finds a mistake, keeps the mistake, and returns undefined.
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

/**
 * Merges mistakes into one error with the label of the first mistake. If several mistakes have the same label, the
 * message has only the first of them. If the codes differ, the code is `unusable-value`. The error has `canDoWithout`
 * only if every mistake has it.
 */
function merged(mistakes: readonly UnusableParameter[]): UnusableParameter {
	const distinct = uniqBy(mistakes, ({ facts, message }) => facts.parameter ?? message);
	const [first, ...others] = distinct;
	if (others.length === 0) return first!;
	const dispensable = mistakes.map(({ canDoWithout }) => canDoWithout);
	const isSameCode = distinct.every(({ facts }) => facts.code === first!.facts.code);
	return new UnusableParameter(
		distinct.map(({ message }) => message).join('; '),
		uniq(distinct.map(({ advice }) => advice)).join('. '),
		first!.facts.parameter,
		{
			canDoWithout: dispensable.includes(undefined) ? undefined : uniq(dispensable).join(' and '),
			code: isSameCode ? first!.facts.code : undefined,
		},
	);
}
