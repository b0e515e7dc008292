import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import type { RecordContract } from '../schema/record';
import { fieldsOf, namesWhere } from '../schema/record';
import { parameterNamed } from './fields';
import type { Operation, PlainResource, Resource, TakesRecord } from './operations';
import { shownFor } from './operations';
import {
	collection,
	defaultsOf,
	labelled,
	parameter,
	required,
	sentInBody,
	sortedBy,
} from './parameters';

/** An operation that takes a record. */
type Taking = Operation & { takes: TakesRecord };

/** The operations that take a record, in alphabetical order. */
function taking({ operations }: Resource): Taking[] {
	const found = operations.filter((operation): operation is Taking => !!operation.takes);
	return sortedBy(found, ({ value }) => value);
}

const FIELDS = {
	name: 'Fields Below',
	value: 'fields',
	description: 'Fill in each field here',
};
const COLUMNS = {
	name: 'Columns of the Input',
	value: 'columns',
	description: 'Take a whole table, such as a spreadsheet: each column goes to the field it fits',
};
const JSON_BODY = {
	name: 'JSON',
	value: 'json',
	description: 'Give the whole record as JSON, for what the fields cannot say',
};

/** Where the values of a record come from, and the parameters of columns and of JSON. */
export function inputModes(resource: Resource): INodeProperties[] {
	const { columns: table, json = '' } = resource;
	const all = taking(resource);
	const mapped = all.filter(({ takes }) => table && takes.columns);
	const unmapped = all.filter((operation) => !mapped.includes(operation));
	const inMode = (mode: 'add' | 'upsert') => {
		const those = mapped.filter(({ takes }) => takes.columns === mode);
		return shownFor(resource, those, ({ forColumns }) => [
			...(table ? [columns(table, mode, forColumns)] : []),
		]);
	};
	return [
		...shownFor(resource, mapped, ({ always }) => [inputMode(true, always)]),
		...shownFor(resource, unmapped, ({ always }) => [inputMode(false, always)]),
		...shownFor(resource, all, ({ forJson }) => [jsonBody(json, forJson)]),
		...inMode('add'),
		...inMode('upsert'),
	];
}

