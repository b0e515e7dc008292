import type { IDataObject } from 'n8n-workflow';
import { isAddress } from '../common/identifiers';
import { lastSegment } from '../common/iri';
import { locatedIn, referencesIn } from '../common/references';
import { isBlank, isObject } from '../contract/blank';
import { labelOf } from '../contract/label';
import { person } from '../contract/person';
import { fieldsOf, namesWhere } from '../contract/record';
import { directoryOf } from '../directory/directory';
import type { Connection } from '../transport/connection';
import type { NodeRun } from '../transport/nodeRun';
import { shownId } from './answer';
import type { Item } from './item';
import type { Place } from './itemOrder';
import type { LocateByEmail } from './locate';
import type { BodySpecification } from './specification';

/*
 * Records that are linked to a new task. The interface takes them as objects to be embedded (section
 * 2.6), and does not show how a service tells an existing record from one to be created.
 */

/** A person who is linked by e-mail address, until it is known who that is. */
class LinkByEmail {
	constructor(readonly email: string) {}
}

/**
 * An existing record of which no more is known: IRI and ID and nothing else, so that a service which
 * would create a new one refuses it for what it lacks.
 */
export function linkTo(iri: string): IDataObject {
	return { '@id': iri, id: lastSegment(iri) };
}

/** The fields of a person that go along with a link: texts, since a list could be taken for a change. */
const CARRIED = namesWhere(
	fieldsOf(person, 'create'),
	({ kind, isJsonOnly }) => kind === 'text' && !isJsonOnly,
);

/** A person who was read, as the interface wants a person embedded, with what is known of them. */
function linkToPerson(record: IDataObject, id: string): IDataObject {
	const known = CARRIED.filter((name) => !isBlank(record[name]));
	return {
		...linkTo(`${person.collection}/${id}`),
		...Object.fromEntries(known.map((name) => [name, record[name]])),
	};
}

/**
 * The links that a field gives: locators, references, or records of an earlier node. Objects of JSON
 * stay as they are.
 *
 * @param linked makes a link of a reference
 */
export function linksIn(
	value: unknown,
	{
		collection,
		isJson,
		linked,
	}: { collection: string; isJson: boolean; linked: (reference: unknown) => IDataObject },
): Array<IDataObject | LinkByEmail> {
	const isOfPeople = collection === person.collection;
	return referencesIn(value).flatMap((entry): Array<IDataObject | LinkByEmail> => {
		const reference = locatedIn(entry);
		if (isBlank(reference)) return [];
		if (isOfPeople && isByEmail(entry, reference)) return [new LinkByEmail(String(reference))];
		if (!isObject(reference)) return [linked(reference)];
		const record = reference as IDataObject;
		const id = isOfPeople && !isJson ? shownId(record, person) : undefined;
		return [id === undefined ? record : linkToPerson(record, id)];
	});
}

function isByEmail(entry: unknown, reference: unknown): boolean {
	if (typeof reference !== 'string') return false;
	return isAddress(reference) || (isObject(entry) && entry.mode === 'email');
}

/** A link to a tag with its title, where that is known: the interface shows one in such an object. */
function withTagTitle(link: unknown, { identity }: Connection): unknown {
	const isBare = isObject(link) && Object.keys(link).sort().join() === '@id,id';
	const title = isBare ? directoryOf(identity).titleOf(link['@id'], '/tags') : undefined;
	return title ? { ...(link as object), title } : link;
}

/** What an item looks for to link it. */
export interface Links {
	whenEnded: () => void;
	/**
	 * The body, with everybody found.
	 *
	 * @throws ExplainedError where nobody has an e-mail address, or several people have it
	 */
	found: (connection: Connection, place: Place) => Promise<IDataObject>;
}

/** Announces the people that a body links by e-mail address. */
export function linksOf(
	item: Item,
	run: NodeRun,
	body: IDataObject,
	{ fields, locateByEmail }: BodySpecification,
): Links {
	const searches = new Map<LinkByEmail, ReturnType<LocateByEmail>>();
	for (const [name, value] of Object.entries(body)) {
		if (!Array.isArray(value) || !locateByEmail) continue;
		for (const entry of value as unknown[]) {
			if (!(entry instanceof LinkByEmail)) continue;
			const key = `${item.context.getItemIndex()} ${name} ${searches.size}`;
			const search = {
				...{ run, key, email: entry.email, label: labelOf(name) },
				isToBeWritten: false,
				intend: () => 'read' as const,
			};
			searches.set(entry, locateByEmail(search));
		}
	}
	const find = async (link: unknown, connection: Connection, place: Place): Promise<unknown> => {
		const search = link instanceof LinkByEmail ? searches.get(link) : undefined;
		if (!search) return withTagTitle(link, connection);
		const { id, current } = await search.find(connection, place);
		return linkToPerson(current() ?? {}, id);
	};
	return {
		whenEnded: () => {
			for (const { whenEnded } of searches.values()) whenEnded();
		},
		found: async (connection, place) => {
			const whole: Record<string, unknown> = { ...body };
			for (const [name, value] of Object.entries(whole)) {
				if (!Array.isArray(value) || fields[name]?.kind !== 'record') continue;
				const links = [];
				for (const link of value as unknown[]) links.push(await find(link, connection, place));
				whole[name] = links;
			}
			return whole as IDataObject;
		},
	};
}
