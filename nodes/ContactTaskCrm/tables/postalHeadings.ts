import { once, sortBy } from 'lodash';
import * as aliases from './postalAliases';
import { OF_PERSON } from './aliases';
import { plainName, plainNames, remembering } from './plainName';
import type { TableColumn } from '../schema/tableColumns';
import type { Taken } from './cell';
import { addressIn } from './wholeAddress';

/*
 * Finds the headings of a postal address. A row may have several addresses. The node takes one of them, and never
 * mixes the parts of two.
 */

type Part = keyof typeof aliases.ADDRESS_PARTS | 'town';
type Kind = keyof typeof aliases.ADDRESS_KINDS;

/** Meaning of a name such as "Street" in a heading. */
interface Meaning {
	part: Part;
	/** Rank among the names of the part. The lowest rank is the best match. */
	rank: number;
	/**
	 * Heading that the row must also have for this meaning. `town` is a city or a postal code. `street` is a part of
	 * the street in the next or previous column. Absent if the meaning needs no other heading.
	 */
	needs?: 'town' | 'street';
	/** Whether a number behind the name counts the lines of one address, as in "Address Line 2". */
	countsLines: boolean;
}

/** Meaning of one heading in a row: a part of an address, and the number and kind of this address. */
interface Place extends Meaning {
	heading: string;
	kind: Kind | undefined;
	/** Number of the address: 2 in "Address 2 City". */
	address: number;
	/** Number behind the name of the part: 2 in "Street 2". It counts lines of a street, or addresses. */
	behind: number;
	/** Whether the heading has two numbers, of the address and of the line: "Address 1: Street 2". */
	hasBoth: boolean;
}

const KINDS = Object.keys(aliases.ADDRESS_KINDS) as Kind[];
const KIND_OF = new Map(
	KINDS.flatMap((kind) =>
		plainNames(aliases.ADDRESS_KINDS[kind]).map((word) => [word, kind] as const),
	),
);
const IN_FRONT = plainNames(aliases.NUMBER_IN_FRONT);
/** Parts that an address has only once. So a row with "City 2" has a second address. */
const ONCE_IN_ADDRESS: readonly Part[] = ['city', 'postalCode', 'town', 'country'];
const OF_TOWN: readonly Part[] = ['city', 'postalCode', 'town'];
const OF_STREET: readonly Part[] = ['street', 'number', 'addition', 'line'];
/** Matches the end of a street with a house number. "Plein 1944" has no house number. */
const HOUSE_NUMBER = /\s\d{1,3}\s?\p{L}?$/u;
const COLUMNS = ['street', 'postalCode', 'city', 'country'] as const;

/**
 * Ranks of the kinds of addresses. The node takes the address with the lowest rank. An address without a word for its
 * kind has rank 1. A kind that is missing here has rank 3. Among equal ranks, the lowest number of an address wins,
 * then the first address in the row.
 */
const RANKS: Partial<Record<Kind, number>> = { primary: 0, billing: 2, shipping: 4, other: 5 };
const rankOf = (kind: Kind | undefined) => (kind === undefined ? 1 : (RANKS[kind] ?? 3));

function meanings(): Map<string, Meaning> {
	const found = new Map<string, Meaning>();
	const lines = plainNames(aliases.NUMBERED_LINES);
	const add = (names: string, part: Part, first: number, needs?: Meaning['needs']) =>
		plainNames(names).forEach((name, index) => {
			const meaning = { part, rank: first + index, countsLines: lines.includes(name) };
			if (!found.has(name)) found.set(name, { ...meaning, ...(needs && { needs }) });
		});
	for (const [part, names] of Object.entries(aliases.ADDRESS_PARTS)) add(names, part as Part, 0);
	add(aliases.WHOLE_ADDRESS, 'street', 100, 'town');
	add(aliases.BESIDE_STREET.number, 'number', 100, 'street');
	add(aliases.BESIDE_STREET.addition, 'addition', 100, 'street');
	return found;
}
const MEANINGS = meanings();
const TOWN: Meaning = { part: 'town', rank: 0, countsLines: false };
/** Pattern of the names for a postal code and a town in one column: "Postcode en plaats", "PLZ/Ort". */
const CODE_AND_TOWN = [aliases.ADDRESS_PARTS.postalCode, aliases.AND, aliases.ADDRESS_PARTS.city]
	.map((names, index) => `(?:${plainNames(names).join('|')})${index === 1 ? '?' : ''}`)
	.join('');

