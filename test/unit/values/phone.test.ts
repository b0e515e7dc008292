import { person } from '../../../nodes/ContactTaskCrm/schema/person';
import { isSameList } from '../../../nodes/ContactTaskCrm/schema/equality';
import { isSameIdentifier, spellingsOf } from '../../../nodes/ContactTaskCrm/values/identifier';

it.each([
	['+31612345678', '06 12345678', true],
	['+31612345678', '612345678', true],
	['+31612345678', '31612345678', true],
	['0612345678', '31612345678', true],
	['0612345678', '612345678', true],
	['+31 6 12345678', '+49 312345678', false],
	['+31 20 1234567 x12', '020-1234567 ext. 12', true],
	['+31 20 1234567 x12', '020-1234567', false],
	['+31 20 1234567 x12', '020-1234567 x13', false],
	// A number in Norway, and one in Germany.
	['+47 12 34 56 78', '0471 2345678', false],
	['+47 12 34 56 78', '4712345678', true],
	['04712 345678', '4712345678', true],
	// A number in Denmark, and one in Berlin.
	['12345678', '030 12345678', false],
	['+45 12345678', '12345678', true],
	['1234567', '+31 1234567', false],
])('The node takes the phone numbers %s and %s for equal: %p', (one, other, isSame) => {
	expect(isSameIdentifier(one, other)).toBe(isSame);
	expect(isSameIdentifier(other, one)).toBe(isSame);
});

it.each([
	['06 1234 5678', ['06 1234 5678', '+31612345678', '0612345678']],
	['+31 (0)6 1234 5678', ['+31 (0)6 1234 5678', '+31612345678', '0612345678']],
	['612345678', ['612345678', '+612345678', '0612345678', '+31612345678']],
	['31612345678', ['31612345678', '+31612345678', '0612345678', '031612345678']],
	['+49 30 1234567', ['+49 30 1234567', '+49301234567']],
	[
		'020-1234567 toestel 12',
		[
			'020-1234567 toestel 12',
			'+31201234567 x12',
			'0201234567 x12',
			'+31201234567x12',
			'0201234567x12',
		],
	],
])('The node looks for the number %s in the spellings %j', (number, spellings) => {
	expect(spellingsOf(number)).toEqual(spellings);
});

it("Phone lists differ even if one list's number equals both numbers of the other", () => {
	const listed = (...numbers: string[]) =>
		numbers.map((phoneNumber) => ({ phoneNumber, phoneType: null }));
	const [before, after] = [
		listed('612345678', '020-1234567'),
		listed('+31612345678', '+49612345678'),
	];
	expect(isSameList(person.fields.phoneNumbers!, before, after)).toBe(false);
	expect(isSameList(person.fields.phoneNumbers!, before, before)).toBe(true);
});
