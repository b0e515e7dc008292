import { z } from 'zod';
import * as formats from './formats';
import { iri, listFormat, openObject } from './formats';

/** What a write sends. A replacement may hold what an update may hold. */
export type Body = 'create' | 'update' | 'duplicate';

/** What a field holds, or each entry of a list. */
export type FieldKind =
	| 'text'
	| 'number'
	| 'wholeNumber'
	| 'boolean'
	| 'dateTime'
	| 'reference'
	| 'record'
	| 'object'
	| 'any';

/** What the node knows of a field of the interface. The editor, checks and previews follow from it. */
export interface Field {
	kind: FieldKind;
	isList: boolean;
	/** The type in answers, for output previews; no check uses it. Absent: the service never shows the field. */
	shown?: z.ZodTypeAny;
	/** The type in bodies, which the node checks before a request. Absent: nobody can write the field. */
	written?: z.ZodTypeAny;
	/** The bodies that take the field. */
	bodies: readonly Body[];
	/** The path of the collection that the field refers to, such as `/users`. */
	refersTo?: string;
	/** In a list of entries, the part that an entry must have to say anything, such as `email`. */
	entryKey?: string;
	/** In a list of entries, the parts that the interface requires of each. */
	parts?: readonly string[];
	/** What empties the field. Absent: Clear Fields does not offer it. */
	emptiedBy?: null | [];
	/** What the service sets in a new record if the user gives nothing. */
	initial?: boolean | Readonly<Record<string, string | null>>;
	/** Whether the service needs the field to create or replace a record. */
	isRequired: boolean;
	/** Whether users give the field as JSON only, since it has no parameter. */
	isJsonOnly: boolean;
	/** Columns of a table that each hold a part of the field, such as the city of an address. */
	columns?: readonly PartColumn[];
}

export interface PartColumn {
	name: string;
	/** Absent: the column holds a whole entry, such as a reference. */
	part?: string;
	/** The other parts of an entry from this column: the type of a mobile number. */
	entry?: Readonly<Record<string, string>>;
}

/** What may differ between fields of one kind. */
interface Traits extends Partial<Pick<Field, 'bodies' | 'isRequired' | 'isJsonOnly' | 'initial'>> {
	/** Whether the service always holds a value, so that Clear Fields does not offer the field. */
	isKept?: boolean;
}

function field(
	kind: FieldKind,
	types: Pick<Field, 'shown' | 'written'> &
		Partial<Pick<Field, 'isList' | 'entryKey' | 'parts' | 'refersTo'>>,
	traits: Traits,
): Field {
	const { isRequired = false, isJsonOnly = false, isKept = false, initial } = traits;
	const { bodies = ['create', 'update'] } = traits;
	const { isList = false, written } = types;
	const mayBeEmpty = written !== undefined && !isRequired && !isJsonOnly && !isKept;
	return {
		kind,
		...types,
		isList,
		bodies: written === undefined ? [] : bodies,
		isRequired,
		isJsonOnly,
		...(initial === undefined ? {} : { initial }),
		...(mayBeEmpty && isList ? { emptiedBy: [] } : {}),
		...(mayBeEmpty && !isList && written.isNullable() ? { emptiedBy: null } : {}),
	};
}

export const shownText = z.string().nullable();

export function text(traits: Traits = {}): Field {
	return field('text', { shown: shownText, written: formats.text.nullable() }, traits);
}

export function wholeNumber(traits: Traits = {}): Field {
	const written = formats.wholeNumber.nullable();
	return field('wholeNumber', { shown: z.number().int().nullable(), written }, traits);
}

export function boolean(traits: Traits = {}): Field {
	const written = formats.trueOrFalse.nullable();
	return field('boolean', { shown: z.boolean().nullable(), written }, traits);
}

export function time(written: z.ZodTypeAny, traits: Traits = {}): Field {
	return field('dateTime', { shown: shownText, written: written.nullable() }, traits);
}

export function reference(refersTo: string, traits: Traits = {}): Field {
	const format = refersTo.includes('{') ? formats.columnIri : iri(EXAMPLES[refersTo]);
	return field('reference', { shown: shownText, written: format.nullable(), refersTo }, traits);
}

export function references(
	refersTo: string,
	traits: Traits & { isNullable?: boolean } = {},
): Field {
	const list = listFormat(iri(EXAMPLES[refersTo]));
	const written = traits.isNullable ? list.nullable() : list;
	const types = { shown: z.array(z.string()), written, refersTo, isList: true };
	return field('reference', types, traits);
}

/** Describes a list of objects, such as e-mail addresses. */
export function entries(
	entryKey: string,
	shown: z.ZodRawShape,
	written: z.ZodRawShape,
	traits: Traits = {},
): Field {
	const types = {
		shown: z.array(openObject(shown)),
		written: listFormat(openObject(written)),
		entryKey,
		parts: Object.keys(written),
		isList: true,
	};
	return field('object', types, traits);
}

export function object(written: z.ZodTypeAny, traits: Traits = {}): Field {
	return field('object', { shown: written, written }, traits);
}

/**
 * Describes records that a write embeds in another one (interface, section 2.6). The interface shows objects. An
 * IRI passes as well: the service decides whether it takes one.
 *
 * @param record what the node checks of an object
 */
export function embeddedRecords(
	refersTo: string,
	traits: Traits,
	record: z.ZodTypeAny = openObject({}),
): Field {
	const reference = iri(EXAMPLES[refersTo]);
	const embedded = z.custom<unknown>().superRefine((value, context) => {
		const schema = typeof value === 'string' ? reference : record;
		for (const issue of schema.safeParse(value).error?.issues ?? []) context.addIssue(issue);
	});
	const written = listFormat(embedded).nullable();
	return field('record', { shown: z.array(z.string()), written, refersTo, isList: true }, traits);
}

/** Describes a field whose type in answers the interface does not show. */
export function open(kind: FieldKind, written: z.ZodTypeAny, traits: Traits = {}): Field {
	const isList = kind === 'any' && written.safeParse([]).success && !written.safeParse({}).success;
	return field(kind, { shown: z.unknown(), written: written.nullable(), isList }, traits);
}

export function writeOnly(field: Field): Field {
	return { ...field, shown: undefined };
}

export function readOnly(shown: z.ZodTypeAny, kind: FieldKind = 'any'): Field {
	return field(kind, { shown }, {});
}

export function readOnlyReference(shown: z.ZodTypeAny, refersTo: string): Field {
	return { ...readOnly(shown, 'reference'), refersTo };
}

/** An example of an IRI in each collection, for messages and placeholders. */
export const EXAMPLES: Readonly<Record<string, string>> = {
	'/conversation_items': '/conversation_items/c02d',
	'/media_objects': '/media_objects/b8e2',
	'/messages': '/messages/e6f1',
	'/organizations': '/organizations/9d0c',
	'/people': '/people/0d5c',
	'/segments': '/segments/a41b',
	'/tags': '/tags/7c1e',
	'/tasks': '/tasks/91ce',
	'/tasks/{taskId}/comments': '/tasks/91ce/comments/44aa',
	'/tasks/{taskId}/history': '/tasks/91ce/history/e07d',
	'/users': '/users/3f2a',
	'/workspaces': '/workspaces/5c1f',
	'/workspaces/{workspaceId}/columns': '/workspaces/5c1f/columns/12ab',
};
