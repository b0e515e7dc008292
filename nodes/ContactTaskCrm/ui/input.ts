import { groupBy, sortBy } from 'lodash';
import type { IDisplayOptions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { fieldsOf, namesToEmpty, namesWhere, type RecordContract } from '../schema/record';
import { parameterNamed } from './fields';
import type { Operation, PlainResource, Resource, TakesRecord } from './operations';
import { shownFor } from './operations';
import {
	collection,
	defaultsOf,
	labelled,
	noticeParameter,
	parameter,
	required,
	sentInBody,
	sortedBy,
	withSentence,
} from './parameters';

type Taking = Operation & { takes: TakesRecord };

/** Returns the operations that take the fields of a record from the user, in alphabetical order. */
function withBody({ operations }: Resource): Taking[] {
	const found = operations.filter((operation): operation is Taking => !!operation.takes);
	return sortedBy(found, ({ value }) => value);
}

const FIELDS = { name: 'Fields Below', value: 'fields', description: 'Fill in each field here' };
const TABLE = {
	name: 'Columns of the Input',
	value: 'columns',
	description: 'Take a whole table, such as a spreadsheet: each column goes to the field it fits',
};
const JSON_BODY = {
	name: 'JSON',
	value: 'json',
	description: 'Give the whole record as JSON, for values that no field can hold',
};

const REPLACES =
	'Fields that you do not give here are emptied. To change some fields and keep the others, choose Update.';

/**
 * Corrects a notice of n8n, which asks for columns with exactly the names of the CRM. No node can change that notice.
 */
const KNOWN_HEADINGS =
	'You need not rename columns: the headings of common exports are known, in English, Dutch, German and French. Options → Preview Only names the columns that are not taken.';
const MAPPED_BY_HAND = { '/columns.mappingMode': ['defineBelow'] };

/** Texts about the column that finds a person. Without them, n8n would write "Usually an ID". */
const MATCHING = {
	title: 'Column to Find People By',
	description: 'The column whose value tells who is in the CRM already',
	hint: 'People who have the value of this column, such as their e-mail address, are updated. Others are created.',
};

/** Returns the parameter Take Values From, the parameters Columns and JSON Body, and the notices beside them. */
export function inputModes(resource: Resource): INodeProperties[] {
	const { columns: table, json = '' } = resource;
	const all = withBody(resource);
	const mapped = all.filter(({ takes }) => table && takes.columns);
	const unmapped = all.filter((operation) => !mapped.includes(operation));
	const inputMode = (operations: Taking[], options: INodePropertyOptions[]) =>
		shownFor(resource, operations, ({ always: displayOptions }) => [
			parameter('inputMode', 'options', {
				label: 'Take Values From',
				noDataExpression: true,
				default: 'fields',
				description: 'Where the values of the record come from',
				displayOptions,
				options,
			}),
		]);
	const columnsInMode = (mode: 'add' | 'upsert') =>
		shownFor(
			resource,
			mapped.filter(({ takes }) => takes.columns === mode),
			({ forColumns }) => [columns(table!, mode, forColumns)],
		);
	const replacing = all.filter(({ method }) => method === 'PUT');
	return [
		...shownFor(resource, replacing, ({ always }) => [
			noticeParameter('replaceNotice', REPLACES, always),
		]),
		...inputMode(mapped, [FIELDS, TABLE, JSON_BODY]),
		...inputMode(unmapped, [FIELDS, JSON_BODY]),
		...shownFor(resource, all, ({ forJson }) => [jsonBody(json, forJson)]),
		...columnsInMode('add'),
		...columnsInMode('upsert'),
		...shownFor(resource, mapped, ({ forColumns }) => [
			noticeParameter('columnsNotice', KNOWN_HEADINGS, { ...forColumns, hide: MAPPED_BY_HAND }),
		]),
	];
}

function jsonBody(example: string, displayOptions: IDisplayOptions): INodeProperties {
	return parameter('jsonBody', 'json', {
		typeOptions: { rows: 6 },
		default: '',
		required: true,
		example,
		description: `The whole record as JSON, with the field names of the CRM, such as ${example}. Where a field names another record, give its ID.`,
		displayOptions,
	});
}

/** Returns the parameter Columns. `method` is the function of `lists/tableColumns.ts` that loads the columns. */
function columns(
	{ method, examples }: NonNullable<Resource['columns']>,
	mode: 'add' | 'upsert',
	displayOptions: IDisplayOptions,
): INodeProperties {
	return {
		displayName: 'Columns',
		name: 'columns',
		type: 'resourceMapper',
		noDataExpression: true,
		default: { mappingMode: 'autoMapInputData', value: null },
		required: true,
		description: `Which column goes to which field. Mapped automatically, each column of the input whose name fits is taken, such as ${examples}. Preview Only lists the others. Blank cells change nothing.`,
		displayOptions,
		typeOptions: {
			loadOptionsDependsOn: ['resource', 'operation'],
			resourceMapper: {
				resourceMapperMethod: method,
				mode,
				fieldWords: { singular: 'column', plural: 'columns' },
				valuesLabel: 'Values for the CRM',
				...(mode === 'upsert' && { matchingFieldsLabels: MATCHING }),
				multiKeyMatch: false,
				supportAutoMap: true,
			},
		},
	};
}

export function fieldOf({ fields = [] }: PlainResource, name: string): INodeProperties {
	return sentInBody(parameterNamed(fields, name));
}

/** Returns the names of the fields that have a parameter and belong to the body of an operation. */
function namesFor({ record, fields = [] }: Resource, { takes }: Taking): string[] {
	const inBody = fieldsOf(record, takes.body);
	return fields.map(({ name }) => name).filter((name) => name in inBody);
}

/** Returns the parameters of fields at the top level: required fields, and the fields in `first` of the operation. */
export function fieldsAtTop(resource: Resource): INodeProperties[] {
	const all = withBody(resource);
	const { fields = [], record } = resource;
	return fields.flatMap(({ name }) => {
		const field = fieldOf(resource, name);
		const isRequired = record.fields[name]?.isRequired === true;
		const having = all.filter((operation) => {
			const { fields, first } = operation.takes;
			const isHere = isRequired ? fields === 'requiredAtTop' : first?.includes(name);
			return isHere && namesFor(resource, operation).includes(name);
		});
		return shownFor(resource, having, ({ asField }) => [
			isRequired
				? required(field, asField)
				: { ...field, displayOptions: unlessAdded(name, asField) },
		]);
	});
}

const IS_GIVEN = [{ _cnd: { exists: true as const } }];

/**
 * Hides a field at the top level if a saved workflow gives the field under Additional Fields. Older workflows do so.
 */
function unlessAdded(name: string, place: IDisplayOptions): IDisplayOptions {
	return { ...place, hide: { ...place.hide, [`/additionalFields.${name}`]: IS_GIVEN } };
}

/**
 * Returns two entries of Additional Fields for one field. The editor shows the first entry only if a saved workflow
 * gives the field there. The engine reads this condition differently: it looks for the field at the top level. It finds
 * no field, so it would not send the value. The second entry makes the engine send the value. It has the same name, and
 * the type `hidden`, which the editor never shows.
 */
function ifAdded(field: INodeProperties, { show }: IDisplayOptions): INodeProperties[] {
	const { resource, operation } = show ?? {};
	const conditions = { '/resource': resource, '/operation': operation, [field.name]: IS_GIVEN };
	return [
		{ ...field, displayOptions: { show: conditions } },
		{ ...field, type: 'hidden' },
	];
}

/** Returns the parameter Additional Fields, once for all operations that offer the same fields in it. */
export function additionalFields(resource: Resource): INodeProperties[] {
	const all = withBody(resource).filter(({ takes }) => takes.fields !== 'updateFields');
	const takesAll = ({ takes }: Taking) => takes.fields === 'allAdditional';
	const isRequired = (name: string) => resource.record.fields[name]?.isRequired === true;
	const namesIn = (operation: Taking) =>
		namesFor(resource, operation).filter((name) => takesAll(operation) || !isRequired(name));
	const alike = groupBy(sortBy(all, takesAll), (operation) =>
		[namesIn(operation), operation.takes.first].join(),
	);
	const description = 'More fields; those you do not add are not sent';
	return Object.values(alike).flatMap((operations) => {
		const [operation] = operations as [Taking];
		const fields = namesIn(operation).map((name) => fieldOf(resource, name));
		if (fields.length === 0) return [];
		const added = fields.filter(({ name }) => resource.addedAtFirst?.includes(name));
		return shownFor(resource, operations, ({ asField }) => {
			const parts = fields.flatMap((field) =>
				operation.takes.first?.includes(field.name) ? ifAdded(field, asField) : field,
			);
			const preset = { default: defaultsOf(added) };
			return [
				{ ...collection('additionalFields', 'Add Field', description, parts, asField), ...preset },
			];
		});
	});
}

/** Returns the parameters Update Fields and Clear Fields. */
export function updateFields(resource: Resource): INodeProperties[] {
	const updating = withBody(resource).filter(({ takes }) => takes.fields === 'updateFields');
	const description = 'The fields to change; all others stay as they are';
	return updating.flatMap((operation) => {
		const names = namesFor(resource, operation);
		const parts = names.map((name) => withListReplaced(fieldOf(resource, name)));
		return shownFor(resource, [operation], ({ asField, unlessJson }) => [
			collection('updateFields', 'Add Field', description, parts, asField),
			...clearFields(resource.record, unlessJson),
		]);
	});
}

/** Adds a sentence to the description of a list parameter: the given entries replace the present ones. */
function withListReplaced(field: INodeProperties): INodeProperties {
	const isList = field.type === 'multiOptions' || field.typeOptions?.multipleValues === true;
	return isList ? withSentence(field, 'They replace those it has now') : field;
}

/** Returns the option "Replace Instead of Add To", for an update from mapped columns. */
export function listOptions(resource: Resource): INodeProperties[] {
	const { record, columns: table } = resource;
	const updating = withBody(resource).filter(
		({ takes }) => table && takes.fields === 'updateFields',
	);
	return shownFor(resource, updating, ({ forColumns }) => [replaceLists(record, forColumns)]);
}

export function replaceLists(
	{ fields, noun }: RecordContract,
	displayOptions: IDisplayOptions,
): INodeProperties {
	return parameter('replaceLists', 'multiOptions', {
		label: 'Replace Instead of Add To',
		description: `Lists that are replaced by what you give. What you give for others is added to what the ${noun} has.`,
		displayOptions,
		options: labelled(
			namesWhere(fields, ({ isList, bodies }) => isList && bodies.includes('update')),
		),
	});
}

/** Returns the parameter Clear Fields. It names fields to empty, because a blank value in a field means no change. */
function clearFields(contract: RecordContract, displayOptions: IDisplayOptions): INodeProperties[] {
	const inBody = fieldsOf(contract, 'update');
	const options = labelled(namesToEmpty(inBody));
	if (options.length === 0) return [];
	const description = 'Fields to empty';
	return [parameter('clearFields', 'multiOptions', { description, displayOptions, options })];
}
