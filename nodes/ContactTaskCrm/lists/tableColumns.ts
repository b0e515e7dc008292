import type {
	FieldType,
	ILoadOptionsFunctions,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';
import type { Body, FieldKind } from '../schema/field';
import { labelOf } from '../schema/label';
import { person } from '../schema/person';
import type { RecordContract } from '../schema/record';
import { fieldsOf } from '../schema/record';
import type { TableColumn } from '../schema/tableColumns';
import { modeColumnOf, tableColumnsOf } from '../schema/tableColumns';
import { task } from '../schema/task';

/*
 * The columns that a record may take from the input. They follow from the contract, so the editor gets them without a
 * request to the service, and without a credential.
 */

/** What the editor shows for a kind of value; everything else is text, which takes an ID or a list. */
const TYPES: Partial<Record<FieldKind, FieldType>> = {
	boolean: 'boolean',
	dateTime: 'dateTime',
	number: 'number',
	wholeNumber: 'number',
};

/** The columns that most tables have; the others wait under "Add column". */
const USUAL: ReadonlySet<string> = new Set([
	...['givenName', 'familyName', 'email', 'phone', 'mobile', 'jobTitle', 'street', 'postalCode'],
	...['city', 'country', 'owner', 'tags', 'segments'],
	...['title', 'status', 'description', 'dueDate', 'assignees', 'person'],
]);

type ResourceMapping = (this: ILoadOptionsFunctions) => Promise<ResourceMapperFields>;

/** The columns of a record for the operation that is chosen in the node. */
function columnsFor(contract: RecordContract, matching: readonly string[]): ResourceMapping {
	return async function () {
		const operation = this.getCurrentNodeParameter('operation');
		const body: Body = operation === 'update' ? 'update' : 'create';
		const fields = fieldsOf(contract, body);
		const isCreate = operation === 'create';
		const offered = tableColumnsOf(fields).flatMap((column): ResourceMapperField[] => {
			const canMatch = operation === 'upsert' && matching.includes(column.name);
			const own = columnOf(column, isCreate, canMatch && column.name === matching[0], canMatch);
			// Nothing is there yet that could be replaced.
			const hasMode = !column.isPart && fields[column.field].isList && !isCreate;
			return hasMode ? [own, modeOf(column)] : [own];
		});
		return { fields: offered };
	};
}

function columnOf(
	{ name, label, kind, isList, isRequired }: TableColumn,
	isCreate: boolean,
	defaultMatch: boolean,
	canBeUsedToMatch: boolean,
): ResourceMapperField {
	return {
		id: name,
		displayName: isList ? `${label} (With Commas)` : label,
		required: isCreate && isRequired,
		defaultMatch,
		canBeUsedToMatch,
		display: true,
		type: isList ? 'string' : (TYPES[kind] ?? 'string'),
		// A switch that is shown says no as long as nobody turns it on, and no would be written.
		removed: kind === 'boolean' || !USUAL.has(name),
	};
}

/** Beside each list, whether it is added to. */
function modeOf({ field }: TableColumn): ResourceMapperField {
	return {
		id: modeColumnOf(field),
		displayName: `${labelOf(field)}: Add or Replace`,
		required: false,
		defaultMatch: false,
		canBeUsedToMatch: false,
		display: true,
		type: 'options',
		options: [
			{ name: 'Add to What Is There', value: 'add' },
			{ name: 'Replace What Is There', value: 'replace' },
		],
		removed: !USUAL.has(field),
	};
}

export const resourceMapping = {
	getPersonColumns: columnsFor(person, ['email', 'phone', 'mobile', 'networkId']),
	getTaskColumns: columnsFor(task, []),
};
