import type { IDisplayOptions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { labelOf } from '../contract/label';
import type { RecordContract } from '../contract/record';
import { fieldsOf, namesWhere } from '../contract/record';
import { shownFor } from './display';
import { sortedBy } from './order';

const fields: INodePropertyOptions = {
	name: 'Fields',
	value: 'fields',
	description: 'Give each field in a parameter of its own',
};
const json: INodePropertyOptions = {
	name: 'JSON',
	value: 'json',
	description: 'Give the whole record as JSON, for what the fields cannot say',
};
const mappedColumns: INodePropertyOptions = {
	name: 'Map Columns',
	value: 'columns',
	description: 'Take the record from the columns of a table, those of the input by themselves',
};

/** Whether the record comes from fields, from JSON or from columns. */
function inputMode(
	displayOptions: IDisplayOptions,
	{ takesColumns = false }: { takesColumns?: boolean } = {},
): INodeProperties {
	return {
		displayName: 'Input Mode',
		name: 'inputMode',
		type: 'options',
		noDataExpression: true,
		default: 'fields',
		description: takesColumns
			? 'Whether to give the record field by field, as JSON, or as columns of a table'
			: 'Whether to give the record field by field or as JSON',
		displayOptions,
		options: takesColumns ? [fields, json, mappedColumns] : [fields, json],
	};
}

/**
 * The columns of a record, matched with those of the input by name or one by one.
 *
 * @param method gives the columns (see `lookups/tableColumns.ts`)
 * @param mode `upsert` where one of the columns tells whether the record exists
 */
export function columns(
	displayOptions: IDisplayOptions,
	{ method, mode }: { method: string; mode: 'add' | 'upsert' },
): INodeProperties {
	return {
		displayName: 'Columns',
		name: 'columns',
		type: 'resourceMapper',
		noDataExpression: true,
		default: { mappingMode: 'autoMapInputData', value: null },
		required: true,
		description:
			'Columns of the record. Mapped automatically, each column of the input whose name fits is taken, such as email, Family Name or zip; a blank cell means that nothing is given.',
		displayOptions,
		typeOptions: {
			loadOptionsDependsOn: ['resource', 'operation'],
			resourceMapper: {
				resourceMapperMethod: method,
				mode,
				fieldWords: { singular: 'column', plural: 'columns' },
				multiKeyMatch: false,
				supportAutoMap: true,
			},
		},
	};
}

/**
 * Says which columns of the input are taken, and that the others are not: n8n says neither.
 *
 * @param examples names of columns that fit
 */
export function columnsNotice(displayOptions: IDisplayOptions, examples: string): INodeProperties {
	return {
		displayName: `Columns of the input are taken where their names fit, such as ${examples}; the others are left out. Map Each Column Manually shows all that there are.`,
		name: 'columnsNotice',
		type: 'notice',
		default: '',
		displayOptions: { ...displayOptions, ...whereMappedByThemselves(displayOptions) },
	};
}

/** Columns that are mapped one by one show all there is to know beside each. */
function whereMappedByThemselves({ hide }: IDisplayOptions): IDisplayOptions {
	return { hide: { ...hide, '/columns.mappingMode': ['defineBelow'] } };
}

/** What becomes of the lists of an update that are not replaced. */
export const ADDED_OTHERWISE =
	'Lists that take the place of those the record has. What is given of other lists is added to them, for which the record is read first.';

/**
 * Lists to replace instead of adding to them.
 *
 * @param meaning what becomes of the other lists
 */
export function listModes(
	{ fields: all }: RecordContract,
	displayOptions: IDisplayOptions,
	meaning: string,
): INodeProperties {
	const lists = namesWhere(all, ({ isList, bodies }) => isList && bodies.includes('update'));
	return {
		displayName: 'Lists to Replace',
		name: 'replaceLists',
		type: 'multiOptions',
		default: [],
		description: meaning,
		displayOptions: { ...displayOptions, ...whereMappedByThemselves(displayOptions) },
		options: labelled(lists),
	};
}

/**
 * Whether the record comes from fields or from JSON, and the JSON.
 *
 * @param example a record of this kind as JSON, to begin with
 * @param withColumns the operations among them that take columns, too
 */
export function input(
	resource: string,
	operations: string[],
	example: string,
	withColumns: string[] = [],
): INodeProperties[] {
	const others = operations.filter((operation) => !withColumns.includes(operation));
	const displayOptions = shownFor(resource, operations);
	return [
		...(withColumns.length > 0
			? [inputMode(shownFor(resource, withColumns), { takesColumns: true })]
			: []),
		...(others.length > 0 ? [inputMode(shownFor(resource, others))] : []),
		{
			displayName: 'JSON Body',
			name: 'jsonBody',
			type: 'json',
			typeOptions: { rows: 6 },
			default: '',
			required: true,
			placeholder: `e.g. ${example}`,
			description: `The record as a JSON object with the field names of the service, such as ${example}. What the fields cannot say can be given here: embedded records, and fields that are not documented. References take an ID or an IRI.`,
			displayOptions: {
				show: { ...displayOptions.show, inputMode: ['json'] },
			},
		},
	];
}

/** "Clear Fields": the fields to empty, since an empty parameter means that nothing was given. */
export function clearFields(
	contract: RecordContract,
	displayOptions: IDisplayOptions,
): INodeProperties {
	return {
		displayName: 'Clear Fields',
		name: 'clearFields',
		type: 'multiOptions',
		default: [],
		description: 'Fields to empty, whatever they hold now',
		displayOptions,
		options: labelled(
			namesWhere(fieldsOf(contract, 'update'), ({ emptiedBy }) => emptiedBy !== undefined),
		),
	};
}

/** Names of fields as options, under the labels that their parameters have. */
export function labelled(names: readonly string[]): Array<{ name: string; value: string }> {
	const options = names.map((value) => ({ name: labelOf(value), value }));
	return sortedBy(options, ({ name }) => name);
}
