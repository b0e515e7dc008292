import type { Field, FieldKind, PartColumn } from './field';
import { labelOf } from './label';
import type { RecordContract } from './record';

/** Column of a user's table. The cells of a column give a whole field of a record, or one part of a field. */
export interface TableColumn extends Partial<Pick<PartColumn, 'part' | 'entry'>> {
	name: string;
	label: string;
	field: string;
	/** Whether a cell of the column holds only a part of the field, or one entry of its list. */
	isPart: boolean;
	kind: FieldKind;
	/** Whether a cell may hold several values. */
	isList: boolean;
	isRequired: boolean;
}

/** Returns the columns of a table for these fields. Omits fields that users can give only in JSON Body. */
export function tableColumnsOf(fields: RecordContract['fields']): TableColumn[] {
	return Object.entries(fields)
		.filter(([, { isJsonOnly }]) => !isJsonOnly)
		.flatMap(([name, field]) => columnsOfField(name, field));
}

/** Properties of every column for a part of a field. */
const PART = { isPart: true, kind: 'text', isList: false, isRequired: false } as const;

function columnsOfField(name: string, field: Field): TableColumn[] {
	const { columns = [], kind, isList, isRequired } = field;
	const parts = columns.map((column): TableColumn => {
		const label = labelOf(column.name);
		return { ...column, ...PART, label, field: name };
	});
	const label = labelOf(name);
	const whole = { name, label, field: name, isPart: false, kind, isList, isRequired };
	return isList || parts.length === 0 ? [...parts, whole] : parts;
}
