import { emailToFind } from '../input/matchToFind';
import { byCreation, byNumber, goesOn, START } from '../http/paging';
import { type AppliedFilter, oppositeValues } from '../schema/filter';
import type { Client } from '../crm/client';
import {
	assertFiltered,
	type ListPart,
	type ListRequest,
	readList,
	requestPage,
} from '../crm/readList';
import { iriPrefix } from '../crm/serviceForm';
import { ExplainedError, UnusableParameter } from '../util/errors';
import { isAgentsNone } from '../input/noValue';
import { ListNote } from '../output/output';
import {
	type AppliedReadFilter,
	filterQuery,
	filtersOf,
	orderQuery,
	passesAll,
	shownCheck,
	targetOf,
} from '../input/query';
import { isMeantAsEmail } from '../values/email';
import { isBlank, quoted } from '../values/text';
import { asText } from '../values/time';
import type { RecordSpecification } from '../output/specification';
import { shownId } from '../crm/records';
import type { Query } from '../http/request';
import { MAX_PAGE_SIZE } from '../schema/limits';
import type { Item } from './item';
import { isTurnedOn } from './options';
import { type Paginator, paginatorOf } from './paginator';
import type { Run } from './run';

/** Makes the operation that reads a list, up to the limit or to its end. */
export function runGetAll(record: RecordSpecification): Paginator {
	return paginatorOf({ record, run: async (item) => await listRecords(item, record) });
}

async function listRecords(item: Item, record: RecordSpecification): Promise<readonly unknown[]> {
	const { client, request, applied, proofs, isExact } = await prepared(item, record);
	const kind = item.form?.kind;
	if (kind === 'count') return [{ count: await numberOf(client, request, proofs()) }];
	const list = inSafeOrder(client, request);
	// `needsRecords`: the node needs the fields of records to filter, to check a filter, or to keep the order of
	// creation. Identifiers show no fields.
	const needsRecords = list.passes ?? list.check ?? list.pageOrder;
	const isOfIdentifiers = kind === 'identifiers' && !needsRecords;
	const { path, query, limit } = request;
	const question = JSON.stringify([path, query, applied, limit, isOfIdentifiers]);
	const part = await item.run.readOnce(
		question,
		async () => await readList(client, isOfIdentifiers ? identifiersOf(request) : list),
	);
	// The model of an AI agent sees only items. So the note about a cut or empty list has to be an item.
	const note = item.run.isTool ? noteOf(part, record.plural, isExact) : undefined;
	return note ? [...part.records, note] : part.records;
}

/** Checks the parameters of an item, begins it, and returns the request for its list. */
async function prepared(item: Item, record: RecordSpecification) {
	const { path } = await targetOf(item);
	const limit = limitOf(item);
	const filters = await filtersOf(item, record.filters);
	const readFilters = await filtersOf(item, record.readFilters ?? {});
	const order = orderQuery(item, record);
	const sought = withLookups(item, readFilters);

	const client = await item.begin();
	const haveIris = filters.some(({ filter }) => filter.kind === 'iri');
	const prefix = haveIris ? await iriPrefix(client) : '';
	const queryOf = (some: AppliedFilter[]) => [...filterQuery(some, prefix), ...order];
	const found = await withPeopleFound(item.run, client, sought);
	const passes = passesAll(found, item.context.getTimezone());
	const checkShown = shownCheck(readFilters, record);
	const check = (records: readonly unknown[]) => {
		assertFiltered(records, filters, record);
		checkShown(records);
	};
	const request: ListRequest = {
		path,
		query: queryOf(filters),
		limit,
		contract: record,
		...(passes && { passes }),
		...(filters.length + readFilters.length > 0 ? { check } : {}),
	};
	const applied = readFilters.map(({ filter, values }) => [filter.label, values]);
	const isExact = filters.some(({ filter }) => filter.shownIn.includes('emailAddresses'));
	return { client, request, applied, isExact, proofs: () => proofsOf(filters, queryOf) };
}

/**
 * Returns the number of records. If the node itself filters, it reads all records, because the service cannot count the
 * records that pass. The node also reads all records if the service may ignore a filter. The records then show whether
 * the service applies the filter.
 */
async function numberOf(
	client: Client,
	request: ListRequest,
	proofs: readonly FilterProof[],
): Promise<number> {
	const counted = request.passes ? undefined : await countOf(client, request, proofs);
	if (counted !== undefined) return counted;
	return (await readList(client, inSafeOrder(client, { ...request, limit: Infinity }))).records
		.length;
}

/**
 * Returns the request, to be read in the order of creation. If a record is deleted during the read, the node then misses
 * no other record. The request stays as it is if the user sorts the list or sets a limit. It also stays as it is if the
 * service cannot sort by creation, or has recently returned another order.
 */
