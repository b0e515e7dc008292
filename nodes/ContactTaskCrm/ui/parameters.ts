import type {
	IDisplayOptions,
	INodeProperties,
	INodePropertyOptions,
	NodePropertyTypes,
} from 'n8n-workflow';
import { labelOf } from '../schema/label';

export interface Texts
	extends Partial<
		Pick<
			INodeProperties,
			'default' | 'displayOptions' | 'noDataExpression' | 'options' | 'required' | 'typeOptions'
		>
	> {
	/** Label; derived from the name if absent. */
	label?: string;
	/** First words of the description. The words "such as" and the example follow. */
	meaning?: string;
	/** Example value. It is also the placeholder of a text. */
	example?: string | undefined;
	/** Whole description, instead of `meaning` and `example`. */
	description?: string;
	/** Parameters in a collection. */
	parts?: INodeProperties[];
	/** Label of the button that adds a parameter to a collection. */
	addsPart?: string;
}

const DEFAULTS: Partial<Record<NodePropertyTypes, INodeProperties['default']>> = {
	boolean: true,
	json: '[]',
	multiOptions: [],
	number: 0,
};

/** Returns a parameter with a further sentence at the end of its description. `sentence` comes without a full stop. */
export function withSentence(field: INodeProperties, sentence: string): INodeProperties {
	return { ...field, description: `${field.description?.replace(/\.$/, '')}. ${sentence}.` };
}

/** Returns a parameter of the node from its texts. Leaves out properties that the texts do not give. */
export function parameter(name: string, type: NodePropertyTypes, texts: Texts): INodeProperties {
	const { label = labelOf(name), meaning, example, typeOptions, parts } = texts;
	const { description = `${meaning}, such as ${example}`, options = parts } = texts;
	// If the user may add several entries, the default is an entry with all parts. The editor then shows this default as
	// a first blank entry.
	const empty = parts && (typeOptions?.multipleValues ? defaultsOf(parts) : {});
	const isTyped = example !== undefined && (type === 'string' || type === 'json');
	const whole: { [Name in keyof INodeProperties]: INodeProperties[Name] | undefined } = {
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

/** Returns the default of a collection with these parameters: the default of each, by its name. */
export function defaultsOf(parts: INodeProperties[]): INodeProperties['default'] {
	const values = parts.map(({ name, default: preset }): [string, unknown] => [name, preset]);
	return Object.fromEntries(values) as INodeProperties['default'];
}

/** Returns a notice: a text that the editor shows among the parameters, without a value. */
export function noticeParameter(
	name: string,
	displayName: string,
	displayOptions: IDisplayOptions,
): INodeProperties {
	return { displayName, name, type: 'notice', default: '', displayOptions };
}

/** Returns a collection of parameters that the user adds one by one. */
export function collection(
	name: string,
	addsPart: string,
	description: string,
	parts: INodeProperties[],
	displayOptions?: IDisplayOptions,
): INodeProperties {
	const texts = { addsPart, description, parts: byLabel(parts) };
	return parameter(name, 'collection', { ...texts, ...(displayOptions && { displayOptions }) });
}

export function filters(
	fields: INodeProperties[],
	displayOptions: IDisplayOptions,
): INodeProperties {
	const description =
		'Which records to return: those that meet all filters you add. Tasks are read 30 a request until enough of them do.';
	return collection('filters', 'Add Filter', description, fields, displayOptions);
}

/** Returns a parameter that n8n's engine sends in the body of the request, under its own name. */
export function sentInBody(field: INodeProperties): INodeProperties {
	return { ...field, routing: { send: { type: 'body', property: field.name } } };
}

export function required(field: INodeProperties, displayOptions: IDisplayOptions): INodeProperties {
	return { ...field, displayOptions, required: true };
}

export function byLabel<T extends { displayName: string }>(fields: readonly T[]): T[] {
	return sortedBy(fields, ({ displayName }) => displayName);
}

/** Returns field names as options, sorted by label. */
export function labelled(names: readonly string[]): INodePropertyOptions[] {
	const options = names.map((value) => ({ name: labelOf(value), value }));
	return sortedBy(options, ({ name }) => name);
}

/**
 * Returns the options of a parameter. Their labels follow from their values.
 *
 * @param meanings descriptions of the options, by value
 */
export function choices(meanings: Readonly<Record<string, string>>): INodePropertyOptions[] {
	return Object.entries(meanings).map(([value, description]) => ({
		name: labelOf(value),
		value,
		description,
	}));
}

/**
 * Sorts by a text, regardless of case. Compares code units, because `localeCompare` first loads language rules. That
 * loading would more than double the time to build the node's description. lodash's `sortBy` would add a sixth to this
 * time.
 */
export function sortedBy<T>(list: readonly T[], textOf: (one: T) => string): T[] {
	const keyed = list.map((one) => ({ one, key: textOf(one).toLowerCase() }));
	keyed.sort((first, second) => (first.key < second.key ? -1 : Number(first.key > second.key)));
	return keyed.map(({ one }) => one);
}
