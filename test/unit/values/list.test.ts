import { cleanEntry } from '../../../nodes/ContactTaskCrm/values/identifier';
import { bracketedIn, contactsIn, fieldNamesIn } from '../../../nodes/ContactTaskCrm/values/list';
import { amountOf } from '../../../nodes/ContactTaskCrm/values/number';

it('In a text of more than 10,000 characters, each new line separates contacts', () => {
	const addresses = Array.from({ length: 700 }, (_, index) => `person${index}@crm.example`);
	const contacts = [...addresses, '612345678'];
	expect(contactsIn(contacts.join('\n'))).toEqual(contacts);
	expect(contactsIn('eva@crm.example\n612345678')).toEqual(['eva@crm.example\n612345678']);
});

it.each<[string, unknown[] | undefined]>([
	['[{"email":"eva@crm.example"}]', [{ email: 'eva@crm.example' }]],
	['{"email":"eva@crm.example"}', [{ email: 'eva@crm.example' }]],
	['[eva@crm.example;jan@crm.example]', ['eva@crm.example', 'jan@crm.example']],
	['{eva@crm.example,jan@crm.example}', ['eva@crm.example', 'jan@crm.example']],
	['eva@crm.example', undefined],
])('The node reads the entries of the list %s', (text, entries) => {
	expect(bracketedIn(text)).toEqual(entries);
});

it.each([
	[
		['email ', 7, { name: 'title' }, true, null],
		['email', '7'],
	],
	['email, title', ['email', 'title']],
	['["email", 7]', ['email', '7']],
	[7, ['7']],
	[undefined, []],
])('The node reads names of fields from the value %j', (value, names) => {
	expect(fieldNamesIn(value)).toEqual(names);
});

it.each<[unknown, unknown]>([
	[
		{ email: ' <Eva@crm.example>\u200B', note: ' x ' },
		{ email: 'Eva@crm.example', note: ' x ' },
	],
	[{ email: 7 }, { email: 7 }],
	[' eva@crm.example ', ' eva@crm.example '],
	[null, null],
])('The node cleans only the e-mail address of the entry %j', (entry, clean) => {
	expect(cleanEntry(entry, 'email')).toEqual(clean);
});

it.each<[string, number | undefined]>([
	['€ 1.500,00', 1500],
	['1 500,50 EUR', 1500.5],
	['1.500,-', 1500],
	["-1'500", -1500],
	['0.500', 0.5],
	['-0,125', -0.125],
	['1.500', undefined],
	['1,500', undefined],
	['9.007.199.254.740.993,00', undefined],
	[`€ ${'1'.repeat(60)}`, undefined],
])('The node reads the amount %s as the number %p', (text, amount) => {
	expect(amountOf(text)).toBe(amount);
});
