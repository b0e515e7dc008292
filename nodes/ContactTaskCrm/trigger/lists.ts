import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import type { Subject } from '../http/request';
import type { RecordSpecification } from '../run/specification';
import { UnusableParameter } from '../util/errors';
import type { Resolved } from '../util/iri';
import { idOf, iriOf, referenceIn, valueOf } from '../util/iri';
import { isBlank, locatedIn, referencesIn } from '../util/values';
import { byGivenName } from '../tenant/byTitle';
import type { Collection } from '../tenant/directory';
import type { NameTable } from '../util/credential';
import { contracts } from '../schema';
import type { Filter } from '../schema/filter';
import { commentRecord } from '../resources/comment';
import { historyRecord } from '../resources/history';
import { personRecord } from '../resources/person/record';
import { taskReadFilters, taskRecord } from '../resources/task/record';
import type { WatchedList } from './events';

export type Context = Pick<IPollFunctions, 'getNode' | 'getNodeParameter' | 'getTimezone'>;

/** A query parameter as it goes out. */
export type QueryPair = readonly [name: string, value: string];

/** A record that has to exist for anything to happen: a segment, a task, a workspace. */
export interface Anchor {
	path: string;
	subject: Subject;
	/** @throws UnusableParameter where the record is not what the parameters need it to be */
	assertSuits?: (record: IDataObject) => void;
}

/** What a list and its filters make of a watch. */
export interface ListSettings {
	/** Path of the list. */
	path: string;
	/** What the list is about, for messages. */
	subject: Subject;
	record: RecordSpecification;
	/** Filters that the service applies. */
	filters: readonly QueryPair[];
	/** The same filters once more, and those the service lacks: filters of such services fail open. */
	matches: (record: IDataObject) => boolean;
	/** Of a segment: whether a record that was read shows that the person is in it. */
	isMember?: (record: IDataObject) => boolean;
	/** What has to exist for anything to happen. */
	anchors: readonly Anchor[];
}

/** How each list is watched, with the parameters that belong to it. */
export const LISTS: Readonly<
	Record<WatchedList, (context: Context, names: NameTable) => ListSettings>
> = {
	people,
	segment: members,
	tasks,
	comments: (context) => taskEntries(context, 'comments'),
	history: (context) => taskEntries(context, 'history'),
};

const { ownerId, segmentsUuid, tagsId } = contracts.person.filters;

/** The filters by what records refer to: of people as the contract knows them, of tasks those that the service lacks. */
const PERSON_FILTERS = { ownerId, segmentsUuid, tagsId };
const TASK_FILTERS = {
	assignees: { label: 'Assignee', refersTo: '/users', shownIn: ['assignees'] },
	tags: { label: 'Tag', refersTo: '/tags', shownIn: ['tags'] },
};

interface ChosenFilter extends Pick<Filter, 'label' | 'refersTo' | 'shownIn'> {
	ids: string[];
}

function chosenFilters<T extends Omit<ChosenFilter, 'ids'>>(
	context: Context,
	filters: Record<string, T>,
	names: NameTable,
): Array<T & ChosenFilter> {
	const chosen = context.getNodeParameter('filters', {}) as IDataObject;
	return Object.entries(filters)
		.map(([name, filter]) => {
			const ids = referencesIn(chosen[name]).map((reference) =>
				resolved(filter.label, userOrTag(names, reference, filter.refersTo as Collection)),
			);
			return { ...filter, ids };
		})
		.filter(({ ids }) => ids.length > 0);
}

/** The ID of a record that a filter names by ID, or by a name that the credential gives a user or tag. */
function userOrTag(names: NameTable, reference: unknown, collection: Collection): Resolved {
	const named =
		typeof reference === 'string' ? byGivenName(names, reference, collection) : undefined;
	return named && 'expected' in named ? named : idOf(named?.value ?? reference, collection);
}

/** People who meet the filters. */
function people(context: Context, names: NameTable): ListSettings {
	const chosen = chosenFilters(context, PERSON_FILTERS, names);
	return {
		path: contracts.person.collection,
		subject: { noun: 'list of people' },
		record: personRecord,
		filters: chosen.flatMap(({ query, ids }) =>
			ids.map((id): QueryPair => [ids.length > 1 ? `${query}[]` : query, id]),
		),
		matches: (person) => chosen.every((filter) => holds(person, filter)),
		anchors: chosen
			.filter(({ refersTo }) => refersTo === '/segments')
			.flatMap(({ ids }) => ids.map(segmentAnchor)),
	};
}

/** Whether a field names one of the records chosen; one that is not shown is left to the service's filter. */
function holds(person: IDataObject, { shownIn, ids, refersTo = '' }: ChosenFilter): boolean {
	return shownIn.some((field) => {
		const value = person[field];
		if (value === undefined) return true;
		const references: unknown[] = Array.isArray(value) ? value : [value];
		return references.some((reference) => ids.includes(valueOf(idOf(reference, refersTo)) ?? ''));
	});
}

