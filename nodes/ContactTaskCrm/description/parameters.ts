import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import { sortedBy } from './order';

/** Places a field that stands once in `fields.ts`: at the top level, shown as given, and required. */
export function required(field: INodeProperties, displayOptions: IDisplayOptions): INodeProperties {
	return { ...field, displayOptions, required: true };
}

/** Places a point in time for which the present one is taken where the user gives none. */
export function nowWhereEmpty(
	field: INodeProperties,
	displayOptions: IDisplayOptions,
): INodeProperties {
	const description = `${field.description}; the present time where this is empty`;
	return { ...field, description, displayOptions };
}

/** Fields in the order in which a list of them is shown. */
export function byLabel<T extends { displayName: string }>(fields: readonly T[]): T[] {
	return sortedBy(fields, ({ displayName }) => displayName);
}

/** "Additional Fields": what a new record may carry beyond what it needs. */
export function additionalFields(
	fields: INodeProperties[],
	displayOptions: IDisplayOptions,
): INodeProperties {
	return {
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		description: 'Further fields of the record; fields that are not added are not sent',
		displayOptions,
		options: byLabel(fields),
	};
}

/** "Update Fields": the fields to change. */
export function updateFields(
	fields: INodeProperties[],
	displayOptions: IDisplayOptions,
): INodeProperties {
	return {
		displayName: 'Update Fields',
		name: 'updateFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		description: 'Fields to change; fields that are not added keep their value',
		displayOptions,
		options: byLabel(fields.map(takingThePlace)),
	};
}

/** Says of a list that it is changed as a whole, which nobody expects who only wants to add to it. */
function takingThePlace(field: INodeProperties): INodeProperties {
	const isList = field.type === 'multiOptions' || field.typeOptions?.multipleValues === true;
	if (!isList) return field;
	const description = field.description?.replace(/\.$/, '');
	return { ...field, description: `${description}. They take the place of those it has now.` };
}

/** "Filters": which records of a list to return. */
export function filters(
	fields: INodeProperties[],
	displayOptions: IDisplayOptions,
): INodeProperties {
	return {
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		description: 'Which records to return; a record has to meet all filters that are added',
		displayOptions,
		options: byLabel(fields),
	};
}

/** Says of filters that the service lacks what they cost. */
export function readFilterNotice(plural: string, displayOptions: IDisplayOptions): INodeProperties {
	return {
		displayName: `The node applies filters of ${plural} while it reads, 30 ${plural} a request, and stops when the limit is reached`,
		name: 'filtersNotice',
		type: 'notice',
		default: '',
		displayOptions,
	};
}

/** "Sort": the order of a list. */
export function sort(fields: INodeProperties[], displayOptions: IDisplayOptions): INodeProperties {
	return {
		displayName: 'Sort',
		name: 'sort',
		type: 'collection',
		placeholder: 'Add Sort Rule',
		default: {},
		description: 'The order in which the service returns the records',
		displayOptions,
		options: byLabel(fields),
	};
}

/**
 * Has the editor ask for a drop-down again once a record is chosen: of a new node it asks before it has
 * chosen the credential, and shows an empty list then.
 *
 * @param locator name of the parameter in which the record is chosen
 */
export function askedAgain(field: INodeProperties, locator: string): INodeProperties {
	const typeOptions = { ...field.typeOptions, loadOptionsDependsOn: [`${locator}.value`] };
	return { ...field, typeOptions };
}

/** Places a field whose value the operation reads for itself, so that it is not sent as it is. */
export function readByOperation(
	field: INodeProperties,
	displayOptions: IDisplayOptions,
): INodeProperties {
	return { ...field, displayOptions, required: true, routing: undefined };
}
