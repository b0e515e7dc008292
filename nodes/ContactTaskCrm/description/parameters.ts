import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

/** Places a field that stands once in `fields.ts`: at the top level, shown and required as given. */
export function placed(
	field: INodeProperties,
	displayOptions: IDisplayOptions,
	required = false,
): INodeProperties {
	return { ...field, displayOptions, ...(required ? { required } : {}) };
}

/** A collection of optional fields, in alphabetical order of their labels. */
export function collection(
	name: string,
	displayName: string,
	placeholder: string,
	fields: INodeProperties[],
	displayOptions: IDisplayOptions,
): INodeProperties {
	const options = [...fields].sort((one, other) =>
		one.displayName.localeCompare(other.displayName, 'en'),
	);
	return { displayName, name, type: 'collection', placeholder, default: {}, displayOptions, options };
}

/** A locator for one record: picked from a list that can be searched, or given by id or IRI. */
export function locator(
	name: string,
	displayName: string,
	searchListMethod: string,
	description: string,
	idPlaceholder: string,
	displayOptions?: IDisplayOptions,
): INodeProperties {
	return {
		displayName,
		name,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		description,
		displayOptions,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				typeOptions: { searchListMethod, searchable: true },
			},
			{ displayName: 'By ID', name: 'id', type: 'string', placeholder: idPlaceholder },
		],
	};
}