/** The people of the chosen segment; other filters only decide who starts the workflow. */
function members(context: Context, names: NameTable): ListSettings {
	const id = located(context, 'segmentId', 'Segment', '/segments');
	const settings = people(context, names);
	const isMember = (person: IDataObject): boolean =>
		!Array.isArray(person.segments) ||
		(person.segments as unknown[]).some((one) => valueOf(idOf(one, '/segments')) === id);
	return {
		...settings,
		filters: [[contracts.person.filters.segmentsUuid.query, id]],
		// What is not shown is empty here: the service does not apply these filters.
		matches: (person) => settings.matches({ owner: null, tags: [], segments: [], ...person }),
		isMember,
		anchors: [segmentAnchor(id), ...settings.anchors],
	};
}

function segmentAnchor(id: string): Anchor {
	return { path: `/segments/${id}`, subject: { noun: 'segment', id } };
}

/** Tasks of the workspace and in the column that are chosen. */
function tasks(context: Context, names: NameTable): ListSettings {
	const chosen = context.getNodeParameter('filters', {}) as IDataObject;
	const workspace = only('Workspace', chosen.workspaceId);
	const column = only('Column', chosen.status);
	const workspaceIri =
		workspace === undefined ? undefined : resolved('Workspace', iriOf(workspace, '/workspaces'));
	const { existsCompletedAt: completed } = chosen;
	const referring = chosenFilters(context, TASK_FILTERS, names);
	const columnIri =
		column === undefined
			? undefined
			: resolved('Column', iriOf(column, '/workspaces/{workspaceId}/columns'));
	const place = workspaceIri ?? columnIri?.split('/').slice(0, 3).join('/');
	if (place !== undefined && columnIri?.startsWith(`${place}/`) === false) {
		throw new UnusableParameter(
			'Column is one of another workspace than Workspace',
			'Choose a column of that workspace, or take one of the two filters away',
		);
	}
	return {
		path: contracts.task.collection,
		subject: { noun: 'list of tasks' },
		record: taskRecord,
		filters: [],
		matches: (task) =>
			(columnIri === undefined || passes(task, 'status', columnIri)) &&
			(workspaceIri === undefined || passes(task, 'workspaceId', workspaceIri)) &&
			(isBlank(completed) || String(completed) === String(!isBlank(task.completedAt))) &&
			// What is not shown is empty: the service does not apply these filters.
			referring.every((filter) => holds({ assignees: [], tags: [], ...task }, filter)),
		anchors: place === undefined ? [] : [workspaceAnchor(place, columnIri)],
	};
}

function workspaceAnchor(place: string, columnIri: string | undefined): Anchor {
	return {
		path: place,
		subject: { noun: 'workspace', id: place.slice('/workspaces/'.length) },
		assertSuits: (found) => assertHasColumn(found, columnIri),
	};
}

/** Columns may come as IRIs or as objects, or not at all (interface, section 2.4). */
function assertHasColumn({ columns }: IDataObject, columnIri: string | undefined): void {
	if (columnIri === undefined || !Array.isArray(columns) || columns.length === 0) return;
	const id = columnIri.slice(columnIri.lastIndexOf('/') + 1);
	const ids = (columns as unknown[]).map((column) => {
		const reference = referenceIn(column as IDataObject);
		return typeof reference === 'string' ? reference.slice(reference.lastIndexOf('/') + 1) : '';
	});
	if (ids.includes('') || ids.includes(id)) return;
	throw new UnusableParameter(
		`Column: the workspace has no column "${id}"`,
		'Choose a column from the list',
	);
}

/** Whether a task passes a filter on where it stands; that needs no time. */
function passes(task: IDataObject, name: 'status' | 'workspaceId', iri: string): boolean {
	return taskReadFilters[name].passes(task, [iri], { wallTime: 0, timezone: 'utc' });
}

/** Comments or history entries of the chosen task. */
function taskEntries(context: Context, kind: 'comments' | 'history'): ListSettings {
	const id = located(context, 'taskId', 'Task', '/tasks');
	return {
		path: `/tasks/${id}/${kind}`,
		subject: { noun: kind === 'comments' ? 'list of comments' : 'history' },
		record: kind === 'comments' ? commentRecord : historyRecord,
		filters: [],
		matches: () => true,
		anchors: [{ path: `/tasks/${id}`, subject: { noun: 'task', id } }],
	};
}

/**
 * The ID of the record that a locator points to.
 *
 * @throws UnusableParameter naming the parameter
 */
function located(context: Context, name: string, label: string, collection: string): string {
	const value = context.getNodeParameter(name, undefined, { extractValue: true });
	if (referencesIn(value).length > 0) return resolved(label, idOf(value, collection));
	throw new UnusableParameter(
		`${label} is empty`,
		`Choose a ${label.toLowerCase()} from the list, or give its ID`,
	);
}

/**
 * What was given, as an ID or an IRI.
 *
 * @throws UnusableParameter naming the parameter
 */
function resolved(label: string, reference: ReturnType<typeof idOf>): string {
	if ('value' in reference) return reference.value;
	throw new UnusableParameter(
		`${label}: ${reference.expected}`,
		'Choose from the list, or give the ID as the service shows it',
	);
}

/**
 * The one reference that a filter holds, if it holds any.
 *
 * @throws UnusableParameter where it holds several
 */
function only(label: string, chosen: unknown): unknown {
	const references = referencesIn(locatedIn(chosen));
	if (references.length < 2) return references[0];
	throw new UnusableParameter(
		`${label}: expected one, got ${references.length}`,
		'Give one, or use a trigger for each',
	);
}
