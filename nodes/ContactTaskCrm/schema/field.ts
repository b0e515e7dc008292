import { z } from 'zod';
import type { CollectionPath } from '../values/reference';
import * as formats from './formats';
import { listFormat, openObject } from './formats';

/** Kinds of request bodies. A request that replaces a record has the fields of `update`. */
export type Body = 'create' | 'update' | 'duplicate';

/** Type of the value of a field. For a list, type of each entry. */
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

/** Description of one field of the interface. The editor, checks and previews use it. */
export interface Field {
	kind: FieldKind;
	isList: boolean;
	/**
	 * Type of the value in answers, for the output previews of n8n's editor. Absent if the service never shows the field.
	 */
	shown?: z.ZodTypeAny | undefined;
	/** Type of the value in request bodies, for checks before a request. Absent if the field is read-only. */
	written?: z.ZodTypeAny;
	/** Kinds of request bodies that take the field. */
	bodies: readonly Body[];
	/**
	 * Whether the text of a parameter or cell has to be an amount of money. In JSON Body, the field also takes other
	 * types, such as text, if the interface allows them.
	 */
	isAmount?: boolean;
	/** Path of the collection that the references of the field lead to. */
	refersTo?: CollectionPath;
	/**
	 * For a list of objects: the part that identifies an entry, such as `email`. An entry without this part counts as
	 * blank.
	 */
	entryKey?: string;
	/**
	 * For a list of objects: the parts of an entry. In an entry from parameters or cells, the node sets missing parts
	 * to null, because the interface requires all parts.
	 */
	parts?: readonly string[];
	/** Value that empties the field. If absent, Clear Fields does not offer the field. */
	emptiedBy?: null | [];
	/** Value that the service sets in a new record by default. */
	initial?: boolean | Readonly<Record<string, string | null>>;
	/** Whether the service requires the field to create or replace a record. */
	isRequired: boolean;
	/** Whether users can give the field only in JSON Body, because the field has no parameter. */
	isJsonOnly: boolean;
	/** Columns of a table for parts of the field, such as the city of an address. */
	columns?: readonly PartColumn[];
}

/** Column of a table for a part of a field, or for one entry of a list. */
export interface PartColumn {
	name: string;
	/**
	 * Part of the field or entry that the column fills. If absent, the column fills a whole entry, such as a reference.
	 */
	part?: string;
	/** Fixed parts of an entry from this column, such as `phoneType: 'mobile'`. */
	entry?: Readonly<Record<string, string>>;
}

/** Properties of a field that do not follow from its kind. */
interface Traits extends Partial<Pick<Field, 'bodies' | 'isRequired' | 'isJsonOnly' | 'initial'>> {
	/**
	 * Whether the service always has a value for the field, such as the author of a task. Clear Fields then does not offer
	 * the field.
	 */
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
		...(mayBeEmpty && !isList && written instanceof z.ZodNullable ? { emptiedBy: null } : {}),
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

/**
 * Describes a field with one reference. `written` takes any text, because `withReferences` in `input/references.ts`
 * checks the IRI later.
 */
export function reference(refersTo: CollectionPath, traits: Traits = {}): Field {
	const written = formats.text.nullable();
	return field('reference', { shown: shownText, written, refersTo }, traits);
}

export function references(
	refersTo: CollectionPath,
	traits: Traits & { isNullable?: boolean } = {},
): Field {
	const list = listFormat(formats.text);
	const written = traits.isNullable ? list.nullable() : list;
	const types = { shown: z.array(z.string()), written, refersTo, isList: true };
	return field('reference', types, traits);
}

/**
 * Describes a list of objects, such as e-mail addresses.
 *
 * @param entryKey part that identifies an entry, such as `email`
 * @param shown types of the parts in answers
 * @param written types of the parts in bodies
 */
export function objectList(
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
 * Describes a list of records that the body of another record contains, such as people of a task (section 2.6).
 *
 * @param record check of one embedded record
 */
export function embeddedRecords(
	refersTo: CollectionPath,
	traits: Traits,
	record: z.ZodTypeAny = openObject({}),
): Field {
	const written = listFormat(record).nullable();
	return field('record', { shown: z.array(z.string()), written, refersTo, isList: true }, traits);
}

/**
 * Describes a field for which the interface documents no type in answers.
 *
 * @param written type in bodies
 */
export function openType(kind: FieldKind, written: z.ZodTypeAny, traits: Traits = {}): Field {
	const types = { shown: z.unknown(), written: written.nullable() };
	return field(kind, { ...types, isList: written instanceof z.ZodArray }, traits);
}

export function writeOnly(field: Field): Field {
	return { ...field, shown: undefined };
}

export function readOnly(shown: z.ZodTypeAny, kind: FieldKind = 'any'): Field {
	return field(kind, { shown }, {});
}

export function readOnlyReference(shown: z.ZodTypeAny, refersTo: CollectionPath): Field {
	return { ...readOnly(shown, 'reference'), refersTo };
}
