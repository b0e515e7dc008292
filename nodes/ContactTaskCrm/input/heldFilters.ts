import type { AppliedFilter, FilterParameter } from '../schema/filter';
import { UnusableParameter } from '../util/errors';
import { holderOf, isSameReference } from '../values/reference';

/*
 * A list may have two related filters: by a column, and by the workspace that holds the column (the holder). Both
 * filters must fit together.
 */

/** Returns whether a filter chooses records that lie below other records, as columns lie below workspaces. */
export function isHeld({ refersTo }: FilterParameter): boolean {
	return refersTo?.includes('{') ?? false;
}

/**
 * Returns the applied filter by holders that belongs to `filter`. For the filter Column, this is the filter Workspace.
 * Returns undefined if the user has not set such a filter.
 */
export function holdersFor<F extends FilterParameter>(
	filter: FilterParameter,
	applied: ReadonlyArray<AppliedFilter<F>>,
): AppliedFilter<F> | undefined {
	if (!isHeld(filter)) return undefined;
	const collection = holderOf(filter.refersTo ?? '');
	return applied.find((one) => one.filter.refersTo === collection);
}

/**
 * Refuses filters that no record can meet together, such as a column and another workspace.
 *
 * @throws UnusableParameter that names both filters
 */
export function assertTogether(applied: ReadonlyArray<AppliedFilter<FilterParameter>>): void {
	for (const { filter, values } of applied) {
		const holders = holdersFor(filter, applied);
		if (!holders) continue;
		const { label, refersTo = '' } = holders.filter;
		const isIn = (value: string) =>
			holders.values.some((holder) => isSameReference(holder, holderOf(value), refersTo));
		if (values.some(isIn)) continue;
		const [own, other] = [filter.label.toLowerCase(), label.toLowerCase()];
		throw new UnusableParameter(
			`${filter.label} is one of another ${other} than ${label}`,
			`Choose a ${own} of that ${other}, or take one of the two filters away`,
		);
	}
}
