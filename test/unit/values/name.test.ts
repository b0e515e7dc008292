import {
	areSurelyTwoPeople,
	mayBeTwoPeople,
	type NameParts,
} from '../../../nodes/ContactTaskCrm/values/name';

const nameOf = (text: string): NameParts => {
	const [givenName, familyName, additionalName] = text.split('|').map((part) => part.trim());
	return { givenName, familyName, additionalName };
};

describe('names that surely belong to two people', () => {
	it.each([
		['Jan | de Vries', 'Sanne | Jansen'],
		['Jan | de Vries', 'Piet | de Jong'],
		['A. | Bakker', 'A. | Visser'],
		['Jan | Vries | de', 'Sanne | Jansen | de'],
		['Kim | Null', 'Lea | Müller'],
		['Eva | unknown', 'Sanne | Jansen'],
	])('The names %s and %s surely belong to two people', (one, other) => {
		expect(areSurelyTwoPeople(nameOf(one), nameOf(other))).toBe(true);
		expect(areSurelyTwoPeople(nameOf(other), nameOf(one))).toBe(true);
	});

	it.each([
		['Jan | de Vries', 'Jan | Jansen'],
		['Jürgen | Müller', 'Juergen | Mueller'],
		['Jürgen | Müller', 'Jurgen | Muller'],
		['Łukasz | Groß', 'Lukasz | Gross'],
		['Søren | Ærø', 'Soren | Aro'],
		['Eva | Vos-Jansen', 'E. | Jansen'],
		['Sinéad | O’Brien', 'Sinead | OBRIEN'],
		['Jan | Vries | de', 'Jan de | Vries'],
		['Eva | -', 'Sanne | Jansen'],
		[' | Vos', 'Sanne | Jansen'],
		['Eva | ', 'Sanne | Jansen'],
		['Vos | Eva', 'Eva | Vos'],
	])('The names %s and %s may belong to one person', (one, other) => {
		expect(areSurelyTwoPeople(nameOf(one), nameOf(other))).toBe(false);
		expect(areSurelyTwoPeople(nameOf(other), nameOf(one))).toBe(false);
	});
});

describe('names that may belong to two people who share an address', () => {
	it.each([
		['Jan | Smit', 'Eva | Vos'],
		['Jan | Smit', 'Jan | Vos'],
		['Jan | Smit', 'Piet | Smit'],
		[' | Smit', 'Eva | Vos'],
		['Kim | Null', 'Kim | Vos'],
	])('The names %s and %s may belong to two people with one address', (row, person) => {
		expect(mayBeTwoPeople(nameOf(row), nameOf(person))).toBe(true);
	});

	it.each([
		['Eva | Vos', 'Eva | Vos'],
		['E. | Vos', 'Eva | Vos'],
		['J.P. | Vos', 'Jan | Vos'],
		['Chris | Vos', 'Christopher | Vos'],
		['Eva | Vos', ' | Vos'],
		['Eva | Vos', ' | -'],
		['Eva | Vos', ' | '],
		['Eva | Vos', 'Eva | Vos-Jansen'],
		['Eva | Vos', 'Eva | unknown'],
		['Kim | Null', 'Kim | Null'],
	])('The names %s and %s with one address belong to one person', (row, person) => {
		expect(mayBeTwoPeople(nameOf(row), nameOf(person))).toBe(false);
	});
});
