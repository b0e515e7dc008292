import { attempt, isError, once } from 'lodash';
import type { IDataObject, IExecutePaginationFunctions } from 'n8n-workflow';
import { WHOLE_NAME } from '../tables/aliases';
import { Headings } from '../tables/headings';
import { person } from '../schema/person';
import { plainName, plainNames } from '../tables/plainName';
import { fieldsOf } from '../schema/record';
import type { Cell } from '../tables/cell';
import type { OutputForm } from './output';
import { emailIn, nameIn } from '../values/person';
import { isMeantAsEmail } from '../values/email';
import { locatedIn, parsedList } from '../values/json';
import { textIn } from '../values/text';

/** Properties of an `Item` that `rowName` reads to find a name. */
export interface NamedItem {
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
 * by this text. The text comes from the item's fields, from its input, or from the match. Returns null if all lack a
 * name.
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
