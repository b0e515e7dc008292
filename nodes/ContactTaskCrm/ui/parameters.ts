import type {
	IDisplayOptions,
	INodeProperties,
	INodePropertyOptions,
	NodePropertyTypes,
} from 'n8n-workflow';
import { labelOf } from '../schema/label';

/** What a parameter says beyond its name and type. */
export interface Texts
	extends Partial<
		Pick<
			INodeProperties,
			'default' | 'displayOptions' | 'noDataExpression' | 'options' | 'required' | 'typeOptions'
		>
	> {
	/** What the editor calls it; by its name where absent. */
	label?: string;
	/** What it holds, as the description begins; "such as" and the example follow. */
	meaning?: string;
	/** A value as a user gives it: the placeholder of a text. */
	example?: string;
	/** The whole description, where it does not end with the example alone. */
	description?: string;
	/** Parameters of which the user adds those that are wanted, in an object of their own. */
	parts?: INodeProperties[];
	/** The button that adds one of these. */
	addsPart?: string;
}

const DEFAULTS: Partial<Record<NodePropertyTypes, INodeProperties['default']>> = {
	boolean: true,
	json: '[]',
	multiOptions: [],
	number: 0,
};

/** A parameter as the engine wants it. */
export function parameter(name: string, type: NodePropertyTypes, texts: Texts): INodeProperties {
	const { label = labelOf(name), meaning, example, typeOptions, parts } = texts;
	const { description = `${meaning}, such as ${example}`, options = parts } = texts;
	// Several entries begin with one, which is a blank as long as nobody fills it in.
	const empty = parts && (typeOptions?.multipleValues ? defaultsOf(parts) : {});
	const isTyped = example !== undefined && (type === 'string' || type === 'json');
	const whole: INodeProperties = {
		displayName: label,
		name,
		type,
		noDataExpression: texts.noDataExpression,
		typeOptions,
		...(parts ? { placeholder: texts.addsPart } : {}),
		default: texts.default ?? empty ?? DEFAULTS[type] ?? '',
		required: texts.required,
		...(isTyped ? { placeholder: `e.g. ${example}` } : {}),
		description,
		displayOptions: texts.displayOptions,
		options,
	};
	const present = Object.entries(whole).filter(([, value]) => value !== undefined);
	return Object.fromEntries(present) as unknown as INodeProperties;
}

/** The values of parameters that nobody has filled in, by their names. */
export function defaultsOf(parts: INodeProperties[]): INodeProperties['default'] {
	const values = parts.map(({ name, default: preset }): [string, unknown] => [name, preset]);
	return Object.fromEntries(values) as INodeProperties['default'];
}

/** Something that the editor says, and that holds no value. */
export function notice(
	name: string,
	displayName: string,
	displayOptions: IDisplayOptions,
): INodeProperties {
	return { displayName, name, type: 'notice', default: '', displayOptions };
}

/** Parameters of which the user adds those that are wanted. */
export function collection(
	name: string,
	addsPart: string,
	description: string,
	parts: INodeProperties[],
	displayOptions?: IDisplayOptions,
): INodeProperties {
	const texts = { addsPart, description, parts: byLabel(parts), displayOptions };
	return parameter(name, 'collection', texts);
}

/** "Filters": which records of a list to return. What filters of tasks cost should be no surprise. */
export function filters(
	fields: INodeProperties[],
	displayOptions: IDisplayOptions,
): INodeProperties {
	const description =
		'Which records to return: those that meet all filters you add. Tasks are read 30 a request until enough of them do.';
	return collection('filters', 'Add Filter', description, fields, displayOptions);
}

/** A parameter that is sent in the body, under its own name. */
export function sentInBody(field: INodeProperties): INodeProperties {
	return { ...field, routing: { send: { type: 'body', property: field.name } } };
}

/** A parameter at the top level that must not be left empty. */
export function required(field: INodeProperties, displayOptions: IDisplayOptions): INodeProperties {
	return { ...field, displayOptions, required: true };
}

/** Fields in the order in which a list of them is shown. */
export function byLabel<T extends { displayName: string }>(fields: readonly T[]): T[] {
	return sortedBy(fields, ({ displayName }) => displayName);
}

/** Names of fields as options, under the labels that their parameters have. */
export function labelled(names: readonly string[]): INodePropertyOptions[] {
	const options = names.map((value) => ({ name: labelOf(value), value }));
	return sortedBy(options, ({ name }) => name);
}

/** Options by their values, with what each means. */
export function choices(meanings: Readonly<Record<string, string>>): INodePropertyOptions[] {
	return Object.entries(meanings).map(([value, description]) => ({
		name: labelOf(value),
		value,
		description,
	}));
}

/**
 * Sorted by a text of each, regardless of case. Compared by code unit, since the first comparison by the
 * rules of a language makes n8n load these rules, which takes longer than to build the whole description;
 * lodash's `sortBy` takes a sixth of that time.
 */
export function sortedBy<T>(list: readonly T[], textOf: (one: T) => string): T[] {
	return list
		.map((one) => ({ one, key: textOf(one).toLowerCase() }))
		.sort((first, second) => (first.key < second.key ? -1 : Number(first.key > second.key)))
		.map(({ one }) => one);
}
