import type { Field, FieldKind, PartColumn } from './field';
import { labelOf } from './label';
import type { RecordContract } from './record';
import { namesWhere } from './record';

/** A column of a table of records: a whole field, or one part of a field. */
export interface TableColumn extends Partial<Pick<PartColumn, 'part' | 'entry'>> {
	name: string;
	label: string;
	/** Interface field of the column. */
	field: string;
	/** Whether the column fills in only a part or an entry of the field. */
	isPart: boolean;
	/** Type of a cell. */
	kind: FieldKind;
	/** Whether a cell may hold several values. */
	isList: boolean;
	isRequired: boolean;
}

/** Names of a column in the tables of other programs. */
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

/** Returns the columns of a table for these fields. */
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

/** Returns the name of the column that decides between adding to a list and replacing it. */
export function modeColumnOf(list: string): string {
	return `${list}Mode`;
}

/** Returns how well a name in a table fits a column, from 0 (not at all) to 3 (exactly). */
export function fitOf({ name, label }: TableColumn, given: string): 0 | 1 | 2 | 3 {
	if (given === name) return 3;
	const plain = plainName(given);
	if (plain === plainName(name) || plain === plainName(label)) return 2;
	return (ALSO_CALLED[name] ?? []).some((other) => plainName(other) === plain) ? 1 : 0;
}

/** Returns all plain names that fit a column of these fields. */
export function plainNamesOf(fields: RecordContract['fields']): string[] {
	const columns = tableColumnsOf(fields).flatMap(({ name, label }) =>
		[name, label].concat(ALSO_CALLED[name] ?? []),
	);
	const modes = namesWhere(fields, ({ isList }) => isList).map(modeColumnOf);
	return [...new Set([...columns, ...modes].map(plainName))];
}

/** Removes case and separators: "Family Name", "family_name" and "familyName" are one plain name. */
export function plainName(name: string): string {
	return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}