function inputMode(takesColumns: boolean, displayOptions: IDisplayOptions): INodeProperties {
	return parameter('inputMode', 'options', {
		label: 'Take Values From',
		noDataExpression: true,
		default: 'fields',
		description: 'Where the values of the record come from',
		displayOptions,
		options: takesColumns ? [FIELDS, COLUMNS, JSON_BODY] : [FIELDS, JSON_BODY],
	});
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

/**
 * The columns of a record, matched with those of the input by name or one by one.
 *
 * @param method gives the columns (see `lists/tableColumns.ts`)
 */
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
		description: `Which column goes to which field. Mapped automatically, each column of the input whose name fits is taken, such as ${examples}; the others are left out, which is told before the run. Blank cells change nothing.`,
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

/** The parameter of a field, as it is sent. */
export function fieldOf({ fields = [] }: PlainResource, name: string): INodeProperties {
	return sentInBody(parameterNamed(fields, name));
}

/** The names of the fields that an operation may send, of those that have a parameter. */
function namesFor({ record, fields = [] }: Resource, { takes }: Taking): string[] {
	const inBody = fieldsOf(record, takes.body);
	return fields.map(({ name }) => name).filter((name) => name in inBody);
}

/** The fields that stand at the top level: those that a record needs, and some that it does not. */
function isAtTop({ record, first = [] }: Resource, { value }: Taking, name: string): boolean {
	return record.fields[name].isRequired || (value === 'create' && first.includes(name));
}

/** The fields that stand at the top level, for the operations that take a whole record. */
export function fieldsAtTop(resource: Resource): INodeProperties[] {
	const whole = taking(resource).filter(({ takes }) => takes.fields === 'whole');
	const { fields = [], record } = resource;
	return fields.flatMap(({ name }) => {
		const field = fieldOf(resource, name);
		const having = whole.filter(
			(operation) =>
				isAtTop(resource, operation, name) && namesFor(resource, operation).includes(name),
		);
		return shownFor(resource, having, ({ asField }) => [
			record.fields[name].isRequired
				? required(field, asField)
				: { ...field, displayOptions: asField },
		]);
	});
}

/** Additional Fields, one for the operations that offer the same; Update Fields and what belongs to it. */
export function fieldLists(resource: Resource): INodeProperties[] {
	const { record } = resource;
	const all = taking(resource);
	const of = (...kinds: Array<TakesRecord['fields']>) =>
		all.filter(({ takes }) => kinds.includes(takes.fields));
	const parameters = (names: string[]) => names.map((name) => fieldOf(resource, name));
	const additions = new Map<string, Taking[]>();
	for (const operation of [...of('whole', 'further'), ...of('any')]) {
		const isAny = operation.takes.fields === 'any';
		const names = namesFor(resource, operation).filter(
			(name) => isAny || !isAtTop(resource, operation, name),
		);
		if (names.length === 0) continue;
		const key = names.join(' ');
		additions.set(key, [...(additions.get(key) ?? []), operation]);
	}
	const additionalFields = (names: string[], displayOptions: IDisplayOptions) => {
		const description = 'More fields; those you do not add are not sent';
		const parts = parameters(names);
		const open = parts.filter(({ name }) => resource.open?.includes(name));
		return {
			...collection('additionalFields', 'Add Field', description, parts, displayOptions),
			default: defaultsOf(open),
		};
	};
	return [
		...[...additions].flatMap(([names, operations]) =>
			shownFor(resource, operations, ({ asField }) => [
				additionalFields(names.split(' '), asField),
			]),
		),
		...of('changes').flatMap((operation) =>
			shownFor(resource, [operation], ({ asField, unlessJson }) => [
				collection(
					'updateFields',
					'Add Field',
					'The fields to change; all others stay as they are',
					parameters(namesFor(resource, operation)).map(takingThePlace),
					asField,
				),
				...clearFields(record, unlessJson),
			]),
		),
	];
}

/** Says of a list that it is changed as a whole, which nobody expects who only wants to add to it. */
function takingThePlace(field: INodeProperties): INodeProperties {
	const isList = field.type === 'multiOptions' || field.typeOptions?.multipleValues === true;
	if (!isList) return field;
	const description = field.description?.replace(/\.$/, '');
	return { ...field, description: `${description}. They replace those it has now.` };
}

/** What an update offers among Options where it takes columns: what it does with lists. */
export function listOptions(resource: Resource): INodeProperties[] {
	const { record, columns: table } = resource;
	const updating = taking(resource).filter(({ takes }) => table && takes.fields === 'changes');
	return shownFor(resource, updating, ({ forColumns }) => [replaceLists(record, forColumns)]);
}

/** Lists to replace instead of adding to them. */
export function replaceLists(
	{ fields, noun }: RecordContract,
	{ show, hide }: IDisplayOptions,
): INodeProperties {
	return parameter('replaceLists', 'multiOptions', {
		label: 'Replace Instead of Add To',
		description: `Lists that are replaced by what you give. What you give for others is added to what the ${noun} has.`,
		// Columns that are mapped one by one show all there is to know beside each.
		displayOptions: { show, hide: { ...hide, '/columns.mappingMode': ['defineBelow'] } },
		options: labelled(
			namesWhere(fields, ({ isList, bodies }) => isList && bodies.includes('update')),
		),
	});
}

/** "Clear Fields": the fields to empty, since an empty parameter means that nothing was given. */
function clearFields(contract: RecordContract, displayOptions: IDisplayOptions): INodeProperties[] {
	const names = namesWhere(
		fieldsOf(contract, 'update'),
		({ emptiedBy }) => emptiedBy !== undefined,
	);
	if (names.length === 0) return [];
	const description = 'Fields to empty';
	const options = labelled(names);
	return [parameter('clearFields', 'multiOptions', { description, displayOptions, options })];
}
