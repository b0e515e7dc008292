import { mapValues, maxBy, pick, pickBy } from 'lodash';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { goesOn, pageOf } from '../http/paging';
import { taskRecord } from '../resources/task/record';
import { listsShownBy } from '../output/output';
import { EXAMPLES } from '../values/reference';
import { COLUMNS, type RecordContract } from '../schema/record';
import type { Client } from '../crm/client';
import { readTitledList } from '../crm/wholeLists';
import { lastChangedAt } from './detectors';
import { readPage } from './requests';
import type { Spending } from './spending';
import type { QueryPair } from './lists';
import type { ChangeEvent, Watch } from './watch';
import { isBlank } from '../values/text';
import { asRecord } from '../values/json';
import type { TitleOf } from '../output/specification';
import { MAX_PAGE_SIZE } from '../schema/limits';

/**
 * Returns one item for each event. The item holds the event's name, the record in the chosen form, and the previous
 * values.
 */
export function itemsOf(
	watch: Watch,
	{ titleOf }: Client,
	changes: readonly ChangeEvent[],
): INodeExecutionData[][] {
	const { form } = watch;
	// In raw output, a task shows only the IRIs of its column and workspace, so the item adds their titles. An unknown
	// title is null.
	const showsTitles = watch.list === 'tasks' && form.kind === 'raw';
	// Items of all events need the same fields. So `unknownBefore` has null for the previous values of each chosen event.
	const unknownBefore = Object.assign(
		watch.watchedFields.length > 0 ? { changes: null } : {},
		...watch.events.map((event) => event.unknownBefore),
	) as IDataObject;
	const items = changes.map(({ event, record, previous }) => ({
		json: {
			event: event.value,
			...form.of(record, titleOf),
			...(showsTitles
				? pick(taskRecord.simplify(record, titleOf), 'statusTitle', 'workspaceTitle')
				: {}),
			...unknownBefore,
			...previous,
			...previousTitle(previous, titleOf),
		},
	}));
	return [items];
}

function previousTitle({ previousStatus }: IDataObject, titleOf: TitleOf): IDataObject {
	if (previousStatus === undefined) return {};
	return { previousStatusTitle: titleOf(previousStatus, COLUMNS) ?? null };
}

/**
 * Reads the lists with the titles and names that items show. Reads each list at most once an hour, or every ten minutes
 * if a title is unknown. If the poll has no request left for these lists, items show IDs without titles.
 *
 * @param changes events to report. If there are none, the function reads all lists that a watched record may refer to
 * @param reserved number of requests that the poll keeps for reads of the watched list
 */
export async function readTitles(
	spending: Spending,
	watch: Watch,
	changes: readonly ChangeEvent[],
	reserved = 0,
): Promise<void> {
	const { tenant, titleOf } = spending.client;
	const hasChanges = changes.length > 0;
	const records = hasChanges ? changes.map(({ record }) => record) : [exampleOf(watch.record)];
	const lists = listsShownBy(records, watch.form, titleOf);
	if (watch.list === 'tasks') {
		const columns = changes.flatMap(({ record, previous }) => [
			record.status,
			previous.previousStatus,
		]);
		const isKnown = (column: unknown) => isBlank(column) || titleOf(column, COLUMNS) !== undefined;
		lists.set('/workspaces', { isComplete: columns.every(isKnown) });
	}
	const mayRead = () => spending.sent < spending.limit - reserved;
	for (const [path, { isComplete }] of lists) {
		if (!mayRead()) return;
		await readTitledList(tenant, path, {
			isComplete: isComplete || !hasChanges,
			readPage: async (query) => {
				if (!mayRead()) return undefined;
				const request = { method: 'GET' as const, path, query, subject: { noun: 'list' } };
				const response = await spending.send(request);
				return response && pageOf(response.body);
			},
		});
	}
}

/**
 * Returns a made-up record with an example IRI in each field that refers to other records. If there are no changes,
 * `readTitles` finds the lists to read by this record.
 */
function exampleOf({ fields }: RecordContract): IDataObject {
	const referring = pickBy(fields, ({ refersTo }) => refersTo !== undefined);
	return mapValues(referring, ({ refersTo, isList }) => {
		const iri = refersTo && EXAMPLES[refersTo];
		return isList ? [iri] : iri;
	}) as IDataObject;
}

/**
 * Returns a sample event for a test in the editor: the latest event on the first or the last page of the list. The
 * first page suffices if it shows the newest records (`isTimed`), or if it is the only page. Without `totalItems`, the
 * first page must suffice, because the number of the last page is unknown.
 */
export async function sampleOf(spending: Spending, watch: Watch): Promise<ChangeEvent | undefined> {
	const order: QueryPair[] = watch.isTimed ? [['order[createdAt]', 'desc']] : [];
	const size: QueryPair = ['itemsPerPage', String(MAX_PAGE_SIZE)];
	const first = await readPage(spending, watch, [...watch.filters, ...order, size]);
	if (!first) return undefined;
	const { members, totalItems } = first;
	const needsNoLastPage = watch.isTimed || !goesOn(first, members.length, MAX_PAGE_SIZE);
	if (needsNoLastPage || totalItems === undefined) return newestOf(watch, members.map(asRecord));
	const lastPage: QueryPair = ['page', String(Math.ceil(totalItems / MAX_PAGE_SIZE))];
	const last = await readPage(spending, watch, [...watch.filters, size, lastPage]);
	return newestOf(watch, [...members, ...(last?.members ?? [])].map(asRecord));
}

/**
 * Returns the latest event of `records` that pass the filters. If none of them passes, any record serves, because users
 * need data to build a workflow with. For a segment, only members who pass the filters serve: if the service ignores
 * the filter by segment, `records` also contain other people.
 */
function newestOf(watch: Watch, records: IDataObject[]): ChangeEvent | undefined {
	const isShown = (record: IDataObject) => watch.isMember?.(record) ?? true;
	const matching = records.filter((record) => watch.matches(record) && isShown(record));
	const candidates = matching.length > 0 || watch.isMember ? matching : records;
	const dated = candidates.flatMap((record) =>
		watch.events.map((event) => {
			const { sampleTime = lastChangedAt } = event;
			return { event, record, previous: {}, at: sampleTime(record) };
		}),
	);
	return maxBy(dated, ({ at }) => at) ?? dated[0];
}
