import { attempt, isEmpty, isError, omit, once, pick } from 'lodash';
import type { IDataObject, IExecutePaginationFunctions } from 'n8n-workflow';
import { Headings } from '../tables/headings';
import { plainName, plainNames } from '../tables/plainName';
import { isOfPreview, type NotSent } from '../crm/preview';
import { asExplained, UnusableParameter } from '../util/errors';
import { type UsedHeadings, usedHeadings } from '../tables/cells';
import { emailIn, nameIn } from '../values/person';
import { cutList, locatedIn, parsedList, truthOf } from '../values/json';
import { idIn } from '../values/reference';
import { Written } from '../crm/records';
import { WHOLE_NAME } from '../tables/aliases';
import { person } from '../schema/person';
import { fieldsOf } from '../schema/record';
import type { Cell } from '../tables/cell';
import { isMeantAsEmail } from '../values/email';
import { textIn } from '../values/text';
import { ListNote, type OutputForm } from './output';
import { LONGEST_SUMMARY, summaryOf, titledChanges } from './summary';
import type { TitleOf } from './specification';

/*
 * Makes the output of a write and of its preview. Both outputs begin with the result, the name of the record, and the
 * changes on one line.
 */

/** Properties of an `Item` (`run/item.ts`) that the functions of this file need. */
interface WrittenItem extends NamedItem {
	index: number;
	run: { size: number; isTool: boolean };
	options: { output?: unknown; tellChanges?: unknown };
	notes: readonly string[];
	leavesOut: boolean;
	headings: Headings | undefined;
}

/** Maximum number of used headings in a summary, and likewise of unused headings. Raw output has all headings. */
const MOST_HEADINGS = 20;

/**
 * Returns a function that makes the output of a record. It adds the result, name, summary, note and changes of a write.
 * The changes stand after the fields of the record, and the rest before them. Titles may cost a request. So with
 * Output: Raw, the summary has IDs, and the changes have titles only if the user turns Tell What Changed on.
 */
export function withChanges(item: WrittenItem, { kind, of, fields }: OutputForm): OutputForm['of'] {
	const isBare = kind === 'raw' && truthOf(item.options.tellChanges) !== true;
	return (record, titleOf) => {
		if (record instanceof ListNote) return record.json;
		if (!(record instanceof Written)) return of(record, titleOf);
		const { changes, note, before } = record.details;
		const inSummary: TitleOf = kind === 'raw' ? () => undefined : titleOf;
		const name = nameOf(item, { ...before, ...record.record });
		const timezone = item.context.getTimezone();
		const layout = { longest: LONGEST_SUMMARY, name, timezone };
		// A task that Duplicate copies without new values has no changes to sum up.
		const isSummed = changes && !(record.result === 'created' && isEmpty(changes));
		return {
			result: record.result,
			...(name !== null && { name }),
			...(isSummed && { summary: summaryOf(record, fields, layout, inSummary) }),
			...(note !== undefined && { note }),
			...of(record.record, titleOf),
			...(changes && {
				changes: isBare ? (changes as IDataObject) : titledChanges(record, fields, titleOf),
			}),
		};
	};
}

/** Returns the name of a record, or else its first e-mail address, or a name from its row; null if all are unknown. */
function nameOf(item: WrittenItem, record: IDataObject): string | null {
	return nameIn(record) || emailIn(record) || rowName(item);
}

/** Word in a preview for each result of a write: "create" instead of "created", because nothing is written yet. */
const PREVIEW_OF_RESULT = { created: 'create', updated: 'update', unchanged: 'unchanged' } as const;

/**
 * Returns the preview of an item.
 *
 * @param record result of the operation: a `Written` for the write that a run would make
 * @param unknown the request of the item, if the node cannot predict its effect; otherwise undefined
 */
export function previewed(
	item: WrittenItem,
	record: unknown,
	unknown: NotSent | undefined,
	titleOf: TitleOf,
): IDataObject {
	return unknown ? previewOfUnknown(item, unknown) : previewOfWritten(item, record, titleOf);
}

function previewOfUnknown(item: WrittenItem, request: NotSent): IDataObject {
	const summary = 'The result is known after the run';
	// An API Request has no known fields, so its preview can show only the request.
	const isShown = isForMachines(item) || !item.form;
	const shown = isShown ? { request: requestOf(request) } : {};
	return { preview: 'send', name: rowName(item), summary, ...shown };
}

/** Returns result, name of the record, and changes in words. Raw output also has each change for programs. */
function previewOfWritten(item: WrittenItem, record: unknown, titleOf: TitleOf): IDataObject {
	if (!(record instanceof Written)) throw new Error('The item does not say what it would write');
	const { result, record: after, details } = record;
	const { fields } = item.form!;
	const id = idIn(after);
	const name = nameOf(item, after);
	const isRaw = isForMachines(item);
	const timezone = item.context.getTimezone();
	const layout = { longest: isRaw ? Infinity : LONGEST_SUMMARY, name, timezone };
	const forMachines = {
		// A record that the run would create has no ID yet. So the previews of its create and of its later changes show no
		// ID.
		id: isOfPreview(String(id)) ? null : id,
		changes: titledChanges(record, fields, titleOf),
	};
	// If an update sends only values that the record already has, its preview says "unchanged".
	const isIdle = result === 'updated' && isEmpty(details.changes);
	const otherwise = item.leavesOut ? '; with On Error: Stop it is refused' : '';
	return {
		...{ preview: isIdle ? 'unchanged' : PREVIEW_OF_RESULT[result], name },
		summary: summaryOf(record, fields, layout, titleOf) + otherwise,
		...(details.note ? { note: details.note } : {}),
		...(isRaw ? forMachines : {}),
	};
}

