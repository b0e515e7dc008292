import fc from 'fast-check';
import { isMatch, withMatch } from '../../../nodes/ContactTaskCrm/lookups/people/match';

const withEmails = (...emails: Array<string | null>) => ({
	emailAddresses: emails.map((email) => ({ email })),
});
const withPhone = (phoneNumber: string | null) => ({
	phoneNumbers: [{ phoneNumber, phoneType: 'work' }],
});

describe('a person matches by e-mail', () => {
	it.each(['jan@example.com', 'JAN@Example.com', '  jan@example.com '])(
		'%p in any case',
		(value) => {
			expect(isMatch(withEmails('other@example.com', 'Jan@example.COM '), 'email', value)).toBe(
				true,
			);
		},
	);

	it.each(['an@example.com', 'jan@example.co', 'jan@example.com.nl', 'example.com', '@'])(
		'but not by %p, which is a part or more',
		(value) => {
			expect(isMatch(withEmails('jan@example.com'), 'email', value)).toBe(false);
		},
	);

	it('and by nothing else', () => {
		const person = { networkId: 'jan@example.com', ...withPhone('0201234567') };
		expect(isMatch(person, 'email', 'jan@example.com')).toBe(false);
		expect(isMatch(person, 'email', '0201234567')).toBe(false);
	});

	it.each([
		{},
		{ emailAddresses: null },
		{ emailAddresses: 'x' },
		withEmails(null),
		{ emailAddresses: [null] },
	])('not where there is none: %p', (person) => {
		expect(isMatch(person as Parameters<typeof isMatch>[0], 'email', 'jan@example.com')).toBe(
			false,
		);
	});
});

describe('a person matches by identifier', () => {
	it('by e-mail address or by identifier on a network, in any case', () => {
		expect(isMatch(withEmails('jan@example.com'), 'identifier', 'Jan@Example.com')).toBe(true);
		expect(isMatch({ networkId: 'Jan-Jansen' }, 'identifier', 'jan-jansen')).toBe(true);
		expect(isMatch({ networkId: 'jan-jansen-2' }, 'identifier', 'jan-jansen')).toBe(false);
		expect(isMatch({ networkId: null }, 'identifier', 'null')).toBe(false);
	});

	it.each([
		['+31 20 123 45 67', '+31201234567'],
		['+31 20 123 45 67', '0031-20-1234567'],
		['+31 20 123 45 67', '+31 (0)20 123 45 67'],
		['+31 20 123 45 67', '020-1234567'],
		['+31 20 123 45 67', '(020) 123.45.67'],
		['+31 20 123 45 67', '31201234567'],
		['31201234567', '020 123 4567'],
		['+1 555 123 4567', '(555) 123-4567'],
		['+45 12 34 56 78', '12345678'],
		['020/1234567', '020 123 45 67'],
	])('by phone number, however it is written: %s is %s', (one, other) => {
		expect(isMatch(withPhone(one), 'identifier', other)).toBe(true);
		expect(isMatch(withPhone(other), 'identifier', one)).toBe(true);
	});

	it.each([
		['another town', '020-1234567', '030-1234567'],
		['another country', '+31 20 123 45 67', '+32 20 123 45 67'],
		['another country, 00 for +', '+31 20 123 45 67', '0032 20 123 45 67'],
		['another town, with the country code', '+31 20 123 45 67', '030-1234567'],
		['a number that ends alike', '+31 20 123 45 67', '+20 123 45 67'],
		['a much longer number', '99999201234567', '020-1234567'],
		['too few digits to tell', '020-1234567', '123 45 67'],
		['another country, where one lacks the mark of it', '31 20 123 45 67', '+20 123 45 67'],
		['a number with letters', '020-1234567', '020-1234567 ext'],
		['none', '', '020-1234567'],
	])('but not by the number of %s', (_, one, other) => {
		expect(isMatch(withPhone(one), 'identifier', other)).toBe(false);
		expect(isMatch(withPhone(other), 'identifier', one || 'x')).toBe(false);
	});

	it('not by a number that is missing', () => {
		expect(isMatch(withPhone(null), 'identifier', '020-1234567')).toBe(false);
	});
});

describe('a person to be created', () => {
	it('carries the value that was looked for, so that the next time finds them', () => {
		fc.assert(
			fc.property(
				fc.constantFrom('jan@example.com', ' Jan@Example.com', '+31 20 1234567', 'jan-jansen'),
				fc.constantFrom<Record<string, never>>(
					{},
					withEmails('work@example.com') as never,
					withPhone('030-7654321') as never,
				),
				(value, fields) => {
					const matchBy = value.includes('@') ? 'email' : 'identifier';
					const person = withMatch({ familyName: 'Jansen', ...fields }, matchBy, value);
					expect(isMatch(person, matchBy, value)).toBe(true);
					expect(person.familyName).toBe('Jansen');
				},
			),
		);
	});

	it('keeps the addresses and numbers that were given beside it', () => {
		expect(withMatch(withEmails('work@example.com'), 'email', 'jan@example.com')).toEqual(
			withEmails('work@example.com', 'jan@example.com'),
		);
		expect(withMatch(withPhone('030-7654321'), 'identifier', '020-1234567').phoneNumbers).toEqual([
			{ phoneNumber: '030-7654321', phoneType: 'work' },
			{ phoneNumber: '020-1234567', phoneType: null },
		]);
	});

	it('is left as it is where it carries the value already, or says another identifier', () => {
		const person = withEmails('JAN@example.com');
		expect(withMatch(person, 'email', 'jan@example.com')).toBe(person);
		expect(withMatch({ networkId: 'x' }, 'identifier', 'jan-jansen')).toEqual({ networkId: 'x' });
	});
});
