import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { UnusableParameter } from '../operation/nodeErrors';
import { referencesIn } from '../operation/references';
import { commentRecord } from '../resources/comment/specification';
import { historyRecord } from '../resources/history/specification';
import { personRecord } from '../resources/person/specification';
import { referenceIn } from '../resources/simplified';
import { taskRecord } from '../resources/task/specification';
import { idOf, iriOf, valueOf } from '../transport/iri';
import { MAX_PAGE_SIZE } from '../transport/paging';
import { CREDENTIAL } from '../transport/send';
import { keyFor } from './fingerprint';
import type { TriggerEvent } from './parameters';
import type { Rule } from './rules';
import { addedTo, completed, created, isIn, moved, updated } from './rules';
import type { QueryPair, Reading, Watch } from './watch';

type Context = Pick<IPollFunctions, 'getNode' | 'getNodeParameter'>;
type Settings = Omit<Watch, 'key' | 'pageSize' | 'unknownBefore'>;

const UNKNOWN_BEFORE: Partial<Record<TriggerEvent, IDataObject>> = {
	personUpdated: { previousUpdatedAt: null },
	taskCompleted: { previousCompletedAt: null },
	taskMoved: { previousStatus: null },
	taskUpdated: { previousUpdatedAt: null },
};

/** A filter of people: the query parameter, the field that shows the same, and where it points. */
const PERSON_FILTERS = {
	ownerId: { label: 'Owner', query: 'owner.id', field: 'owner', collection: '/users' },
	segmentsUuid: {
		label: 'Segment',
		query: 'segments.uuid',
		field: 'segments',
		collection: '/segments',
	},
	tagsId: { label: 'Tag', query: 'tags.id', field: 'tags', collection: '/tags' },
} as const;

/**
 * What the parameters of the node ask to watch.
 *
 * @param tenant what tells the tenant from others: a memory is of no use with another
 * @throws UnusableParameter naming the parameter that cannot be used
 */
export function watchOf(context: Context, tenant: string): Watch {
	const event = context.getNodeParameter('event') as TriggerEvent;
	const settings = settingsOf(event, context);
	const { path, filters, membership, anchor } = settings;
	const chosen = valuesOf(context.getNodeParameter('filters', {}));
	// A key may be changed, and a credential stays that of its tenant; another may be of another.
	const credential = context.getNode().credentials?.[CREDENTIAL]?.id;
	const watched = [tenant, credential, event, path, filters, membership, anchor, chosen];
	return {
		...settings,
		key: keyFor(JSON.stringify(watched)),
		unknownBefore: UNKNOWN_BEFORE[event] ?? {},
		pageSize: MAX_PAGE_SIZE,
	};
}

function settingsOf(event: TriggerEvent, context: Context): Settings {
	switch (event) {
		case 'personCreated':
			return people(context, 'window', created);
		case 'personUpdated':
			return people(context, 'people', updated);
		case 'personAddedToSegment':
			return segment(context);
		case 'taskCreated':
			return tasks(context, created, 'newTasks');
		case 'taskUpdated':
			return tasks(context, updated);
		case 'taskMoved':
			return tasks(context, moved);
		case 'taskCompleted':
			return tasks(context, completed);
		case 'commentAdded':
			return entries(context, 'comments');
		case 'historyAdded':
			return entries(context, 'history');
	}
}

function people(context: Context, reading: 'window' | 'people', rule: Rule): Settings {
	const chosen = context.getNodeParameter('filters', {}) as IDataObject;
	const filters = Object.entries(PERSON_FILTERS).map(([name, filter]) => {
		const ids = referencesIn(chosen[name]).map((reference) =>
			resolved(filter.label, idOf(reference, filter.collection)),
		);
		return { ...filter, ids };
	});
	return {
		path: '/people',
		subject: { noun: 'list of people' },
		record: personRecord,
		reading,
		rule,
		sharesTexts: false,
		filters: filters.flatMap(({ query, ids }) =>
			ids.map((id): QueryPair => [ids.length > 1 ? `${query}[]` : query, id]),
		),
		matches: (person) =>
			filters.every(
				({ field, ids, collection }) => ids.length === 0 || holds(person[field], ids, collection),
			),
	};
}

