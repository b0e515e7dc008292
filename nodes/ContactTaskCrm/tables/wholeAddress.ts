import { countryCode } from '../values/country';
import { cleanText } from '../values/text';

/*
 * Splits a cell with a whole postal address, or with a postal code and a town. A postal code has to stand beside its
 * town. Otherwise, the node would also split streets with a comma.
 */

/** Parts of an address, keyed by the names of their columns. */
export type WholeAddress = Partial<Record<'street' | 'postalCode' | 'city' | 'country', string>>;

const LONGEST = 300;
/** Patterns of postal codes that cannot be a house number: 2611 AA, 10115, 111 22, 00-238, 1000-001, SW1A 2AA. */
const BRITISH = String.raw`[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}`;
const DUTCH = String.raw`\d{4} ?(?:[A-Z]{2}|[a-z]{2})`;
const SURE = String.raw`${DUTCH}|\d{5}|\d{3} \d{2}|\d{2}-\d{3}|\d{4}-\d{3}|${BRITISH}`;
const NAME_OF_TOWN = String.raw`\p{L}[\p{L}\s.'’()/-]*?(?: (?:Cedex|CEDEX)(?: \d{1,2})?)?`;
const SURE_CODE = new RegExp(`^(?:${SURE})$`);
const TOWN = new RegExp(`^${NAME_OF_TOWN}$`, 'u');
const CODE = `${SURE}|\\d{4}(?! ?[A-Za-z]{2}$)`;
const CODE_AND_TOWN = new RegExp(`^(?:[A-Z]{1,2}-)?(${CODE}) (${NAME_OF_TOWN})$`, 'u');
const TOWN_AND_CODE = new RegExp(`^(${NAME_OF_TOWN}) (${BRITISH})$`, 'u');
/** Matches the space before a postal code in an address without commas: "Kade 1 2611 AA Delft". */
const BEFORE_CODE = new RegExp(
	String.raw`(?<=\S) (?=(?:${DUTCH}|\d{5}) \p{L}[^\d,;|\n]*(?: \d{1,2})?(?:$|[,;|\n]))`,
	'u',
);
/** Match a street or a room. "1200 Main Street" and "Apt 4, 1200 Broadway" have a house number, and no postal code. */
const NO_TOWN = /(?:^|\s)(?:street|st|avenue|ave|road|rd|drive|dr|lane|ln|blvd|way|court|ct)\.?$/i;
const ONLY_ROOM = /^(?:apt|apartment|suite|ste|unit|floor|room|#)\b[^,]*$/i;

/** Returns the parts of an address. The street is empty if only a postal code and a town are there. Else undefined. */
export function addressIn(text: string): WholeAddress | undefined {
	if (text.length > LONGEST) return undefined;
	const lines = cleanText(text)
		.replace(BEFORE_CODE, '\n')
		.split(/[^\S\n]*[\n,;|]\s*|\s{2,}/)
		.filter(Boolean);
	const country = lines.length > 1 ? countryCode(lines.at(-1)!) : undefined;
	const own = country === undefined ? lines : lines.slice(0, -1);
	const { town, before } = townAtEnd(own) ?? {};
	if (!town || !before || NO_TOWN.test(town.city)) return undefined;
	const street = before.join(', ');
	if (ONLY_ROOM.test(street)) return undefined;
	return { street, ...town, ...(country && { country }) };
}

/** Returns the postal code and town at the end of an address, and the lines before them. */
function townAtEnd(lines: readonly string[]) {
	const found = (postalCode: string, city: string, before: readonly string[]) => ({
		town: { postalCode, city },
		before,
	});
	const [last = '', previous = ''] = [lines.at(-1), lines.at(-2)];
	const [, code, city] = CODE_AND_TOWN.exec(last) ?? [];
	if (code && city) return found(code, city, lines.slice(0, -1));
	const [, name, british] = TOWN_AND_CODE.exec(last) ?? [];
	if (name && british) return found(british, name, lines.slice(0, -1));
	if (SURE_CODE.test(previous) && TOWN.test(last)) return found(previous, last, lines.slice(0, -2));
	// The letters of a province may stand between the town and its postal code: "Delft  ZH  2611 AA".
	const hasProvince = /^[A-Z]{2,3}$/.test(previous) && lines.length > 3;
	const rest = lines.slice(0, hasProvince ? -2 : -1);
	const town = rest.at(-1) ?? '';
	return SURE_CODE.test(last) && TOWN.test(town) ? found(last, town, rest.slice(0, -1)) : undefined;
}
