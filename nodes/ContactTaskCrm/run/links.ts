import type { IDataObject } from 'n8n-workflow';
import type { Lookup } from '../people/lookups';
import { isBlank, isObject, locatedIn, referencesIn } from '../util/values';
import { person } from '../schema/person';
import { fieldsOf, namesWhere } from '../schema/record';
import type { Client } from '../tenant/client';
import { shownId } from '../tenant/records';
import { isAddress } from '../util/identifiers';
import { lastSegment } from '../util/iri';
import type { Item } from './item';
import type { BodySpecification } from './specification';

/*
 * Records that are linked to a new task. The interface takes them as objects to be embedded (section
 * 2.6), and does not show how a service tells an existing record from one to be created.
 */

/** A person who is linked by e-mail address, until it is known who that is. */
class LinkByEmail {
	lookup?: Lookup;

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
 * @param linked makes a link of a reference, by where it stands among them
 */
export async function linksIn(
	value: unknown,
	{
		collection,
		isJson,
		linked,
	}: {
		collection: string;
		isJson: boolean;
		linked: (reference: unknown, index: number) => Promise<IDataObject>;
	},
): Promise<Array<IDataObject | LinkByEmail>> {
	const isOfPeople = collection === person.collection;
	const links: Array<IDataObject | LinkByEmail> = [];
	for (const entry of referencesIn(value)) {
		const reference = locatedIn(entry);
		if (isBlank(reference)) continue;
		if (isOfPeople && isByEmail(entry, reference)) {
			links.push(new LinkByEmail(String(reference)));
		} else if (!isObject(reference)) {
			links.push(await linked(reference, links.length));
		} else {
			const record = reference as IDataObject;
			const id = isOfPeople && !isJson ? shownId(record, person) : undefined;
			links.push(id === undefined ? record : linkToPerson(record, id));
		}
	}
	return links;
}

function isByEmail(entry: unknown, reference: unknown): boolean {
	if (typeof reference !== 'string') return false;
	return isAddress(reference) || (isObject(entry) && entry.mode === 'email');
}

/** A link to a tag with its title, where that is known: the interface shows one in such an object. */
function withTagTitle(link: unknown, client: Client): unknown {
	const isBare = isObject(link) && Object.keys(link).sort().join() === '@id,id';
	const iri = isBare ? link['@id'] : undefined;
	const title = client.titleOf(iri, '/tags') ?? client.tenant.directory.titleOf(iri, '/tags');
	return title ? { ...(link as object), title } : link;
}

/** Announces the people that a body links by e-mail address. */
export function announceLinks(item: Item, body: IDataObject): void {
	for (const [name, value] of Object.entries(body)) {
		if (!Array.isArray(value)) continue;
		for (const [index, entry] of (value as unknown[]).entries()) {
			if (!(entry instanceof LinkByEmail)) continue;
			const label = item.labelAt(`${name}[${index}]`, body);
			const search = { item: item.index, email: entry.email, label };
			entry.lookup = item.looksFor(item.run.lookups.announceEmail(search, () => 'read'));
		}
	}
}

/**
 * A body with everybody found whom it links.
 *
 * @throws ExplainedError where nobody has an e-mail address, or several people have it
 */
export async function withLinksFound(
	item: Item,
	client: Client,
	body: IDataObject,
	{ fields }: BodySpecification,
): Promise<IDataObject> {
	const { lookups, writesMark } = item.run;
	const whole: Record<string, unknown> = { ...body };
	for (const [name, value] of Object.entries(whole)) {
		if (!Array.isArray(value) || fields[name]?.kind !== 'record') continue;
		const links: unknown[] = [];
		for (const link of value as unknown[]) {
			if (link instanceof LinkByEmail && link.lookup) {
				const { id, person: found } = await lookups.findByEmail(client, link.lookup, writesMark);
				links.push(linkToPerson(found, id));
			} else {
				links.push(withTagTitle(link, client));
			}
		}
		whole[name] = links;
	}
	return whole as IDataObject;
}
