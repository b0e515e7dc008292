import type { IDataObject } from 'n8n-workflow';
import { UnusableParameter } from '../common/errors';
import { commentRecord } from '../resources/comment/output';
import { historyRecord } from '../resources/history/output';
import { referenceIn } from '../common/records';
import { taskRecord } from '../resources/task/output';
import { iriOf, valueOf } from '../common/iri';
import type { Context } from './chosen';
import { located, only, resolved } from './chosen';
import type { Rule } from './rules';
import { created, moved } from './rules';
import type { Reading, WatchSettings } from './watch';

/** Tasks of the workspace and in the column that are chosen. */
export function tasks(context: Context, rule: Rule, reading: Reading = 'tasks'): WatchSettings {
	const chosen = context.getNodeParameter('filters', {}) as IDataObject;
	const workspace = only('Workspace', chosen.workspaceId);
	const column = only('Column', chosen.status);
	const workspaceIri =
		workspace === undefined ? undefined : resolved('Workspace', iriOf(workspace, '/workspaces'));
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
						assertSuits: (found) => assertHasColumn(found, columnIri),
					},
				}),
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

/** A task's workspace is that of its column, should the task not name it. */
function isOf(workspaceIri: string, task: IDataObject): boolean {
	const workspace = valueOf(iriOf(task.workspace, '/workspaces'));
	if (workspace !== undefined) return workspace === workspaceIri;
	return String(referenceIn(task.status)).startsWith(`${workspaceIri}/`);
}

/** Comments or history entries of the chosen task. */
export function entries(context: Context, kind: 'comments' | 'history'): WatchSettings {
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