/** Whether a field names one of these records; one that is not shown is left to the service's filter. */
function holds(value: IDataObject[string], ids: string[], collection: string): boolean {
	if (value === undefined) return true;
	const references: unknown[] = Array.isArray(value) ? value : [value];
	return references.some((reference) => ids.includes(valueOf(idOf(reference, collection)) ?? ''));
}

function segment(context: Context): Settings {
	const id = located(context, 'segmentId', 'Segment', '/segments');
	const settings = people(context, 'people', addedTo(id));
	return {
		...settings,
		membership: ['segments.uuid', id],
		matches: (person) => isIn(id, person) && settings.matches(person),
		anchor: { path: `/segments/${id}`, subject: { noun: 'segment', id } },
	};
}

function tasks(context: Context, rule: Rule, reading: Reading = 'tasks'): Settings {
	const chosen = context.getNodeParameter('filters', {}) as IDataObject;
	const [workspace] = referencesIn(valueIn(chosen.workspaceId));
	const [column] = referencesIn(valueIn(chosen.status));
	const workspaceIri =
		workspace === undefined ? undefined : resolved('Workspace', iriOf(workspace, '/workspaces'));
	const columnIri =
		column === undefined
			? undefined
			: resolved('Status', iriOf(column, '/workspaces/{workspaceId}/columns'));
	const place = workspaceIri ?? columnIri?.split('/').slice(0, 3).join('/');
	return {
		path: '/tasks',
		subject: { noun: 'list of tasks' },
		record: taskRecord,
		reading,
		rule,
		sharesTexts: rule === moved,
		filters: [],
		matches: (task) =>
			(columnIri === undefined || referenceIn(task.status) === columnIri) &&
			(workspaceIri === undefined || isOf(workspaceIri, task)),
		...(place === undefined
			? {}
			: {
					anchor: {
						path: place,
						subject: { noun: 'workspace', id: place.slice('/workspaces/'.length) },
					},
				}),
	};
}

/** A task's workspace is that of its column, should the task not name it. */
function isOf(workspaceIri: string, task: IDataObject): boolean {
	const workspace = valueOf(iriOf(task.workspace, '/workspaces'));
	if (workspace !== undefined) return workspace === workspaceIri;
	return String(referenceIn(task.status)).startsWith(`${workspaceIri}/`);
}

function entries(context: Context, kind: 'comments' | 'history'): Settings {
	const id = located(context, 'taskId', 'Task', '/tasks');
	const record = kind === 'comments' ? commentRecord : historyRecord;
	return {
		path: `/tasks/${id}/${kind}`,
		subject: { noun: kind === 'comments' ? 'list of comments' : 'history' },
		record,
		reading: 'entries',
		rule: created,
		sharesTexts: false,
		filters: [],
		matches: () => true,
		anchor: { path: `/tasks/${id}`, subject: { noun: 'task', id } },
	};
}

function located(context: Context, name: string, label: string, collection: string): string {
	const value = context.getNodeParameter(name, undefined, { extractValue: true });
	if (referencesIn(value).length > 0) return resolved(label, idOf(value, collection));
	throw new UnusableParameter(
		`${label} is empty`,
		`Choose a ${label.toLowerCase()} from the list, or give its ID`,
	);
}

function resolved(label: string, reference: ReturnType<typeof idOf>): string {
	if ('value' in reference) return reference.value;
	throw new UnusableParameter(
		`${label}: ${reference.expected}`,
		'Choose from the list, or give the ID as the service shows it',
	);
}

/** What a locator within a collection of parameters holds. */
function valueIn(chosen: unknown): unknown {
	return typeof chosen === 'object' && chosen !== null && '__rl' in chosen
		? (chosen as { value?: unknown }).value
		: chosen;
}

/** The filters without the names that their lists showed, which may change. */
function valuesOf(chosen: unknown): unknown {
	if (typeof chosen !== 'object' || chosen === null) return [];
	return Object.entries(chosen)
		.map(([name, value]) => [name, referencesIn(valueIn(value))])
		.filter(([, values]) => (values as unknown[]).length > 0)
		.sort(([one], [other]) => (String(one) < String(other) ? -1 : 1));
}