/**
 * Returns the source of a pattern for the plain name of a heading. The pattern finds the kind of an address, the part
 * and the numbers. "#" stands for a number from 2. A number in front of the part counts addresses.
 *
 * @param names plain names of parts
 */
function patternOf(names: readonly string[]): string {
	const kinds = [...KIND_OF.keys()].join('|');
	const words = plainNames(aliases.ADDRESS_WORDS).join('|');
	const noun = plainNames(OF_PERSON).join('|');
	const before = `(?<noun>${noun})?(?<first>${kinds})?(?<e1>#)?(?:${words})?(?<e2>#)?(?<second>${kinds})?(?<e3>#)?`;
	const after = `(?<l1>#)?(?:${words})?(?<last>${kinds})?(?:${words})?(?<l2>#)?`;
	return `^${before}(?<part>${names.join('|')}|${CODE_AND_TOWN})${after}$`;
}

/** Returns the source of a pattern for each `plainName` that certainly means a part of an address. */
export function certainAddressPattern(): string {
	return patternOf([...MEANINGS].filter(([, { needs }]) => !needs).map(([name]) => name));
}

const pattern = once(() => new RegExp(patternOf([...MEANINGS.keys()])));
/** Numbers in the heading of a column that holds both lines of an address: "Address 1&2". */
const BOTH_LINES = /\b1\s*[&+]\s*2\b/;

