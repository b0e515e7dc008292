import type { IDataObject } from 'n8n-workflow';
import { emailToFind } from './matchToFind';
import type { Match } from '../lookup/find';
import { person } from '../schema/person';
import type { Client } from '../crm/client';
import type { InputItem } from './item';
import type { BodySpecification } from './specification';
import { isMeantAsEmail } from '../values/email';
import { isObject, locatedIn } from '../values/json';
import { referencesIn } from '../values/list';
import { lastSegment, ownId, ownIri } from '../values/reference';
import { isBlank } from '../values/text';
import { withEachOnce } from '../schema/equality';

/*
 * Makes links from a new task to other records. A link is an embedded object (interface, section 2.6). The interface
 * does not say how the service tells a link from a new record. The service probably uses API Platform. API Platform
 * links the record of `@id`, and writes the other parts of the object into that record.
 */

/**
 * A link to a person by e-mail address, as the user gave it. `withLinksFound` later replaces this object by a link with
 * the IRI.
 */
class LinkByEmail {
	constructor(readonly lookup: Match) {}
}

/** Returns a link with only the IRI and the ID. Any other part could change the linked record, or create a new one. */
function linkTo(iri: string): IDataObject {
	return { '@id': iri, id: lastSegment(iri) };
}

/**
 * Returns the links in a field. The user may give them by locators, by references, or as records of an earlier node. Of
 * a record, only the ID counts. In JSON, an object stays as it is, unless it has only an ID.
 *
 * @param given the body with the field
 * @param iriOf returns the IRI of a record. Error messages name `place`, the path of the link in the body
 */
export async function linksIn(
	item: InputItem,
	given: IDataObject,
	{ name, collection }: { name: string; collection: string },
	iriOf: (identifier: unknown, place: string) => Promise<string>,
): Promise<Array<IDataObject | LinkByEmail>> {
	const isOfPeople = collection === person.collection;
	const links: Array<IDataObject | LinkByEmail> = [];
	for (const entry of referencesIn(given[name])) {
		const reference = locatedIn(entry);
		if (isBlank(reference)) continue;
		const place = `${name}[${links.length}]`;
		if (isOfPeople && isByEmail(entry, reference)) {
			links.push(new LinkByEmail(emailToFind(item, reference, item.labelAt(place, given))));
			continue;
		}
		const identifier = identifierOf(reference, item.isJson);
		if (identifier === undefined) {
			links.push(reference as IDataObject);
			continue;
		}
		links.push(linkTo(await iriOf(identifier, place)));
	}
	return links;
}

/** Returns whether an entry names a person by e-mail address: by the locator's mode, or by the form of the text. */
function isByEmail(entry: unknown, reference: unknown): reference is string {
	if (typeof reference !== 'string') return false;
	return (isObject(entry) && entry.mode === 'email') || isMeantAsEmail(reference);
}

/**
 * Returns the identifier of the record to link; undefined for an object in JSON that stays as it is. Returns a record
 * without an ID unchanged, so that the check of references refuses it. The service would make a new record of such an
 * object.
 */
function identifierOf(reference: unknown, isJson: boolean): unknown {
	if (!isObject(reference)) return reference;
	if (Object.keys(reference).join() === 'id') return reference.id;
	return isJson ? undefined : (ownIri(reference) ?? ownId(reference) ?? reference);
}

/**
 * Looks up the person of each `LinkByEmail` in a body. Returns the body with the IRIs of these people. Also returns
 * `at`, the time of the oldest read of these people, by `now` of the clock. Without such a link, `at` is Infinity.
 *
 * @param isFresh whether to look up again instead of using an earlier answer
 * @throws ExplainedError if nobody has one of the addresses, or if several people have the same address
 */
export async function withLinksFound(
	item: InputItem,
	client: Client,
	body: IDataObject,
	{ fields }: BodySpecification,
	isFresh = false,
): Promise<{ body: IDataObject; at: number }> {
	let at = Infinity;
	const whole: Record<string, unknown> = { ...body };
	for (const [name, value] of Object.entries(whole)) {
		if (!Array.isArray(value) || fields[name]?.kind !== 'record') continue;
		const links: unknown[] = [...(value as unknown[])];
		for (const [index, link] of links.entries()) {
			if (!(link instanceof LinkByEmail)) continue;
			const { read } = await item.run.lookups.findByEmail(client, link.lookup, isFresh);
			at = Math.min(at, read.at);
			links[index] = linkTo(`${person.collection}/${read.id}`);
		}
		whole[name] = links;
	}
	return { body: withEachOnce({ fields }, whole as IDataObject), at };
}
