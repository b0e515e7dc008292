import { pick } from 'lodash';
import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import type { ServiceDescription } from '../crm/description';
import type { Subject } from '../http/request';
import { commentRecord } from '../resources/comment';
import { historyRecord } from '../resources/history';
import { personRecord } from '../resources/person/record';
import { taskReadFilters, taskRecord } from '../resources/task/record';
import { assertTogether } from '../input/heldFilters';
import { filterQuery } from '../input/query';
import { isTurnedOn } from '../run/options';
import { contracts } from '../schema';
import {
	type AppliedFilter,
	type FilterParameter,
	meetsFilter,
	type ReadFilter,
} from '../schema/filter';
import { byGivenName, type ResolvedByTitle } from '../lookup/byName';
import { meaningOf } from '../lookup/resolve';
import type { Collection } from '../schema/record';
import type { NameTable } from '../http/names';
import { unusableReference, UnusableParameter } from '../util/errors';
import type { WatchedList } from './events';
import { COMPLETED } from './parameters';
import { listOf, locatedIn } from '../values/json';
import { referencesIn } from '../values/list';
import {
	holderOf,
	idOf,
	iriOf,
	lastSegment,
	referenceIn,
	type Resolved,
} from '../values/reference';
import { isBlank, quoted } from '../values/text';
import type { RecordSpecification } from '../output/specification';

export type Context = Pick<IPollFunctions, 'getNode' | 'getNodeParameter' | 'getTimezone'>;

export type QueryPair = readonly [name: string, value: string];

/** A record that an event depends on: a segment, a task or a workspace. If it does not exist, no event can occur. */
export interface Anchor {
	path: string;
	subject: Subject;
	/**
	 * Checks the anchor after a poll has read it. Absent if the anchor only has to exist.
	 *
	 * @throws UnusableParameter if the workspace lacks the chosen column
	 */
	assertSuits?: (record: IDataObject) => void;
}

/** The settings of a trigger that depend on the watched list and its filters. */
export interface ListSettings {
	path: string;
	/** Noun for the list in messages, such as "list of people". */
	subject: Subject;
	record: RecordSpecification;
	/** Query parameters of the filters that the service applies. */
	filters: readonly QueryPair[];
	/**
	 * Fields that `filters` compare, such as `tags`. The list shows only records with the chosen values in these fields.
	 * Matters only with watched fields, so not for a segment.
	 */
	filteredFields: readonly string[];
	/**
	 * Returns whether a record meets all filters that the user set. The trigger checks each record itself, because the
	 * service ignores a filter that it does not know.
	 */
	matches: (record: IDataObject) => boolean;
	/** Returns whether a person is in the segment; true if the record shows no segments. Absent for other lists. */
	isMember?: (record: IDataObject) => boolean;
	/** Records that the trigger depends on: the segment, task or workspace that the user chose. */
	anchors: readonly Anchor[];
}

/** What the node knows about the CRM without a request. */
interface Known {
	/** Names of users and tags from the credential. Users may give a name instead of an ID. */
	names: NameTable;
	/** Tells the form of the IDs of the CRM, and whether a list shows a field. */
	description: ServiceDescription;
}

/** For each list, a function that returns the settings of the list from the parameters of the node. */
export const LISTS: Readonly<
	Record<WatchedList, (context: Context, known: Known) => ListSettings>
> = {
	people,
	segment: peopleInSegment,
	tasks,
	comments: (context) => taskEntries(context, 'comments'),
	history: (context) => taskEntries(context, 'history'),
};

/**
 * The trigger's filters that compare a reference, such as a tag. The service applies `PERSON_FILTERS`. The service has
 * no filters of tasks, so the trigger applies `TASK_FILTERS` itself.
 */
const PERSON_FILTERS = pick(contracts.person.filters, 'ownerId', 'segmentsUuid', 'tagsId');
const TASK_FILTERS = pick(taskReadFilters, 'assignees', 'status', 'tags', 'workspaceId');

