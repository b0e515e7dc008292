import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import type { OutputForm } from '../runtime/output';
import { outputFormOf } from '../runtime/output';
import type { Titles } from './titles';
import { titlesFor } from './titles';
import type { ChangeEvent, Watch } from './watch';

/** The items that a poll hands over: the event first, then the record in the form that was chosen. */
export function itemsOf(
	context: IPollFunctions,
	watch: Watch,
	{ changes, titles }: { changes: readonly ChangeEvent[]; titles: Titles },
): INodeExecutionData[] {
	const form = outputFormOf({ context }, watch.record);
	// All items have the same fields, whatever their event.
	const unknownBefore = Object.assign(
		{},
		...watch.events.map((event) => event.unknownBefore),
	) as IDataObject;
	return changes.map(({ event, record, before }) => ({
		json: {
			event: event.value,
			...form.of(record),
			...(watch.list === 'tasks' ? titlesIn(form, record, titles) : {}),
			...unknownBefore,
			...before,
			...previousTitle(before, titles),
		},
	}));
}

/** Titles beside the ids of a task's column and workspace, unless the user chose the fields. */
function titlesIn({ kind }: OutputForm, task: IDataObject, titles: Titles): IDataObject {
	return kind === 'selectedFields' ? {} : titlesFor(task, titles);
}

function previousTitle({ previousStatus }: IDataObject, titles: Titles): IDataObject {
	if (previousStatus === undefined) return {};
	return { previousStatusTitle: titles.get(String(previousStatus)) ?? null };
}
