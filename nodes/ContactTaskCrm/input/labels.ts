import type { IDataObject } from 'n8n-workflow';
import { contracts } from '../schema';
import { innerLabel, labelOf, segmentsOf } from '../schema/label';
import { type Collection, SOURCES, titledCollection } from '../schema/record';
import { normalized } from '../values/identifier';
import { isObject, listOf } from '../values/json';
import { inZone } from '../values/time';

/**
 * The parameter or column that gives a field its value. The label of the parameter or column may differ from the label
 * of the field. For example, the parameter Email gives the first entry of `emailAddresses`.
 */
export interface Source {
	/** Name of the field in request bodies, such as `emailAddresses`. */
	field: string;
	/** Label for messages, such as "Email", "Email Addresses (entry 2)" or `Job Title (from "Role")`. */
	label: string;
	/**
	 * Whether the source gives a whole field, an entry of a list, or a part of an entry or object. The parameter Person
	 * gives a link to one person: it counts as a part, but has no `part`.
	 */
	gave: 'field' | 'entry' | 'part';
	/** Name of the part that has `value`, such as `email` or `city`; absent for a whole field or a reference. */
	part?: string | undefined;
	value?: unknown;
}

/** Returns the editor's label for a path into a body, such as `emailAddresses[0].email`. */
export function labelFromSources(
	path: string,
	body: Readonly<IDataObject>,
	sources: readonly Source[],
): string {
	const [field = '', ...inner] = segmentsOf(path);
	const own = sources.filter((source) => source.field === field);
	const source = sourceAt(own, inner, body[field]);
	const { label, gave, part } = source ?? { label: labelOf(field), gave: 'field' };
	const [key, ...rest] = inner;
	if (gave === 'field') {
		const place = isIndex(key) ? [String(Number(key) - linksOf(own).length)] : inner.slice(0, 1);
		return label + innerLabel([...place, ...rest]);
	}
	return label + innerLabel(gave === 'part' && rest[0] === part ? rest.slice(1) : rest);
}

function isIndex(name: string | undefined): boolean {
	return name !== undefined && /^\d+$/.test(name);
}

/** Returns the source of the value at the path `inner` within a field; undefined if no source is known. */
function sourceAt(own: readonly Source[], inner: readonly string[], value: unknown) {
	const [key, part] = inner;
	const parts = own.filter(({ gave }) => gave === 'part');
	const whole = own.find(({ gave }) => gave === 'field');
	if (key === undefined) {
		const isOne = isObject(value) ? own.length === 1 : (listOf(value) ?? []).length <= 1;
		return whole ?? (isOne ? parts[0] : undefined);
	}
	if (!isIndex(key)) return parts.find((source) => source.part === key) ?? whole;
	const entry = listOf(value)?.[Number(key)];
	// In the body, present entries of the record may stand before the given ones. So the node finds the source of an entry
	// by the value of the entry, and not by its position.
	const matching = own.filter(({ part: name, value: given }) => {
		if (name === undefined || !isObject(entry)) return false;
		return normalized(String(entry[name])) === normalized(String(given));
	});
	const link = linksOf(own)[Number(key)];
	return matching.find((source) => source.part === part) ?? matching[0] ?? link ?? whole;
}

/**
 * Returns the sources that each give one link to another record, such as the parameter Person. In the list of the body,
 * these links come first.
 */
function linksOf(own: readonly Source[]): Source[] {
	return own.filter(({ gave, part }) => gave === 'part' && part === undefined);
}

/**
 * Ends of advice for the model of an AI agent, by collection. Each end names the filter of Get Many that finds a
 * record.
 */
const FOUND_BY: Readonly<Record<string, string>> = {
	'/people': ' with the filter Search',
	'/tasks': ' with the filter Title Contains',
};

/** Returns advice on how to refer to a record in a cell of a table. In a cell, the user cannot choose from a list. */
export function cellAdvice(collection: string): string {
	const titled = titledCollection(collection);
	// Users and tags have no list in the interface, so the credential gives their names.
	return titled && SOURCES[titled].isUndocumented
		? 'Enter the name in the credential, under Names of Users and Tags'
		: `Give ${formOf(titled)}`;
}

/** Returns the words of an advice that name the accepted forms of a reference: title or name, or ID. */
function formOf(titled: Collection | undefined): string {
	const inFull = titled && `full ${SOURCES[titled].knownBy} of one that is there, or its ID`;
	return `the ${inFull ?? 'ID as the service shows it'}`;
}

/**
 * Returns advice on an unusable filter. The advice for the model of an AI agent does not name the list without filters,
 * because the model would then ask for this list.
 */
export function filterAdvice(isForModel: boolean, advice = 'Correct the value'): string {
	return isForModel
		? `${advice}, or leave it empty`
		: `${advice}, or remove the filter. The service ignores unknown values, and would return the unfiltered list`;
}

/** Returns further advice on an unusable date. The model of an AI agent often does not know the present time. */
export function dateAdvice(isForModel: boolean, timezone: string, otherwise = ''): string {
	if (!isForModel) return otherwise;
	const now = inZone(new Date(), timezone)?.setLocale('en');
	return `. It is now ${now?.toFormat("cccc yyyy-MM-dd'T'HH:mmZZ")}`;
}

/**
 * Returns advice on how to refer to a record of a collection. The model of an AI agent sees no list to choose from.
 */
export function referenceAdvice(collection: string, isForModel: boolean): string {
	const titled = titledCollection(collection);
	const known = Object.values(contracts).find((contract) => contract.collection === collection);
	if (isForModel && known && !titled) {
		return `Find the ID by Get Many of ${known.plural}${FOUND_BY[collection] ?? ''}`;
	}
	const form = formOf(titled);
	const isListed = !isForModel && (titled ?? known);
	return isListed ? `Choose from the list, or give ${form}` : `Give ${form}`;
}