/**
 * Returns the filters that the user set, with IDs or IRIs as values.
 *
 * @throws UnusableParameter for a title, because the trigger looks up no titles. A name from the credential is allowed
 */
function chosenFilters<F extends FilterParameter>(
	context: Context,
	filters: Readonly<Record<string, F>>,
	known: Known,
): Array<AppliedFilter<F>> {
	const { names } = known;
	const given = context.getNodeParameter('filters', {}) as IDataObject;
	const valueFor = ({ label, kind, refersTo }: F, reference: unknown) => {
		const collection = refersTo as Collection;
		const named =
			typeof reference === 'string' ? byGivenName(names, reference, collection) : undefined;
		if (named && 'expected' in named) return checked(label, named);
		// The service would take a title such as VIP for an ID, and show nobody. The trigger would then never start.
		if (!named && meaningOf(reference, collection, known) === 'title') {
			const expected = `expected an ID, got ${quoted(reference)}`;
			return checked(label, { expected, code: 'unusable-value' });
		}
		return checked(label, (kind === 'id' ? idOf : iriOf)(named?.value ?? reference, collection));
	};
	return Object.entries(filters)
		.map(([name, filter]) => {
			const value = locatedIn(given[name]);
			const isName = typeof value === 'string' && names.holds(value, filter.refersTo ?? '');
			const references = isName ? [value] : referencesIn(value);
			return { filter, values: references.map((reference) => valueFor(filter, reference)) };
		})
		.filter(({ values }) => values.length > 0);
}

/**
 * Returns the settings to watch people. A service may leave out empty fields. So if the list has shown the field for
 * any person, a missing field counts as empty. A person without the field then does not meet the filter. If the list
 * never shows the field, `matches` relies on the service, which has applied the filter.
 */
function people(context: Context, known: Known): ListSettings {
	const chosen = chosenFilters(context, PERSON_FILTERS, known);
	const path = contracts.person.collection;
	return {
		path,
		subject: { noun: 'list of people' },
		record: personRecord,
		filters: filterQuery(chosen),
		filteredFields: chosen.flatMap(({ filter }) => filter.shownIn),
		matches: (person) =>
			chosen.every(({ filter, values }) => {
				const [field = ''] = filter.shownIn;
				const isShown = person[field] !== undefined || known.description.showsField(path, field);
				return !isShown || meetsFilter(person, filter, values);
			}),
		anchors: chosen
			.filter(({ filter }) => filter.refersTo === contracts.segment.collection)
			.flatMap(({ values }) => values.map(segmentAnchor)),
	};
}

/** Returns the settings to watch a segment. Only members who meet the filters by owner and tag start the workflow. */
function peopleInSegment(context: Context, known: Known): ListSettings {
	const id = requiredId(context, 'segmentId', 'Segment', '/segments');
	const settings = people(context, known);
	const { segmentsUuid } = PERSON_FILTERS;
	const isMember = (person: IDataObject) =>
		!Array.isArray(person.segments) || meetsFilter(person, segmentsUuid, [id]);
	return {
		...settings,
		filters: [[segmentsUuid.query, id]],
		// The request has only the filter by segment, so `matches` applies the other filters. If the record does not
		// show a field, the field counts as empty.
		matches: (person) => settings.matches({ owner: null, tags: [], segments: [], ...person }),
		isMember,
		anchors: [segmentAnchor(id), ...settings.anchors],
	};
}

function segmentAnchor(id: string): Anchor {
	return { path: `/segments/${id}`, subject: { noun: 'segment', id } };
}

