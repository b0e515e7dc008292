import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { goesOn } from '../http/paging';
import { taskRecord } from '../resources/task/output';
import { asRecord, outputFormOf } from '../run/output';
import type { TitleOf } from '../run/specification';
import { COLUMNS } from '../tenant/directory';
import { readTitledList } from '../tenant/titles';
import { referenceIn } from '../util/records';
import type { PollRequests } from './requests';
import type { ChangeEvent, QueryPair, Watch } from './watch';

/** The items that a poll hands over: the event first, then the record in the form that was chosen. */
export function itemsOf(
	context: IPollFunctions,
	watch: Watch,
	{ tenant }: PollRequests,
	changes: readonly ChangeEvent[],
): INodeExecutionData[][] {
	const form = outputFormOf(context, watch.record);
	const titleOf: TitleOf = (...asked) => tenant.directory.titleOf(...asked);
	// Titles stand beside the ids of a task's column and workspace, unless the user chose the fields.
	const showsTitles = watch.list === 'tasks' && form.kind === 'raw';
	// All items have the same fields, whatever their event.
	const unknownBefore = Object.assign(
		watch.watchedFields.length > 0 ? { changes: null } : {},
		...watch.events.map((event) => event.unknownBefore),
	) as IDataObject;
	const items = changes.map(({ event, record, before }) => ({
		json: {
			event: event.value,
			...form.of(record, titleOf),
			...(showsTitles ? titlesFor(record, titleOf) : {}),
			...unknownBefore,
			...before,
			...previousTitle(before, titleOf),
		},
	}));
	return [items];
}

/** The titles of the column and the workspace that a task stands in; null where they are not known. */
function titlesFor(task: IDataObject, titleOf: TitleOf): IDataObject {
	const { statusTitle, workspaceTitle } = taskRecord.simplify(task, titleOf);
	return { statusTitle, workspaceTitle };
}

function previousTitle({ previousStatus }: IDataObject, titleOf: TitleOf): IDataObject {
	if (previousStatus === undefined) return {};
	return { previousStatusTitle: titleOf(previousStatus, COLUMNS) ?? null };
}

/**
 * Reads the titles of columns and workspaces once an hour, or sooner where one is not known, within
 * what the poll may send. Where they cannot be had, items show none.
 *
 * @param wanted IRIs of the columns that items will show
 * @param spared requests of the poll that are left for the list
 */
export async function readTitles(
	requests: PollRequests,
	wanted: readonly string[],
	spared = 0,
): Promise<void> {
	const { tenant } = requests;
	const mayRead = () => requests.sent < requests.limit - spared;
	if (!mayRead()) return;
	await readTitledList(tenant, '/workspaces', {
		isComplete: wanted.every((iri) => tenant.directory.titleOf(iri, COLUMNS) !== undefined),
		readPage: async (query) =>
			mayRead() ? await requests.records('/workspaces', query) : undefined,
	});
}

/** The columns that a task stands in and stood in before, of which the titles are to be shown. */
export function columnsNamedIn(task: IDataObject, before: IDataObject): string[] {
	return [task.status, before.previousStatus]
		.map(referenceIn)
		.filter((iri): iri is string => typeof iri === 'string');
}

/**
 * For a test: the newest of the chosen events that may have happened, from one page or two; where no record of
 * those read passes the filters, the newest of them, so that there is something to build with.
 */
export async function sampleOf(
	requests: PollRequests,
	watch: Watch,
): Promise<ChangeEvent | undefined> {
	const order: QueryPair[] = watch.isTimed ? [['order[createdAt]', 'desc']] : [];
	const size: QueryPair = ['itemsPerPage', String(watch.pageSize)];
	const first = await requests.page(watch, [...watch.filters, ...order, size]);
	if (!first) return undefined;
	const { members, totalItems } = first;
	const isAll = watch.isTimed || !goesOn(first, members.length, watch.pageSize);
	if (isAll || totalItems === undefined) return newestOf(watch, members.map(asRecord));
	const lastPage: QueryPair = ['page', String(Math.ceil(totalItems / watch.pageSize))];
	const last = await requests.page(watch, [...watch.filters, size, lastPage]);
	return newestOf(watch, [...members, ...(last?.members ?? [])].map(asRecord));
}

function newestOf(watch: Watch, records: IDataObject[]): ChangeEvent | undefined {
	const isShown = (record: IDataObject) => watch.isMember?.(record) ?? true;
	const matching = records.filter((record) => watch.matches(record) && isShown(record));
	// Where the service drops a filter it does not understand, anybody would do for a member.
	const candidates = matching.length > 0 || watch.isMember ? matching : records;
	const dated = candidates.flatMap((record) =>
		watch.events.map((event) => ({ event, record, before: {}, at: event.sampleTime(record) })),
	);
	const samples = dated.filter(({ at }) => at !== undefined);
	const [newest] = samples.sort((one, other) => (other.at ?? 0) - (one.at ?? 0));
	return newest ?? dated[0];
}
