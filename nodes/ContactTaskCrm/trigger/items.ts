import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { COLUMNS } from '../tenant/directory';
import type { OutputForm } from '../run/output';
import { outputFormOf } from '../run/output';
import type { TitleOf } from '../run/specification';
import { titlesFor } from './titles';
import type { ChangeEvent, Watch } from './watch';

/** The items that a poll hands over: the event first, then the record in the form that was chosen. */
export function itemsOf(
	context: IPollFunctions,
	watch: Watch,
	{ changes, titleOf }: { changes: readonly ChangeEvent[]; titleOf: TitleOf },
): INodeExecutionData[] {
	const form = outputFormOf(context, watch.record);
	// All items have the same fields, whatever their event.
	const unknownBefore = Object.assign(
		{},
		...watch.events.map((event) => event.unknownBefore),
	) as IDataObject;
	return changes.map(({ event, record, before }) => ({
		json: {
			event: event.value,
			...form.of(record, titleOf),
			...(watch.list === 'tasks' ? titlesIn(form, record, titleOf) : {}),
			...unknownBefore,
			...before,
			...previousTitle(before, titleOf),
		},
	}));
}

/** Titles beside the ids of a task's column and workspace, unless the user chose the fields. */
function titlesIn({ kind }: OutputForm, task: IDataObject, titleOf: TitleOf): IDataObject {
	return kind === 'raw' ? titlesFor(task, titleOf) : {};
}

function previousTitle({ previousStatus }: IDataObject, titleOf: TitleOf): IDataObject {
	if (previousStatus === undefined) return {};
	return { previousStatusTitle: titleOf(previousStatus, COLUMNS) ?? null };
}
