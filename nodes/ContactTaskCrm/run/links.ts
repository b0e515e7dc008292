import type { IDataObject } from 'n8n-workflow';
import type { Match } from '../people/find';
import { lookupByEmail } from '../people/lookups';
import { isBlank, isObject, locatedIn, referencesIn } from '../util/values';
import { person } from '../schema/person';
import type { Client } from '../tenant/client';
import { shownId } from '../tenant/records';
import { isAddress } from '../util/contacts';
import { lastSegment } from '../util/iri';
import type { Item } from './item';
import type { BodySpecification } from './specification';

/*
 * Records that are linked to a new task. The interface takes them as objects to be embedded (section
 * 2.6), and does not show how a service tells an existing record from one to be created. The likeliest
 * framework links by `@id`, and writes into the record whatever else the object holds.
 */

/** A person who is linked by e-mail address, until it is known who that is. */
class LinkByEmail {
	constructor(readonly lookup: Match) {}
}

/**
 * An existing record: IRI and ID and nothing else, so that nothing is written into it, and a service which
 * would create a new one refuses it for what it lacks.
 */
function linkTo(iri: string): IDataObject {
	return { '@id': iri, id: lastSegment(iri) };
}

/**
 * The links that a field gives: locators, references, or records of an earlier node. Objects of JSON
 * stay as they are, but for one that is nothing but an ID.
 *
 * @param given the body that holds the field
 * @param iriOf the IRI of a reference, which messages call by its place in the body
 */
export async function linksIn(
	item: Item,
	given: IDataObject,
	{ name, collection }: { name: string; collection: string },
	iriOf: (reference: unknown, collection: string, place: string) => Promise<string>,
): Promise<Array<IDataObject | LinkByEmail>> {
	const isOfPeople = collection === person.collection;
	const links: Array<IDataObject | LinkByEmail> = [];
	const place = () => `${name}[${links.length}]`;
	const linked = async (reference: unknown) => linkTo(await iriOf(reference, collection, place()));
	for (const entry of referencesIn(given[name])) {
		const reference = locatedIn(entry);
		if (isBlank(reference)) continue;
		if (isOfPeople && isByEmail(entry, reference)) {
			const label = item.labelAt(place(), given);
			const lookup = lookupByEmail(String(reference), label);
			links.push(new LinkByEmail(item.looksFor(lookup)));
		} else if (!isObject(reference)) {
			links.push(await linked(reference));
		} else {
			const record = reference as IDataObject;
			const isBare = Object.keys(record).join() === 'id';
			const isRead = isOfPeople && !item.isJson;
			const id = isBare ? record.id : isRead ? shownId(record, person) : undefined;
			links.push(id === undefined ? record : await linked(id));
		}
	}
	return links;
}

function isByEmail(entry: unknown, reference: unknown): boolean {
	if (typeof reference !== 'string') return false;
	return isAddress(reference) || (isObject(entry) && entry.mode === 'email');
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
	const { lookups } = item.run;
	const whole: Record<string, unknown> = { ...body };
	for (const [name, value] of Object.entries(whole)) {
		if (!Array.isArray(value) || fields[name]?.kind !== 'record') continue;
		const links: unknown[] = [];
		for (const link of value as unknown[]) {
			if (link instanceof LinkByEmail) {
				const { id } = await lookups.findByEmail(client, link.lookup);
				links.push(linkTo(`${person.collection}/${id}`));
			} else {
				links.push(link);
			}
		}
		whole[name] = links;
	}
	return whole as IDataObject;
}
