import type { AppliedFilter, FilterParameter } from '../schema/filter';
import { UnusableParameter } from '../util/errors';
import { holderOf, isSameReference } from '../values/reference';

/*
 * Two filters of one list may choose a record and its holder: a column, and the workspace that holds it.
 */

/** Returns whether the records of a filter lie below other records, as columns lie below workspaces. */
export function isHeld({ refersTo }: FilterParameter): boolean {
	return refersTo?.includes('{') ?? false;
}

/**
 * Returns the applied filter by the holders of the records of `filter`, such as the filter Workspace for the filter
 * Column. Returns undefined if the user set no such filter.
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
