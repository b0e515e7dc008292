import type { Client } from '../crm/client';
import { type ListRequest, requestPage } from '../crm/readList';
import { shownId } from '../crm/records';
import { byNumber, goesOn, START } from '../http/paging';
import type { Query } from '../http/request';
import { type AppliedFilter, oppositeValues } from '../schema/filter';
import { MAX_PAGE_SIZE } from '../schema/limits';
import { ExplainedError } from '../util/errors';

/** A query that shows whether the service applies one filter of a list. */
export interface FilterProof {
	/** Query of the list. It gives the filter its opposite values (`oppositeValues`), or lacks the filter. */
	query: Query;
	/** Whether the query lacks the filter. */
	isWithout: boolean;
}

/**
 * Returns a proof for each filter by a field that records show (`shownIn`). The answer to the query of a proof shows
 * whether the service applies the filter.
 */
export function proofsOf(
	filters: AppliedFilter[],
	queryOf: (some: AppliedFilter[]) => Query,
): FilterProof[] {
	const shown = filters.filter(({ filter }) => filter.shownIn.length > 0);
	return shown.map((applied) => {
		const values = oppositeValues(applied);
		const opposed = filters.map((one) => (one === applied ? { ...one, values } : one));
		return { query: queryOf(opposed), isWithout: values.length === 0 };
	});
}

/**
 * Returns the number of records in a list, from its first page. If the list has further pages, nothing shows whether
 * the records on these pages meet the filters. So the function then reads one page for each of `proofs`.
 *
 * @param proofs queries that show whether the service applies the filters
 * @returns undefined if the service may have ignored a filter. The caller then has to read the whole list
 * @throws ExplainedError if the service does not say the number
 */
export async function countOf(
	client: Client,
	list: ListRequest,
	proofs: readonly FilterProof[],
): Promise<number | undefined> {
	const firstPage = async (query: Query | undefined, check: ListRequest['check']) =>
		await requestPage(client, { ...list, check }, byNumber().query(START, query));
	const page = await firstPage(list.query, list.check);
	const { members, totalItems } = page;
	const { length } = members;
	if (totalItems !== undefined && totalItems > length) {
		const ids = new Set(members.map((member) => shownId(member, list.contract)));
		for (const { query, isWithout } of proofs) {
			const other = await firstPage(query, undefined);
			const isApplied = isWithout
				? (other.totalItems ?? 0) > totalItems
				: !other.members.some((member) => ids.has(shownId(member, list.contract)));
			if (!isApplied) return undefined;
		}
	}
	if (totalItems !== undefined) return totalItems;
	if (!goesOn(page, length, MAX_PAGE_SIZE)) return length;
	throw new ExplainedError(
		`The service does not say how many ${list.contract.plural} there are`,
		'Set Output to IDs Only or Simplified with Return All, and count the items',
		{ code: 'unsupported' },
	);
}
