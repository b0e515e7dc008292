/*
 * Reads numbers and amounts from text.
 */

/** Matches a decimal number, perhaps with an exponent. `Number` also reads "0x10", but no user means 16 by it. */
const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/**
 * Reads a text as a number. Returns undefined for other texts, and for a number with too many digits to be exact. Also
 * returns undefined for "1.000", because this text may mean one or a thousand.
 */
export function numberOf(text: string): number | undefined {
	const trimmed = text.trim();
	if (!DECIMAL.test(trimmed) || /^[+-]?\d{1,3}(\.\d{3})+$/.test(trimmed)) return undefined;
	return isExact(Number(trimmed)) ? Number(trimmed) : undefined;
}

const CURRENCY = String.raw`(?:[$€£¥]|[a-z]{2}\$|euros?|EUR|USD|GBP|CHF|CAD|AUD|SEK|NOK|DKK|PLN|kr)`;
const AROUND_AMOUNT = new RegExp(String.raw`^${CURRENCY}\s*|\s*${CURRENCY}$`, 'gi');
/**
 * Matches an optional sign, digits (perhaps in groups of three), and perhaps decimals or a dash for them: "1.500,-".
 */
const AMOUNT = /^([+-]?)(\d{1,3}([.,\s'’])\d{3}(?:\3\d{3})*|\d+)(?:([.,])(\d+|-{1,2}))?$/;

/**
 * Reads an amount as people write it: "€ 1.500,00", "$1,500.00", "1 500,50 EUR", "1'500", "1.500,-". Returns undefined
 * for other texts. Also returns undefined for "1.500" and "1,500": each may mean one and a half, or one thousand five
 * hundred.
 */
export function amountOf(text: string): number | undefined {
	const bare = text.length > 60 ? '' : text.trim().replace(AROUND_AMOUNT, '').trim();
	const [, sign = '', whole, between, point, decimals = ''] = AMOUNT.exec(bare) ?? [];
	if (whole === undefined || (between !== undefined && between === point)) return numberOf(text);
	const groups = between === undefined ? [whole] : whole.split(between);
	const isUnclear = groups.length === 2 && decimals === '' && /[.,]/.test(between!);
	// Groups of thousands do not begin with a zero, so "0.500" is a half.
	if (isUnclear) return groups[0] === '0' ? Number(`${sign}0.${groups[1]}`) : undefined;
	const value = Number(`${sign}${groups.join('')}.${decimals.replace(/-/g, '')}0`);
	return isExact(value) ? value : undefined;
}

/** Returns whether JavaScript holds a number exactly. A whole number with too many digits is not exact. */
export function isExact(value: number): boolean {
	return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}