function inSafeOrder({ tenant }: Client, request: ListRequest): ListRequest {
	const { path, query = [], limit, contract } = request;
	const isSorted = query.some(([name]) => Object.values(contract.orders).includes(name));
	const isKept = 'createdAt' in contract.orders && tenant.description.keepsOrder(path);
	const isSafe = limit === Infinity && isKept && !isSorted;
	return isSafe ? { ...request, pageOrder: byCreation(asText) } : request;
}

/**
 * Announces lookups for the e-mail addresses in filters, so that one request can serve several items. Returns the filters
 * with lookups in place of the addresses.
 */
function withLookups(item: Item, filters: readonly AppliedReadFilter[]) {
	return filters.map(({ filter, values }) => {
		const { takesEmail, label } = filter;
		const sought = [...new Set(values)].map((value) =>
			takesEmail && isMeantAsEmail(value) ? emailToFind(item, value, label) : value,
		);
		return { filter, sought };
	});
}

/**
 * Looks up the people in filters. Returns the filters with the IRIs of these people in place of the lookups.
 *
 * @throws ExplainedError if nobody has one of the e-mail addresses, or if several people have it
 */
async function withPeopleFound(
	run: Run,
	client: Client,
	filters: ReturnType<typeof withLookups>,
): Promise<AppliedReadFilter[]> {
	const found: AppliedReadFilter[] = [];
	for (const { filter, sought } of filters) {
		const values: string[] = [];
		for (const value of sought) {
			if (typeof value === 'string') values.push(value);
			else {
				const { read } = await run.lookups.findByEmail(client, value);
				values.push(`${filter.refersTo}/${read.id}`);
			}
		}
		found.push({ filter, values });
	}
	return found;
}

/** Returns a request for only the identifiers of a list, because identifiers are shorter than records. */
function identifiersOf(list: ListRequest): ListRequest {
	return { ...list, query: [...(list.query ?? []), ['view', 'idx']], isOfIdentifiers: true };
}

/** Number of records to read if the user gives no limit. */
const DEFAULT_READ = 50;

/**
 * Returns the maximum number of records that the user wants; Infinity for Return All.
 *
 * @throws UnusableParameter if Return All is neither on nor off, or Limit is no number from 1
 */
export function limitOf(item: Item): number {
	// The model of an AI agent may give a blank for a parameter that it does not need. `orElse`, the default, then
	// applies.
	const given = (name: string, orElse: boolean | number): unknown => {
		const value: unknown = item.context.getNodeParameter(name, orElse);
		return isAgentsNone(item, value) || (item.run.isTool && isBlank(value)) ? orElse : value;
	};
	if (isTurnedOn('Return All', given('returnAll', false))) return Infinity;
	const limit = given('limit', DEFAULT_READ);
	const count = typeof limit === 'string' && limit.trim() !== '' ? Number(limit) : limit;
	if (typeof count !== 'number' || !Number.isInteger(count) || count < 1) {
		throw new UnusableParameter(
			`Limit: expected a whole number of 1 or more, got ${quoted(limit)}`,
			'Enter how many records you want, or turn on Return All',
		);
	}
	return count;
}

const HOW_TO_SEE_OTHERS =
	'To see others, narrow the search, or raise the limit where that can be given';

const OTHER_SPELLINGS =
	'. The CRM may compare spellings exactly: try lower case, or a phone number with its country code';

/**
 * Returns a note for the model of an AI agent if a list is cut or empty; otherwise undefined. Without the note, the model
 * would take a cut list for the whole list. For an empty list, n8n would give the model no text at all.
 *
 * @param isExact whether a filter by e-mail address, phone number or network ID applies
 */
export function noteOf(
	{ records: { length: shown }, total, isCut }: ListPart,
	plural: string,
	isExact = false,
): ListNote | undefined {
	if (shown === 0) {
		return new ListNote({
			note: `No ${plural} were found${isExact ? OTHER_SPELLINGS : ''}`,
			shown,
		});
	}
	if (!isCut) return undefined;
	const part = total === undefined ? `${plural}; there may be more` : `of ${total} ${plural}`;
	const note = `These are the first ${shown} ${part}. ${HOW_TO_SEE_OTHERS}`;
	return new ListNote({ note, shown, ...(total !== undefined && { total }) });
}

/** A query that shows whether the service applies one filter of a list. */
interface FilterProof {
	/** Query of the list, but with opposite values for the filter (No instead of Yes), or without the filter. */
	query: Query;
	/** Whether the query lacks the filter. */
	isWithout: boolean;
}

/**
 * Returns a proof for each filter by a field that records show (`shownIn`), but not for a full-text search. The answer
 * to the query of a proof shows whether the service applies the filter.
 */
function proofsOf(
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
