import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { isMatch, keysOf, withMatch } from '../../../nodes/ContactTaskCrm/people/match';
import { matchKey } from '../../../nodes/ContactTaskCrm/util/identifiers';

const withEmails = (...emails: Array<string | null>): IDataObject => ({
	emailAddresses: emails.map((email) => ({ email })),
});
const withPhone = (phoneNumber: string | null): IDataObject => ({
	phoneNumbers: [{ phoneNumber, phoneType: 'work' }],
});

describe('a person matches by e-mail address', () => {
	it.each<[string, IDataObject, boolean]>([
		['JAN@Example.com', withEmails('other@example.com', 'Jan@example.COM '), true],
		['  jan@example.com ', withEmails('Jan@example.com'), true],
		['an@example.com', withEmails('jan@example.com'), false],
		['jan@example.com.nl', withEmails('jan@example.com'), false],
		['jan@example.com', { networkId: 'jan@example.com' }, false],
		['0201234567', withPhone('0201234567'), false],
		['jan@example.com', { emailAddresses: 'jan@example.com' }, false],
		['null', withEmails(null), false],
	])('%j: %j is %p', (value, person, isOne) => {
		expect(isMatch(person, 'email', value)).toBe(isOne);
	});
});

describe('a person matches by identifier', () => {
	it.each<[string, IDataObject, boolean]>([
		['Jan@Example.com', withEmails('jan@example.com'), true],
		['jan-jansen', { networkId: 'Jan-Jansen' }, true],
		['jan-jansen', { networkId: 'jan-jansen-2' }, false],
		['null', { networkId: null }, false],
		['020-1234567', withPhone(null), false],
	])('%j: %j is %p', (value, person, isOne) => {
		expect(isMatch(person, 'identifier', value)).toBe(isOne);
	});

	const SPELLINGS = ['+31201234567', '0031-20-1234567', '+31 (0)20 123 45 67', '(020) 123.45.67'];
	const OTHERS = ['+32 20 123 45 67', '0032 20 123 45 67', '030-1234567', '+20 123 45 67'];
	const is = (isSame: boolean) => (other: string) => ['+31 20 123 45 67', other, isSame] as const;

	it.each([
		...[...SPELLINGS, '31201234567'].map(is(true)),
		...OTHERS.map(is(false)),
		['31201234567', '020 123 4567', true] as const,
		['+1 555 123 4567', '(555) 123-4567', true] as const,
		['+45 12 34 56 78', '12345678', true] as const,
		['99999201234567', '020-1234567', false] as const,
		['020-1234567', '123 45 67', false] as const,
		['31 20 123 45 67', '+20 123 45 67', false] as const,
		['020-1234567', '020-1234567 ext', false] as const,
	])('by phone number, however it is written: %s is %s: %p', (one, other, isSame) => {
		expect(isMatch(withPhone(one), 'identifier', other)).toBe(isSame);
		expect(isMatch(withPhone(other), 'identifier', one)).toBe(isSame);
	});
});

describe('a person to be created', () => {
	it('carries the value that was looked for, so that the next time finds them, beside what was given', () => {
		const someFields = fc.constantFrom(
			{},
			withEmails('work@example.com'),
			withPhone('030-7654321'),
			withEmails('JAN@example.com'),
		);
		fc.assert(
			fc.property(
				fc.constantFrom('jan@example.com', ' Jan@Example.com', '+31 20 1234567', 'jan-jansen'),
				someFields,
				(value, fields) => {
					const matchBy = value.includes('@') ? 'email' : 'identifier';
					const person = withMatch({ familyName: 'Jansen', ...fields }, matchBy, value);
					expect(isMatch(person, matchBy, value)).toBe(true);
					expect(keysOf(person)).toContain(matchKey(value));
					for (const key of keysOf(fields)) expect(keysOf(person)).toContain(key);
					expect(person.familyName).toBe('Jansen');
				},
			),
		);
	});

	it('is left as it is where it carries the value already, or says another identifier', () => {
		const person = withEmails('JAN@example.com');
		expect(withMatch(person, 'email', 'jan@example.com')).toBe(person);
		expect(withMatch({ networkId: 'x' }, 'identifier', 'jan-jansen')).toEqual({ networkId: 'x' });
	});
});
