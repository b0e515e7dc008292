import { uniq, uniqBy } from 'lodash';
import { rethrow, UnusableParameter } from './errors';

/** Mistakes in the values of one item. The checks go on after a mistake, so that one message tells all of them. */
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
	 * Does a check. Returns undefined if the check finds a mistake.
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

	/** As `tried`, for a check that may send requests. */
	async triedLater<T>(check: () => Promise<T>, field?: string): Promise<T | undefined> {
		try {
			return await check();
		} catch (error) {
			return this.caught(error, field);
		}
	}

	private caught(error: unknown, field: string | undefined): undefined {
		if (!(error instanceof UnusableParameter)) return rethrow(error);
		this.add(error, field);
		return undefined;
	}

	/**
	 * Throws if there is a mistake. Of several mistakes with the same label, tells the first. Mistakes with different
	 * codes together are an unusable value.
	 *
	 * @throws UnusableParameter with all mistakes, and the label of the first
	 */
	throwAny(): void {
		const [first, ...others] = uniqBy(
			this.found,
			({ facts, message }) => facts.parameter ?? message,
		);
		if (!first) return;
		if (others.length === 0) throw first;
		const all = [first, ...others];
		const left = this.found.map(({ canDoWithout }) => canDoWithout);
		const canDoWithout = left.includes(undefined) ? undefined : uniq(left).join(' and ');
		throw new UnusableParameter(
			all.map(({ message }) => message).join('; '),
			uniq(all.map(({ advice }) => advice)).join('. '),
			first.facts.parameter,
			canDoWithout,
			all.every(({ facts }) => facts.code === first.facts.code) ? first.facts.code : undefined,
		);
	}
}
