import type { Faker } from '@faker-js/faker';
import { faker as arabic } from '@faker-js/faker/locale/ar';
import { faker as english } from '@faker-js/faker/locale/en';
import { faker as french } from '@faker-js/faker/locale/fr';
import { faker as dutch } from '@faker-js/faker/locale/nl';
import { faker as polish } from '@faker-js/faker/locale/pl';
import { formatTimestamp } from '../timestamps';

/** Languages of people. Most are Dutch, like the tenant's default country. */
export const languages: Faker[] = [dutch, dutch, english, dutch, french, polish, arabic];

export { english as random };

/** Seeds the random values, so that they are the same in every run. */
export function seedRandom(seed: number): void {
	for (const faker of new Set(languages)) faker.seed(seed);
}

const FIRST_DAY = Date.UTC(2025, 0, 6, 8);
const SPAN_MS = 300 * 24 * 3600 * 1000;

/**
 * Returns the creation time of the n-th record. Times are spread over ten months of 2025, and some records share a
 * second.
 */
export function timeOf(index: number, count: number): string {
	const place = index % 10 === 9 ? index - 1 : index;
	return formatTimestamp(FIRST_DAY + Math.floor((place / Math.max(1, count)) * SPAN_MS));
}

/** Returns a time some days after another. */
export function after(time: string, days: number): string {
	return formatTimestamp(Date.parse(time) + days * 24 * 3600 * 1000);
}

/** Returns a value, or null with the probability `share`. */
export function maybe<T>(share: number, make: () => T): T | null {
	return english.datatype.boolean(share) ? make() : null;
}