/** Returns the settings to watch tasks. The service cannot filter tasks, so the trigger applies the filters. */
function tasks(context: Context, known: Known): ListSettings {
	const chosen = chosenFilters(context, TASK_FILTERS, known);
	const column = singleValue(chosen, TASK_FILTERS.status);
	const chosenWorkspace = singleValue(chosen, TASK_FILTERS.workspaceId);
	const workspace = chosenWorkspace ?? (column && holderOf(column));
	assertTogether(chosen);
	const given = context.getNodeParameter('filters', {}) as IDataObject;
	const { existsCompletedAt: completed } = given;
	const isCompleted = isBlank(completed) ? undefined : isTurnedOn(COMPLETED, completed);
	return {
		path: contracts.task.collection,
		subject: { noun: 'list of tasks' },
		record: taskRecord,
		filters: [],
		filteredFields: [],
		matches: (task) =>
			(isCompleted === undefined || isCompleted === !isBlank(task.completedAt)) &&
			chosen.every(({ filter, values }) => filter.passes(task, values, ANY_MOMENT)),
		anchors: workspace === undefined ? [] : [workspaceAnchor(workspace, column)],
	};
}

/** Placeholder for the present time, which `filter.passes` takes. No filter of the trigger depends on the time. */
const ANY_MOMENT = { wallTime: 0, timezone: 'utc' };

/**
 * Returns the value of a filter that takes only one value; undefined if the user did not set the filter.
 *
 * @throws UnusableParameter if the filter has several values
 */
function singleValue(
	chosen: ReadonlyArray<AppliedFilter<ReadFilter>>,
	filter: ReadFilter,
): string | undefined {
	const { values = [] } = chosen.find((applied) => applied.filter === filter) ?? {};
	if (values.length < 2) return values[0];
	throw new UnusableParameter(
		`${filter.label}: expected one, got ${values.length}`,
		'Give one, or use a trigger for each',
	);
}

function workspaceAnchor(workspace: string, column: string | undefined): Anchor {
	return {
		path: workspace,
		subject: { noun: 'workspace', id: lastSegment(workspace) },
		...(column && { assertSuits: (found) => assertHasColumn(found, lastSegment(column)) }),
	};
}

/**
 * Throws if a workspace shows its columns, but not the chosen column `id`. A workspace shows columns as IRIs, as
 * objects, or not at all (interface, section 2.4). If it shows none, the chosen column counts as present.
 */
function assertHasColumn({ columns }: IDataObject, id: string): void {
	const ids = (listOf(columns) ?? []).map((column) => {
		const reference = referenceIn(column as IDataObject);
		return typeof reference === 'string' ? lastSegment(reference) : '';
	});
	if (ids.length === 0 || ids.includes('') || ids.includes(id)) return;
	const expected = `the workspace has no column "${id}"`;
	throw unusableReference(
		'Column',
		{ expected, code: 'not-found' },
		'Choose a column from the list',
	);
}

/** Returns the settings to watch the comments or the history of the chosen task. */
function taskEntries(context: Context, kind: 'comments' | 'history'): ListSettings {
	const id = requiredId(context, 'taskId', 'Task', '/tasks');
	return {
		path: `/tasks/${id}/${kind}`,
		subject: { noun: kind === 'comments' ? 'list of comments' : 'history' },
		record: kind === 'comments' ? commentRecord : historyRecord,
		filters: [],
		filteredFields: [],
		matches: () => true,
		anchors: [{ path: `/tasks/${id}`, subject: { noun: 'task', id } }],
	};
}

/**
 * Returns the ID in a locator.
 *
 * @throws UnusableParameter naming the parameter, if the locator is empty or holds no ID
 */
function requiredId(context: Context, name: string, label: string, collection: string): string {
	const value = context.getNodeParameter(name, undefined, { extractValue: true });
	if (referencesIn(value).length > 0) return checked(label, idOf(value, collection));
	throw new UnusableParameter(
		`${label} is empty`,
		`Choose a ${label.toLowerCase()} from the list, or give its ID`,
	);
}

/**
 * Returns the ID or IRI that a reference was resolved to.
 *
 * @throws UnusableParameter naming the parameter, if the reference could not be resolved
 */
function checked(label: string, reference: Resolved | ResolvedByTitle): string {
	if ('value' in reference) return reference.value;
	throw unusableReference(
		label,
		reference,
		'Choose from the list, or give the ID as the service shows it',
	);
}
