import type { IDataObject } from 'n8n-workflow';
import type { Field } from '../schema/field';
import { UnusableParameter } from '../util/errors';
import { asMeant } from '../util/contacts';
import { isBlank, isObject, partsWhere } from '../util/values';
import type { Item } from './item';
import type { BodySpecification } from './specification';

/**
 * The fields that a JSON Body holds.
 *
 * @throws UnusableParameter where it is no object
 */
export function parsedJson(given: unknown): IDataObject {
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

/** The fields of JSON, with e-mail addresses and phone numbers as they are meant. */
export function givenAsJson(
	{ context, request }: Item,
	{ fields }: BodySpecification,
): IDataObject {
	const given = parsedJson(context.getNodeParameter('jsonBody', ''));
	// A record that was read can be created anew, without what the service names itself.
	const isCreate = request.method === 'POST';
	const isNamed = '@id' in given;
	const isOfService = (name: string) => name.startsWith('@') || (isNamed && name === 'id');
	const entries = Object.entries(given).flatMap(([name, value]): Array<[string, unknown]> => {
		if (isCreate && isOfService(name)) return [];
		const { kind, entryKey } = (fields[name] ?? {}) as Partial<Field>;
		const own = isCreate && kind === 'object' ? withoutJsonLd(value) : value;
		const isOfContacts = entryKey !== undefined && Array.isArray(own);
		return [[name, isOfContacts ? own.map((entry) => asMeant(entry, entryKey)) : own]];
	});
	return Object.fromEntries(entries) as IDataObject;
}

/** An object, or each of a list, without what JSON-LD adds: no other record is linked by it. */
function withoutJsonLd(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(withoutJsonLd);
	return isObject(value) ? partsWhere(value, (_, name) => !name.startsWith('@')) : value;
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch (error) {
		return error;
	}
}
