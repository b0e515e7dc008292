import type {
	FieldType,
	ILoadOptionsFunctions,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';
import type { FieldKind } from '../schema/field';
import { MATCHING_COLUMNS, person } from '../schema/person';
import { fieldsOf, type RecordContract } from '../schema/record';
import { tableColumnsOf } from '../schema/tableColumns';
import { task } from '../schema/task';

/**
 * Type of a cell in the editor, by kind of field. Cells of other kinds are text, because they may hold an ID or a list.
 */
const CELL_TYPES: Partial<Record<FieldKind, FieldType>> = {
	boolean: 'boolean',
	dateTime: 'dateTime',
	number: 'number',
	wholeNumber: 'number',
};

/** Columns that most tables have. The editor shows these at once, and all other columns under "Add column". */
const USUAL: ReadonlySet<string> = new Set([
	...['givenName', 'familyName', 'email', 'phone', 'mobile', 'jobTitle', 'street', 'postalCode'],
	...['city', 'country', 'owner', 'tags', 'segments'],
	...['title', 'status', 'description', 'dueDate', 'assignees', 'person'],
]);

/**
 * Returns the function that loads the columns for the chosen operation. The columns come from the schema, without a
 * request.
 *
 * @param matching columns that may find a person in Create or Update, the default first
 */
function columnsFor(contract: RecordContract, matching: readonly string[]) {
	return async function (this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
		const operation = this.getCurrentNodeParameter('operation');
		const fields = fieldsOf(contract, operation === 'update' ? 'update' : 'create');
		const offered = tableColumnsOf(fields).map(
			({ name, label, kind, isList, isRequired }): ResourceMapperField => ({
				id: name,
				displayName: isList ? `${label} (With Commas)` : label,
				required: operation === 'create' && isRequired,
				defaultMatch: operation === 'upsert' && name === matching[0],
				canBeUsedToMatch: operation === 'upsert' && matching.includes(name),
				display: true,
				type: isList ? 'string' : (CELL_TYPES[kind] ?? 'string'),
				// `removed` hides a column until the user adds it. Every yes-or-no column is hidden. For a visible column that
				// the user leaves alone, the editor would send "no", and the node would write this value.
				removed: kind === 'boolean' || !USUAL.has(name),
			}),
		);
		return { fields: offered };
	};
}

export const resourceMapping = {
	getPersonColumns: columnsFor(person, MATCHING_COLUMNS),
	getTaskColumns: columnsFor(task, []),
};