/** Returns the place of a heading in an address; undefined if the heading belongs to no address. */
const placeOf = remembering((heading: string): Place | undefined => {
	const counted = heading.replace(BOTH_LINES, '');
	const plain = plainName(counted);
	// The pattern counts only for a heading that is no whole name: "Postnummer" is a postal code, and not the number
	// ("nummer") of a postal address.
	const [, bare = '', last] = /^([^#]*)(#?)$/.exec(plain) ?? [];
	const groups = MEANINGS.has(bare) ? { part: bare, l1: last } : pattern().exec(plain)?.groups;
	if (!groups) return undefined;
	const meaning = MEANINGS.get(groups.part ?? '') ?? TOWN;
	const all = (counted.match(/\d+/g) ?? []).map(Number);
	const others = all.filter((number) => number !== 1);
	const {
		e1,
		e2,
		e3,
		l1,
		l2,
		noun,
		first,
		second,
		last: kindBehind,
	}: Partial<Record<string, string>> = groups;
	const [early, late] = [
		[e1, e2, e3],
		[l1, l2],
	].map((some) => some.filter(Boolean).length);
	const isCounted = early! < 2 && late! < 2 && others.length === early! + late!;
	if (!isCounted || all.some((number) => number < 1 || number > 99)) return undefined;
	const kind = KIND_OF.get(first ?? second ?? kindBehind ?? '');
	// An ambiguous name takes no word for a kind or a person. "Postbus" is one word, and not the box ("bus") of a postal
	// address. "Customer Number" is no house number.
	if ((kind || noun) && meaning.needs === 'street') return undefined;
	// Of two numbers, the first counts the address and the second its line: "Address 1: Street 2". A single number
	// before the name of the part counts the address. A single number behind it may count either, and `placesOf`
	// decides.
	const hasBoth = all.length === 2;
	const address = hasBoth || early === 1 ? all[0]! : 1;
	const behind = hasBoth || late === 1 ? all.at(-1)! : 1;
	return { ...meaning, heading, kind, address, behind, hasBoth };
});

/** Returns whether a heading may mean a part of an address. */
export function isOfAddress(heading: string): boolean {
	return placeOf(heading) !== undefined;
}

/**
 * Returns whether a heading is certainly a further line of an address, such as "Address Line 2". Such a heading begins
 * no second address.
 */
export function isFurtherLine(heading: string): boolean {
	const place = placeOf(heading);
	return place?.part === 'street' && place.countsLines && place.behind > 1;
}

/**
 * Returns the headings that may give a row its address, each with its place. A number behind a street counts lines,
 * unless a city, postal code or country has the same number. Beside "City 2", "Address 2" is a second address.
 */
function placesOf(headings: readonly string[]): Place[] {
	const places = headings.flatMap((heading) => placeOf(heading) ?? []);
	const hasTown = places.some(({ part }) => OF_TOWN.includes(part));
	const showing = places.filter(({ part }) => ONCE_IN_ADDRESS.includes(part));
	const shown = new Set(
		showing.map(({ kind, address, behind }) => `${kind} ${Math.max(address, behind)}`),
	);
	const meant = places
		.filter(({ needs }) => needs !== 'town' || hasTown)
		.map((place): Place => {
			const { part, kind, behind, address, countsLines, hasBoth } = place;
			if (behind === 1) return place;
			const isLine = countsLines || hasBoth || !shown.has(`${kind} ${behind}`);
			if (part === 'street' && isLine) return { ...place, part: 'line' };
			return address > 1 ? place : { ...place, address: behind };
		});
	return besideStreet(meant, headings);
}

/** Leaves out ambiguous headings, such as "Nr" and "Bus", if no part of the street is in the column beside them. */
function besideStreet(places: readonly Place[], headings: readonly string[]): Place[] {
	const positions = new Map(headings.map((heading, index) => [heading, index]));
	const positionOf = ({ heading }: Place) => positions.get(heading)!;
	const isSure = ({ needs }: Place) => needs !== 'street';
	const kept = places.filter(isSure);
	const taken = new Set(kept.filter(({ part }) => OF_STREET.includes(part)).map(positionOf));
	const isBeside = (place: Place) => [-1, 1].some((step) => taken.has(positionOf(place) + step));
	const parts = new Set(kept.map(({ part }) => part));
	let open = places.filter((place) => !isSure(place) && !parts.has(place.part));
	for (let found: Place[] = open; found.length > 0; ) {
		found = open.filter(isBeside);
		for (const place of found) taken.add(positionOf(place));
		kept.push(...found);
		open = open.filter((place) => !found.includes(place));
	}
	return kept.sort((one, other) => positionOf(one) - positionOf(other));
}

/**
 * Decides which headings of a row give its address.
 *
 * @param columns columns of the record
 * @param valueOf returns the text that a column takes from the cell under a heading; empty for a blank
 */
export function takePostalAddress(
	columns: readonly TableColumn[],
	headings: readonly string[],
	valueOf: (heading: string, column?: TableColumn) => string,
): Taken[] {
	const columnOf = (part: Part) => columns.find(({ name }) => name === columnNameOf(part));
	if (!columnOf('street')) return [];
	const places = placesOf(headings);
	const hasNumber = places.some(
		({ heading, part }) => part === 'street' && HOUSE_NUMBER.test(valueOf(heading, columnOf(part))),
	);
	const given = places.flatMap((place): Place[] => {
		const { heading, part, needs } = place;
		// Beside "Kade 5", the cell under "Nr" is the number of the row.
		if (hasNumber && part === 'number' && needs === 'street') return [];
		const isBoth = OF_TOWN.includes(part) && addressIn(valueOf(heading))?.street === '';
		if (isBoth) return [{ ...place, part: 'town' }];
		const value = part === 'town' ? '' : valueOf(heading, columnOf(part));
		// A country without a letter is a dialling code, such as "+31", and does not count.
		return (part === 'country' ? /\p{L}/u.test(value) : value !== '') ? [place] : [];
	});
	const none = { beaten: [], further: [], deciding: [] };
	const isWhole = (heading: string) =>
		placeOf(heading)?.part === 'street' && !!addressIn(valueOf(heading))?.street;
	const hasTown = given.some(({ part }) => OF_TOWN.includes(part));
	const whole = hasTown ? undefined : headings.find(isWhole);
	const chosen = oneAddress(places, given);
	const split = whole ?? chosen.find(({ part }) => part === 'town')?.heading;
	const parts = split && addressIn(valueOf(split));
	return COLUMNS.flatMap((name): Taken[] => {
		const column = columnOf(name)!;
		const own = chosen.filter(({ part }) => part === name);
		const isOfSplit = parts && parts[name] && (whole || own.length === 0);
		if (isOfSplit) return [{ ...none, column, best: [split], parts }];
		if (name === 'street') return takenStreet(column, chosen);
		return own.length === 0 ? [] : [{ ...none, ...takenBest(own), column }];
	});
}

/**
 * Chooses one address of a row by `RANKS`, and returns its headings with a value. Prefers an address with a street,
 * postal code or city.
 *
 * @param places all headings of addresses
 * @param given headings of addresses with a value in their cells
 */
function oneAddress(places: readonly Place[], given: readonly Place[]): Place[] {
	const groupOf = ({ kind, address }: Place) => `${kind} ${address}`;
	const whole = given.filter(({ part }) => isEssential(part));
	const order = ({ kind, address }: Place) => 1e3 * rankOf(kind) + address;
	const [best] = sortBy(whole.length > 0 ? whole : given, order);
	if (!best) return [];
	const own = given.filter((place) => groupOf(place) === groupOf(best));
	// Headings with and without a kind may give one address: "Work Address" with "City", or "Home Street" with
	// "Country". The headings decide about this, and not the cells, because a cell may be blank.
	const plain = groupOf({ ...best, kind: undefined, address: 1 });
	const labelled = [...new Set(places.map(groupOf))].filter((name) => name !== plain);
	const other = groupOf(best) === plain ? labelled[0] : plain;
	const inGroup = (name = '') => places.filter((place) => groupOf(place) === name);
	const isPart = !inGroup(plain).some(({ part }) => isEssential(part));
	const columnsOf = (name?: string) => inGroup(name).map(({ part }) => columnNameOf(part));
	const overlaps = columnsOf(other).some((name) => columnsOf(groupOf(best)).includes(name));
	if (overlaps || !(labelled.length === 1 || (isPart && other === plain))) return own;
	return [...own, ...given.filter((place) => groupOf(place) === other && place.address === 1)];
}

function isEssential(part: Part): boolean {
	return part === 'street' || OF_TOWN.includes(part);
}

function columnNameOf(part: Part): string {
	return OF_STREET.includes(part) ? 'street' : part;
}

/** Splits the headings of one field of an address: those of the best rank, and the others. */
function takenBest(places: readonly Place[]) {
	const lowest = Math.min(...places.map(({ rank }) => rank));
	const headings = (isBest: boolean) =>
		places.filter(({ rank }) => (rank === lowest) === isBest).map(({ heading }) => heading);
	return { best: headings(true), beaten: headings(false) };
}

/** Returns the headings that give the street: its name, its house number with an addition, and further lines. */
function takenStreet(column: TableColumn, places: readonly Place[]): Taken[] {
	const of = (wanted: Part) => places.filter(({ part }) => part === wanted);
	const streets = of('street');
	const sure = streets.filter(({ needs }) => !needs);
	const { best, beaten } = takenBest(sure.length > 0 ? sure : streets);
	// A house number without a street is useless.
	if (best.length === 0) return [];
	const isInFront = ({ heading }: Place) =>
		IN_FRONT.includes(plainName(heading)) &&
		places.findIndex((place) => place.heading === heading) <
			places.findIndex((place) => place.heading === best[0]);
	const numbers = of('number');
	const behind = [...numbers.filter((place) => !isInFront(place)), ...of('addition')];
	const lines = of('line').sort((one, other) => one.behind - other.behind);
	const names = (some: readonly Place[]) => some.map(({ heading }) => heading);
	return [
		{
			...{ column, best, beaten, deciding: [] },
			inFront: names(numbers.filter(isInFront)),
			further: names([...behind, ...lines]),
		},
	];
}
