import type { IDataObject } from 'n8n-workflow';
import { labelOf } from '../contract/label';
import { checkedAsGiven, checkedWithCare, refuseInexactNumbers } from './bodyCheck';
import type { Item } from './item';
import { givenFields } from './given';
import { UnusableParameter } from '../common/errors';
import { namesIn } from './output';
import { referencesIn } from '../common/references';
import { isBlank } from '../contract/blank';
import { linkTo, linksIn } from './links';
import { fieldsOfRow, isMapped, mappedRow, withParts } from './mappedColumns';
import type { BodySpecification } from './specification';

/**
 * The body of an item's request, from its fields or its JSON, as it goes over the wire.
 *
 * @throws UnusableParameter naming the field and what was expected
 */
export function bodyOf(item: Item, specification: BodySpecification): IDataObject {
	const { context } = item;
	const isJson = context.getNodeParameter('inputMode', 'fields') === 'json';
	const fields = (item.request.body ?? {}) as IDataObject;
	const given = isJson
		? parsedJson(context.getNodeParameter('jsonBody', ''))
		: givenFields(
				isMapped(item)
					? fieldsOfRow(mappedRow(item, specification), specification)
					: withParts(fields, fields, specification.fields),
				specification,
			);
	refuseInexactNumbers(given);
	const body = withReferences(item, given, specification, isJson);
	for (const name of namesIn(context.getNodeParameter('clearFields', []))) {
		if (Object.hasOwn(given, name)) throw givenAndCleared(name);
		const field = Object.hasOwn(specification.fields, name)
			? specification.fields[name]
			: undefined;
		if (field?.emptiedBy === undefined) throw notClearable(name);
		body[name] = field.emptiedBy as IDataObject[string];
	}
	for (const name of specification.emptied) body[name] = null;
	for (const name of specification.nowWhereEmpty) {
		if (isBlank(body[name])) body[name] = new Date().toISOString();
	}
	const checked = isJson
		? checkedAsGiven(body, specification)
		: checkedWithCare(body, specification, context.getTimezone());
	for (const name of specification.required) {
		if (!isBlank(checked[name])) continue;
		throw new UnusableParameter(
			`${labelOf(name)} is empty`,
			isJson
				? `The JSON needs the field "${name}"`
				: `Enter a value. If it is an expression, it gave nothing for this item`,
		);
	}
	return checked;
}

function notClearable(name: string): UnusableParameter {
	return new UnusableParameter(
		`Clear Fields: "${name}" is no field that can be emptied`,
		'Choose from the list, or give names of fields that may be empty',
	);
}

function givenAndCleared(name: string): UnusableParameter {
	return new UnusableParameter(
		`${labelOf(name)} is given a value and stands in Clear Fields, too`,
		'Remove it from one of the two',
	);
}

function parsedJson(given: unknown): IDataObject {
	if (isBlank(given)) {
		throw new UnusableParameter(
			'JSON Body is empty',
			'Write the fields in braces, e.g. {"familyName": "Jansen"}. If it is an expression, it gave nothing for this item',
		);
	}
	const value = typeof given === 'string' ? parsed(given) : given;
	if (value instanceof SyntaxError) {
		throw new UnusableParameter(
			`JSON Body is not valid JSON: ${value.message}`,
			'Check quotes, commas and brackets. In an expression, use JSON.stringify() for values that are put in',
		);
	}
	if (typeof value !== 'object' || value === null || Array.isArray(value)) {
		const got = value === null ? 'null' : Array.isArray(value) ? 'a list' : `a ${typeof value}`;
		throw new UnusableParameter(
			`JSON Body: expected an object, got ${got}`,
			'Write the fields in braces, e.g. {"familyName": "Jansen"}',
		);
	}
	return { ...(value as IDataObject) };
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch (error) {
		return error;
	}
}

function withReferences(
	item: Item,
	given: IDataObject,
	{ fields }: BodySpecification,
	isJson: boolean,
): IDataObject {
	const body = { ...given };
	for (const [name, { kind, isList, refersTo }] of Object.entries(fields)) {
		const value = body[name];
		if (refersTo === undefined || isBlank(value)) continue;
		if (kind === 'record') {
			const linked = (reference: unknown) => linkTo(referenced(item, name, reference, refersTo));
			const links = linksIn(value, { collection: refersTo, isJson, linked });
			if (links.length > 0 || isJson) body[name] = links as IDataObject[];
			else delete body[name];
		} else if (isList) {
			body[name] = referencesIn(value).map((entry) => referenced(item, name, entry, refersTo));
		} else {
			body[name] = referenced(item, name, value, refersTo);
		}
	}
	return body;
}

function referenced(
	{ references }: Item,
	name: string,
	reference: unknown,
	collection: string,
): string {
	const iri = references.iri(reference, collection);
	if ('value' in iri) return iri.value;
	throw new UnusableParameter(
		`${labelOf(name)}: ${iri.expected}`,
		'Choose from the list, give the ID as the service shows it, or leave it empty',
	);
}
