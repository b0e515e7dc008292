import type { Field, FieldKind, PartColumn } from './field';
import { labelOf } from './label';
import type { RecordContract } from './record';
import { namesWhere } from './record';

/** A column of a table of records: a field as it is, or one part of a field. */
export interface TableColumn extends Partial<Pick<PartColumn, 'part' | 'entry'>> {
	name: string;
	/** What the editor calls it. */
	label: string;
	/** The field of the interface that it fills in. */
	field: string;
	/** Whether it fills in a part or an entry of it, and not all. */
	isPart: boolean;
	/** What a cell holds. */
	kind: FieldKind;
	/** Whether a cell may hold several values, with commas or as a list. */
	isList: boolean;
	/** Whether a record cannot be created without it. */
	isRequired: boolean;
}

/** What tables of other programs call a column, apart from its name and its label. */
const ALSO_CALLED: Readonly<Record<string, readonly string[]>> = {
	dueDate: ['due', 'deadline'],
	email: ['mail', 'emailAddress'],
	familyName: ['lastName', 'surname'],
	givenName: ['firstName', 'forename'],
	mobile: ['mobilePhone', 'mobileNumber', 'cellPhone', 'cell'],
	phone: ['phoneNumber', 'telephone', 'tel'],
	postalCode: ['postcode', 'zip', 'zipCode'],
	segments: ['segment', 'list', 'lists', 'mailingList', 'mailingLists'],
	status: ['stage'],
	tags: ['tag'],
	title: ['task', 'subject'],
};

/** The columns that a table of records may have, from the fields that its rows may write. */
export function tableColumnsOf(fields: RecordContract['fields']): TableColumn[] {
	return Object.entries(fields)
		.filter(([, { isJsonOnly }]) => !isJsonOnly)
		.flatMap(([name, field]) => columnsOfField(name, field));
}

function columnsOfField(name: string, field: Field): TableColumn[] {
	const { columns = [], kind, isList, isRequired } = field;
	const parts = columns.map((column) => ({
		...column,
		label: labelOf(column.name),
		field: name,
		isPart: true,
		kind: 'text' as const,
		isList: false,
		isRequired: false,
	}));
	const label = labelOf(name);
	const whole = { name, label, field: name, isPart: false, kind, isList, isRequired };
	return isList || parts.length === 0 ? [...parts, whole] : parts;
}

/** The name of the column that says whether a list is added to or replaced. */
export function modeColumnOf(list: string): string {
	return `${list}Mode`;
}

/** How well the name that a table has for a column fits: 0 for not at all, 3 for the very name. */
export function fitOf({ name, label }: TableColumn, given: string): 0 | 1 | 2 | 3 {
	if (given === name) return 3;
	const plain = plainName(given);
	if (plain === plainName(name) || plain === plainName(label)) return 2;
	return (ALSO_CALLED[name] ?? []).some((other) => plainName(other) === plain) ? 1 : 0;
}

/** All names that fit a column of these fields, or the choice beside a list, in the form in which they are compared. */
export function plainNamesOf(fields: RecordContract['fields']): string[] {
	const columns = tableColumnsOf(fields).flatMap(({ name, label }) => [
		...[name, label],
		...(ALSO_CALLED[name] ?? []),
	]);
	const modes = namesWhere(fields, ({ isList }) => isList).map(modeColumnOf);
	return [...new Set([...columns, ...modes].map(plainName))];
}

/** A name without what tables write it with: "Family Name", "family_name" and "familyName" are one. */
export function plainName(name: string): string {
	return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}
