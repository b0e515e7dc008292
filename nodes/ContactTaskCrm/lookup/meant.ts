import type { IDataObject } from 'n8n-workflow';
import { person as contract } from '../schema/person';
import { shownId } from '../crm/records';
import { ExplainedError } from '../util/errors';
import { emailsOf, isArchived, personName } from '../values/person';
import { identifierKey, isSameIdentifier } from '../values/identifier';
import { areSurelyTwoPeople, mayBeTwoPeople, type NameParts } from '../values/name';
import { KINDS, textsOf } from './duplicates';
import { type Chosen, isMatch, type Match, nameAndId, onlyMatch } from './find';

/*
 * Finds the person that a row means, and the owners of its e-mail addresses. A row is one person with several
 * addresses. But several people may share an e-mail address or a phone number: those of a company stand in many rows.
 */

/** A row, and the values to find its person. */
export interface Wanted {
	/** Values to look up for the row: first its match, then its other e-mail addresses. */
	matches: readonly [Match, ...Match[]];
	/** Fields of the row for the body, including the name. */
	body: IDataObject;
	/** Name of the row in a form for comparison with the names of people. */
	named: NameParts;
	/** Whether the match decides even if row and person have contradictory names (When the Name Differs: Update). */
	mayDiffer: boolean;
}

/**
 * Finds the person of a row. Returns nobody if no person has a value of the row. A person does not count if the
 * person's name contradicts the row. Active people come before archived people.
 *
 * @param people newest reads of all people who may have one of the values
 * @throws ExplainedError if the match belongs to somebody with another name, or if the row means several people
 */
export function personMeant(
	{ matches, body, named, mayDiffer }: Wanted,
	people: IDataObject[],
): Chosen {
	const [first, ...others] = matches;
	const hasFirst = people.filter((person) => isMatch(person, first.matchBy, first.value));
	const isOther = (person: IDataObject) => !mayDiffer && areSurelyTwoPeople(named, person);
	const likely = hasFirst.filter((person) => !isOther(person));
	const further = people.filter(
		(person) =>
			!hasFirst.includes(person) &&
			others.some(({ matchBy, value }) => isMatch(person, matchBy, value)) &&
			!mayBeTwoPeople(named, person),
	);
	if (likely.some(isActive)) {
		const chosen = onlyMatch(likely, first);
		return mayDiffer ? chosen : perhapsRelated(chosen, body);
	}
	const active = further.filter(isActive);
	if (active.length > 0) return theOnly(active);
	const owner = hasFirst.find((person) => isActive(person) && isOther(person));
	if (owner) throw anotherName(first, owner, body);
	if (likely.length > 0) return archived(onlyMatch(likely, first));
	return further.length > 0 ? archived(theOnly(further)) : { person: undefined, notes: [] };
}

/** Adds a note that the person is archived. The caller has found no active person for the row. */
function archived({ person, notes }: Chosen): Chosen {
	return { person, notes: [...notes, ...(person ? [`${called(person)} is archived`] : [])] };
}

/**
 * Adds a note if the row has another given name than the person. The row may be a relative with the same e-mail address
 * or phone number.
 */
function perhapsRelated({ person, notes }: Chosen, row: IDataObject): Chosen {
	const { givenName } = row;
	if (!person || !mayBeTwoPeople({ givenName }, person)) return { person, notes };
	const note = `${called(person)} may be another person than ${personName(row)}`;
	return { person, notes: [...notes, note] };
}

function isActive(person: IDataObject): boolean {
	return !isArchived(person);
}

function theOnly(people: IDataObject[]): Chosen {
	if (people.length === 1) return { person: people[0], notes: [] };
	const owners = people.map(
		(person) => `${nameAndId(person)} has ${emailsOf(person).join(' and ')}`,
	);
	throw new ExplainedError(
		`The addresses of this row belong to ${people.length} people: ${owners.join('; ')}`,
		'Put the address of the right person first, or leave the others out. Nothing was written',
		{ code: 'several-match' },
	);
}

function called(person: IDataObject): string {
	return personName(person) || nameAndId(person);
}

function isSamePerson(one: IDataObject, other: IDataObject | undefined): boolean {
	return other !== undefined && shownId(one, contract) === shownId(other, contract);
}

const NOUNS = {
	email: 'e-mail address',
	networkId: 'network ID',
	phoneNumber: 'phone number',
};

function anotherName({ value }: Match, owner: IDataObject, row: IDataObject) {
	const kind = KINDS.find((one) =>
		textsOf(owner, one).some((text) => isSameIdentifier(text, value)),
	);
	return new ExplainedError(
		`${value} belongs to ${called(owner)}; the row names ${personName(row)}`,
		`Correct the name or the ${NOUNS[kind ?? 'email']}. If it is one person, set Options > When the Name Differs to Update. Nothing was written`,
		{ code: 'refused' },
	);
}

/**
 * Returns a body without the e-mail addresses of other active people, and a note for each address left out. If no
 * address remains, the body no longer has the list.
 *
 * @param own the person to write; undefined for a new person
 * @param people newest reads of all people who may have one of the addresses
 */
export function withoutOthersAddresses(
	body: IDataObject,
	own: IDataObject | undefined,
	people: readonly IDataObject[],
): { body: IDataObject; notes: string[] } {
	const { emailAddresses: given, ...rest } = body;
	if (!Array.isArray(given)) return { body, notes: [] };
	const present = new Set(own ? emailsOf(own).map(identifierKey) : []);
	const notes: string[] = [];
	const left = (given as IDataObject[]).filter(({ email }) => {
		if (typeof email !== 'string' || present.has(identifierKey(email))) return true;
		const owner = people.find(
			(person) =>
				!isSamePerson(person, own) &&
				isActive(person) &&
				emailsOf(person).some((address) => isSameIdentifier(address, email)),
		);
		if (owner) notes.push(`${email} belongs to ${called(owner)} and is left out`);
		return !owner;
	});
	if (notes.length === 0) return { body, notes };
	return { body: left.length > 0 ? { ...rest, emailAddresses: left } : rest, notes };
}
