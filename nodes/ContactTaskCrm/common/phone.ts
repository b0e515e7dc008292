/** With fewer digits, an identifier could be taken for a phone number. */
export const LEAST_DIGITS = 8;
/** Most digits of a country code. */
const LONGEST_COUNTRY_CODE = 3;
/** Where the country code is missing, that of the country that the interface takes for an address, NL. */
const HOME_COUNTRY_CODE = '31';

/** A phone number, apart from the prefix that depends on where it is dialled from. */
export interface Phone {
	/** Whether a "+" or "00" stood before it, a single "0", or nothing. */
	prefix: 'international' | 'national' | 'none';
	digits: string;
}

/** What a text holds as a phone number; undefined where it holds none. */
export function phoneOf(value: string): Phone | undefined {
	if (!/^[+\d\s().\-/]+$/.test(value.trim())) return undefined;
	// "+31 (0)20" is "+31 20": the zero in brackets is dialled within the country alone.
	const written = value.replace(/^(\s*(?:\+|00).*)\(0\)/, '$1').replace(/[^+\d]/g, '');
	const [, mark, digits] = /^(\+|00|0|)(\d+)$/.exec(written) ?? [];
	if (digits === undefined || digits.length < LEAST_DIGITS) return undefined;
	const prefix = mark === '' ? 'none' : mark === '0' ? 'national' : 'international';
	return { prefix, digits };
}

/**
 * Whether two phone numbers are the same, however they are written. Where one lacks the country code
 * the rest must be equal in full: the last digits alone are the same in many towns and countries.
 */
export function isSamePhone(one: Phone | undefined, other: Phone): boolean {
	if (!one || one.prefix === other.prefix) return one?.digits === other.digits;
	const [short, long] = [one, other].sort((a, b) => a.digits.length - b.digits.length);
	const countryCode = long.digits.length - short.digits.length;
	return (
		long.digits.endsWith(short.digits) &&
		countryCode <= LONGEST_COUNTRY_CODE &&
		(countryCode === 0 || short.prefix !== 'international')
	);
}

/**
 * How a phone number may be written where a service compares texts exactly, the likeliest first. What is
 * found is held against `isSamePhone` all the same, so a spelling too many does no harm.
 */
export function phoneSpellings(phone: Phone): string[] {
	const { prefix, digits } = phone;
	const isHome = prefix !== 'national' && digits.startsWith(HOME_COUNTRY_CODE);
	const abroad = prefix === 'national' ? HOME_COUNTRY_CODE + digits : digits;
	const national = prefix === 'national' || isHome ? digits.slice(isHome ? 2 : 0) : undefined;
	const compact = [`+${abroad}`, `00${abroad}`, abroad];
	if (prefix === 'none') compact.push(`0${digits}`);
	if (national === undefined) return compact;
	const inPairs = `${national.slice(0, 1)} ${national.slice(1).replace(/(\d{2})(?=\d)/g, '$1 ')}`;
	const groups = [national.slice(0, 1), national.slice(1, 5), national.slice(5)];
	return [
		...compact,
		`0${national}`,
		`+${HOME_COUNTRY_CODE} ${groups[0]} ${groups[1]}${groups[2]}`,
		`+${HOME_COUNTRY_CODE} ${groups[0]} ${groups[1]} ${groups[2]}`,
		`0${groups[0]} ${groups[1]} ${groups[2]}`,
		`0${groups[0]} ${groups[1]}${groups[2]}`,
		`0${groups[0]}-${groups[1]}${groups[2]}`,
		`+${HOME_COUNTRY_CODE} ${inPairs}`,
		`0${inPairs}`,
	];
}