/** Returns a request that a preview did not send, as the output shows it. */
function requestOf({ method, path, query = [], body }: NotSent): IDataObject {
	const search = new URLSearchParams([...query] as Array<[string, string]>).toString();
	const whole = search === '' ? path : `${path}?${search}`;
	return { method, path: whole, ...(body && { body }) } as IDataObject;
}

/** Returns the preview of an item that the node or the service would refuse. */
export function refusedPreview(item: WrittenItem, error: unknown): IDataObject {
	const { message: reason, advice: howToGoOn, facts } = asExplained(error);
	const without = error instanceof UnusableParameter ? error.canDoWithout : undefined;
	const otherwise = without ? `; with On Error: Continue, written without the ${without}` : '';
	const note = item.notes.join('. ');
	const forMachines = {
		...{ id: null, changes: {}, code: facts.code, reason },
		...{ parameter: facts.parameter ?? null, howToGoOn },
	};
	return {
		...{ preview: 'refused', name: rowName(item), summary: `Not written: ${reason}${otherwise}` },
		...(note ? { note } : {}),
		...(isForMachines(item) ? forMachines : {}),
	};
}

/** Returns whether a preview also has fields for programs, such as the ID and the changes. */
function isForMachines({ options }: WrittenItem): boolean {
	return options.output === 'raw';
}

/**
 * Adds the used and unused headings of the table to the first item of the output. For people, the headings stand at the
 * end of the first summary. For programs, Raw output also has all headings. The output of other items stays as it is.
 */
export function withHeadings(item: WrittenItem, output: readonly IDataObject[]): IDataObject[] {
	const { context, headings, index, run } = item;
	const [json, ...others] = output;
	if (index !== 0 || !headings || !json) return [...output];
	const { main, ai_tool: tool } = context.getExecuteData().data;
	const rows = ((main ?? tool)?.[0] ?? [])
		.slice(0, run.size)
		// n8n adds `toolCallId` to the input of a tool.
		.map((row) => (run.isTool ? omit(row.json, 'toolCallId') : row.json));
	const columns = usedHeadings(rows, headings);
	const summary = [json.summary, ...headingTexts(columns)].filter(Boolean).join('. ');
	const first = {
		// The summary stands after the name, even if it consists only of the texts about the headings.
		...pick(json, ['preview', 'result', 'name']),
		...(summary === '' ? {} : { summary }),
		...omit(json, 'summary'),
		...(isForMachines(item) ? { columns: columns as unknown as IDataObject } : {}),
	};
	return [first, ...others];
}

/** Returns the texts on used and unused headings for the end of a summary. */
function headingTexts({ used, notUsed }: UsedHeadings): string[] {
	const taken = used.map(({ heading, column }) =>
		plainName(heading) === plainName(column) ? heading : `${heading} → ${column}`,
	);
	const left = notUsed.map(({ heading }) => heading);
	return Object.entries({ 'Not used': left, Used: taken }).flatMap(([word, texts]) =>
		texts.length > 0 ? [`${word}: ${cutList(texts, MOST_HEADINGS)}`] : [],
	);
}

/** Properties of an `Item` that `rowName` reads to find a name. */
interface NamedItem {
	context: IExecutePaginationFunctions;
	request: { body?: unknown };
	/** A read of this property throws if an option is unusable. */
	readonly form: OutputForm | undefined;
	/** A read of this property throws if the row is unusable. */
	readonly row: { cells: readonly Cell[] };
}

/**
 * Rules for the headings in tables of people. The first call of `rowName` builds them, so that the node loads fast.
 */
const headingsOfPeople = once(() => new Headings(fieldsOf(person, 'create')));
const WHOLE_NAMES = new Set(plainNames(WHOLE_NAME));

/**
 * Returns a name or e-mail address for an item without a record, such as a refused item. The user recognises the item
 * by this text. The text comes from the fields of the item, from its input, or from the parameter by which the node
 * finds the person. Returns null if none of these has a name or an e-mail address.
 */
export function rowName(item: NamedItem): string | null {
	const { context, request } = item;
	const cells = orNone(() => item.row.cells) ?? [];
	const form = orNone(() => item.form);
	const { json } = context.getInputData();
	const parameter = (name: string) => orNone(() => context.getNodeParameter(name, ''));
	const wholeName = Object.keys(json).find((heading) => WHOLE_NAMES.has(plainName(heading)));
	const textOf = (heading: string) => textIn(json[heading]);
	const row = headingsOfPeople()
		.take(Object.keys(json), textOf)
		.map(({ column, best, further }) => ({
			[column.name]: [...best, ...further].map(textOf)[0],
		}));
	const { title } = json;
	const isTitled = form?.fields.title !== undefined;
	const given = [
		request.body ?? {},
		parsedList(parameter('jsonBody')) ?? {},
		Object.fromEntries(cells.map(({ column, value }) => [column.name, value])),
		Object.assign({ name: json[wholeName ?? ''], ...(isTitled && { title }) }, ...row),
	] as IDataObject[];
	const names = given.map((fields) => nameIn({ ...fields, email: undefined }));
	const emails = given.map((fields) => textIn(fields.email) || emailIn(fields));
	const sought = ['email', person.locator].map((name) => textIn(locatedIn(parameter(name))));
	const values = [...sought.filter(isMeantAsEmail), textIn(parameter('matchValue'))];
	return [...names, ...emails, ...values].find(Boolean) ?? null;
}

/** Returns the result of a function; undefined if it throws. */
function orNone<T>(read: () => T): T | undefined {
	const value = attempt(read);
	return isError(value) ? undefined : value;
}
