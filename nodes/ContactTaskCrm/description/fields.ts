import type { INodeProperties } from 'n8n-workflow';
import type { Body } from '../contract/field';
import { EXAMPLES } from '../contract/field';
import { labelOf } from '../contract/label';
import type { RecordContract } from '../contract/record';
import { fieldsOf } from '../contract/record';
import { locator, titleWord } from './locators';

/** Parameters as they look in the editor, by the names of the fields or filters they stand for. */
export type Parameters = readonly INodeProperties[];

/**
 * The parameters of the fields that a body may hold. Each is sent under its own name.
 *
 * @param which `further`: without those that a record needs, which stand at the top level
 */
export function fieldParameters(
	contract: RecordContract,
	parameters: Parameters,
	body: Body,
	which: 'all' | 'further' = 'all',
): INodeProperties[] {
	const fields = fieldsOf(contract, body);
	return parameters
		.filter(({ name }) => name in fields && (which === 'all' || !fields[name].isRequired))
		.map(sentInBody);
}

/** The parameter of one field. */
export function fieldParameter(parameters: Parameters, name: string): INodeProperties {
	return sentInBody(parameterNamed(parameters, name));
}

/** One of several parameters. */
export function parameterNamed(parameters: Parameters, name: string): INodeProperties {
	return parameters.find((parameter) => parameter.name === name)!;
}

function sentInBody(parameter: INodeProperties): INodeProperties {
	return { ...parameter, routing: { send: { type: 'body', property: parameter.name } } };
}

/** The drop-downs of records, by the collections they list. */
const LOADED: Readonly<Record<string, string>> = {
	'/segments': 'getSegments',
	'/tags': 'getTags',
	'/users': 'getOwners',
};

const EXPRESSION = '<a href="https://docs.n8n.io/code/expressions/">expression</a>.';

/** What a drop-down means, with the sentence that n8n wants behind it. */
function withHowToChoose(meaning: string): string {
	return `${meaning}. Choose from the list, or specify IDs using an ${EXPRESSION}`;
}

/** The drop-down of a field that refers to several records, of the collection that the contract names. */
export function dropDown(
	{ fields }: RecordContract,
	name: string,
	meaning: string,
): INodeProperties {
	const { refersTo = '' } = fields[name];
	const example = `${titleWord(refersTo)}ID or IRI such as ${EXAMPLES[refersTo]}`;
	return {
		...severalFrom(name, labelOf(name).replace(/s$/, ''), refersTo),
		description: withHowToChoose(`${meaning}, each by ${example}`),
	};
}

/** The locator of a field that refers to one user. */
export function userLocator(
	{ fields }: RecordContract,
	name: string,
	purpose: string,
): INodeProperties {
	return locator({ name, noun: 'user', collection: fields[name].refersTo ?? '', purpose });
}

/** A filter of records, picked from a drop-down. */
export function dropDownFilter(
	{ filters }: RecordContract,
	name: string,
	meaning: string,
): INodeProperties {
	const { label, refersTo = '' } = filters[name];
	return dropDownOf({ name, label, collection: refersTo, meaning });
}

/** A parameter of several records of a collection, picked from a drop-down. */
export function dropDownOf({
	name,
	label,
	collection,
	meaning,
}: {
	name: string;
	label: string;
	collection: string;
	meaning: string;
}): INodeProperties {
	return {
		...severalFrom(name, label, collection),
		description: withHowToChoose(meaning),
	};
}

function severalFrom(name: string, label: string, collection: string): INodeProperties {
	return {
		displayName: `${label} Names or IDs`,
		name,
		type: 'multiOptions',
		typeOptions: { loadOptionsMethod: LOADED[collection] },
		default: [],
	};
}

/**
 * The four filters on a point in time.
 *
 * @param verb what happened then: "created"
 * @param plural what is returned: "people"
 */
export function timeFilterParameters(
	field: string,
	verb: string,
	plural: string,
): INodeProperties[] {
	const label = verb.charAt(0).toUpperCase() + verb.slice(1);
	const bounds = [
		['After', 'After', 'at this time or later'],
		['Before', 'Before', 'at this time or earlier'],
		['StrictlyAfter', 'After (Exclusive)', 'later than this time'],
		['StrictlyBefore', 'Before (Exclusive)', 'earlier than this time'],
	];
	return bounds.map(([suffix, words, meaning]) => ({
		displayName: `${label} ${words}`,
		name: field + suffix,
		type: 'dateTime',
		default: '',
		description: `Return ${plural} ${verb} ${meaning}, such as 2026-01-31T09:00:00Z`,
	}));
}
