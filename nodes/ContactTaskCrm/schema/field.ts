import { z } from 'zod';
import {
	columnIri,
	iri,
	iris,
	listFormat,
	openObject,
	text as textFormat,
	trueOrFalse,
	wholeNumber as wholeNumberFormat,
} from './formats';

/** The bodies that a record is written with: a replacement holds what an update may hold. */
export type Body = 'create' | 'update' | 'duplicate';

/** What a field holds, beyond whether it is a list. */
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

/**
 * All that the node knows of a field of the interface. What is written, checked, emptied, offered in
 * the editor and shown in previews is derived from it.
 */
export interface Field {
	kind: FieldKind;
	isList: boolean;
	/**
	 * Type of the answer, for output previews; no answer is checked against it. Absent where the field
	 * is only written.
	 */
	shown?: z.ZodTypeAny;
	/**
	 * Type of what may be written, checked before a request is sent; absent where the field is only
	 * read.
	 */
	written?: z.ZodTypeAny;
	/** The bodies that take it. */
	bodies: readonly Body[];
	/** Path of the collection that it points into, such as `/users`. */
	refersTo?: string;
	/** Of a list of entries: the part without which an entry says nothing, such as `email`. */
	entryKey?: string;
	/** Of a list of entries: the parts that the interface requires of each. */
	parts?: readonly string[];
	/** What is sent to empty it; absent where Clear Fields does not offer it. */
	emptiedBy?: null | [];
	/** What it holds of a new record before what is given, where that is known and not empty. */
	initial?: boolean | Readonly<Record<string, string | null>>;
	/** Whether a record cannot be created or replaced without it. */
	isRequired: boolean;
	/** Whether it has no parameter of its own, so that it is given as JSON. */
	isJsonOnly: boolean;
	/** Columns of a table that hold a part of it each: the e-mail address of a list of them, the city of an address. */
	columns?: readonly PartColumn[];
}

/** A column of a table that holds one part of a field, or one entry of a list. */
export interface PartColumn {
	name: string;
	/** The part; absent where it is an entry as it is, such as a reference. */
	part?: string;
	/** What else an entry of a list is that comes from this column: a mobile number. */
	entry?: Readonly<Record<string, string>>;
}

/** What may differ from one field to another of the same kind. */
interface Traits {
	bodies?: readonly Body[];
	isRequired?: boolean;
	isJsonOnly?: boolean;
	/**
	 * Whether the service always holds a value, so that Clear Fields does not offer it although null
	 * may be written.
	 */
	isKept?: boolean;
	initial?: Field['initial'];
}

const CREATE_AND_UPDATE: readonly Body[] = ['create', 'update'];

function field(
	kind: FieldKind,
	types: Pick<Field, 'shown' | 'written'> &
		Partial<Pick<Field, 'isList' | 'entryKey' | 'parts' | 'refersTo'>>,
	{
		bodies = CREATE_AND_UPDATE,
		isRequired = false,
		isJsonOnly = false,
		isKept = false,
		initial,
	}: Traits,
): Field {
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

/** Text, or null. */
export function text(traits: Traits = {}): Field {
	return field('text', { shown: z.string().nullable(), written: textFormat.nullable() }, traits);
}

/** A number without a fraction, or null. */
export function wholeNumber(traits: Traits = {}): Field {
	const written = wholeNumberFormat.nullable();
	return field('wholeNumber', { shown: z.number().int().nullable(), written }, traits);
}

/** True, false or null. */
export function boolean(traits: Traits = {}): Field {
	return field(
		'boolean',
		{ shown: z.boolean().nullable(), written: trueOrFalse.nullable() },
		traits,
	);
}

/** A point in time, or null. */
export function time(written: z.ZodTypeAny, traits: Traits = {}): Field {
	return field('dateTime', { shown: z.string().nullable(), written: written.nullable() }, traits);
}

/** A reference to a record of a collection, or null. */
export function reference(refersTo: string, traits: Traits = {}): Field {
	const format = refersTo.includes('{') ? columnIri : iri(EXAMPLES[refersTo]);
	const types = { shown: z.string().nullable(), written: format.nullable(), refersTo };
	return field('reference', types, traits);
}

/** References to records of a collection. */
export function references(
	refersTo: string,
	traits: Traits & { isNullable?: boolean } = {},
): Field {
	const list = iris(EXAMPLES[refersTo]);
	const written = traits.isNullable ? list.nullable() : list;
	return field(
		'reference',
		{ shown: z.array(z.string()), written, refersTo, isList: true },
		traits,
	);
}

/** A list of entries such as e-mail addresses, each an object. */
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

/** An object with known parts. */
export function object(written: z.ZodTypeAny, traits: Traits = {}): Field {
	return field('object', { shown: written, written }, traits);
}

/**
 * Records that are written inside another one (interface, section 2.6). It shows objects; an IRI passes
 * as well, since the service may take one and can refuse it for itself.
 *
 * @param record what is checked of an object; nothing where absent
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

/** A field whose type in answers the interface does not show. */
export function open(kind: FieldKind, written: z.ZodTypeAny, traits: Traits = {}): Field {
	const isList = kind === 'any' && written.safeParse([]).success && !written.safeParse({}).success;
	return field(kind, { shown: z.unknown(), written: written.nullable(), isList }, traits);
}

/** The same field where the service never shows it. */
export function writeOnly(field: Field): Field {
	return { ...field, shown: undefined };
}

/** A field that cannot be written. */
export function readOnly(shown: z.ZodTypeAny, kind: FieldKind = 'any'): Field {
	return field(kind, { shown }, {});
}

/** References, or one, that cannot be written. */
export function readOnlyReference(shown: z.ZodTypeAny, refersTo: string): Field {
	return { ...readOnly(shown, 'reference'), refersTo };
}

/** The IRI of a record of each collection, as messages and placeholders show one. */
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
