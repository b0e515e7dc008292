import { DIGITS } from './fingerprint';

const BASE = BigInt(DIGITS.length);
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;
/** What 128 bits take in these digits. */
const UUID_LENGTH = 22;
/** Begins the key of an id that is no UUID. */
const PLAIN = '.';

/**
 * What a member of a segment is remembered under: the id itself in few letters, since whoever is no
 * longer on the list has to be read by it.
 */
export function memberKey(id: string): string {
	if (!UUID.test(id)) return PLAIN + id.replace(/[^A-Za-z0-9]/g, escaped);
	let text = '';
	for (let left = BigInt(`0x${id.replace(/-/g, '')}`); left > 0n; left /= BASE) {
		text = DIGITS.charAt(Number(left % BASE)) + text;
	}
	return text.padStart(UUID_LENGTH, '0');
}

/** The id that `memberKey` made short. */
export function memberId(key: string): string {
	if (key.startsWith(PLAIN)) {
		return key
			.slice(1)
			.replace(/_([\da-f]+)_/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
	}
	let value = 0n;
	for (const digit of key) value = value * BASE + BigInt(DIGITS.indexOf(digit));
	const hex = value.toString(16).padStart(32, '0');
	return [0, 8, 12, 16, 20]
		.map((start, part, starts) => hex.slice(start, starts[part + 1] ?? 32))
		.join('-');
}

function escaped(character: string): string {
	return `_${character.charCodeAt(0).toString(16)}_`;
}
