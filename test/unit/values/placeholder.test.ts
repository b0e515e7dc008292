import {
	isErrorValue,
	isOnlySigns,
	isPlaceholder,
	meansNone,
} from '../../../nodes/ContactTaskCrm/values/placeholder';

/** Returns the names of the parts that a text belongs to. */
const partsOf = (text: string) =>
	Object.entries({ isErrorValue, isOnlySigns, meansNone })
		.filter(([, holds]) => holds(text))
		.map(([name]) => name);

it.each([
	...['NULL', 'null', '(null)', '<null>', '\\N', 'nan', 'NaN', 'undefined'],
	...['#N/A', '#REF!', '#VALUE!', '#NAME?', '#DIV/0!', '#NUM!', '#NULL!'],
	...['#N/B', '#VERW!', '#WAARDE!', '#NAAM?', '#DEEL/0!', '#GETAL!', '#LEEG!'],
	...['#NV', '#BEZUG!', '#WERT!', '#ZAHL!', '#VALEUR!', '#NOM?', '#NOMBRE!', '#NUL!'],
	...['#ERROR!', '#SPILL!', '#CALC!', '#FIELD!', '#BLOCKED!', '#CONNECT!', '#BUSY!', '#UNKNOWN!'],
	...['#GETTING_DATA', 'Loading...', '#N/D', '#N/V', '#I/T'],
	...['#¡VALOR!', '#¡REF!', '#¿NOMBRE?', '#¡DIV/0!', '#¡NUM!', '#¡NULO!', '#VALOR!', '#NÚM!'],
	...['#NULO!', '#VALORE!', '#RIF!', '#NOME?', '#NULLO!', '#ARG!', '#ADR!', '#NAZWA?'],
	...['#DZIEL/0!', '#LICZBA!', '#ZERO!', '#SAKNAS!', '#VÄRDEFEL!', '#REFERENS!', '#NAMN?'],
	...['#DIVISION/0!', '#OGILTIGT!', '#SKÄRNING!', '#VÆRDI!', '#REFERENCE!', '#NAVN?', '#VERDI!'],
	...[' NULL ', '#N/A\u200B', '\uFEFF#REF!'],
])('The text %j is an error value of a program', (text) => {
	expect(partsOf(text)).toContain('isErrorValue');
	expect(isPlaceholder(text)).toBe(true);
});

it.each(['Null', 'NuLL', 'Nan', 'NAN', 'Undefined', '#n/a', '#Wert', 'Nul', 'Nom'])(
	'The text %j is no error value, because a person may have this name',
	(text) => {
		expect(isErrorValue(text)).toBe(false);
	},
);

it.each([
	'-',
	'--',
	'.',
	'?',
	'/',
	'()',
	'…',
	'–',
	'***',
	'@',
	'+',
	'_',
	'\u200B',
	'·',
	'¿?',
	'💥',
])('The text %j has neither letters nor digits, so it counts as no value', (text) => {
	expect(partsOf(text)).toEqual(['isOnlySigns']);
	expect(isPlaceholder(text)).toBe(true);
});

it.each(['a', '1', 'é', 'ß', '李', 'Ω', '١', '-1', '.x'])(
	'The text %j holds a letter or digit, so it is not only punctuation',
	(text) => {
		expect(isOnlySigns(text)).toBe(false);
	},
);

it.each([
	...['n/a', 'N/A', 'N.A.', '(n/a)', '"none"', 'None', 'Null', 'nil', 'Unknown', '<unknown>'],
	...['not set', 'Not Available', 'not provided', 'no e-mail', 'no e\u2011mail', 'No Email!'],
	...['Unassigned', 'Niet toegewezen', 'Nicht zugewiesen', 'Non assigné'],
	...['TBD', 'tbc', 'todo', 'true', 'FALSE', 'N.v.t.', 'n v t', 'niet van toepassing', 'Onbekend'],
	...['geen', 'Géén', 'niet bekend', 'leeg', 'geen e-mail', 'geen nummer', 'k.A.', 'keine Angabe'],
	...['unbekannt', 'nicht vorhanden', 'Inconnu', 'néant', 'non renseigné', "pas d'email"],
	...['pas d’email', 'ｎ／ａ', 'none\u200B', 'none@none.com', 'N/A@n/a.nl', 'unknown@unknown.nl'],
	...['0', '000', '0000000000', '00-00 00', '+000', '1111111111', '99 99 99 99', '11111111'],
	...['https://www.linkedin.com', 'https://www.linkedin.com/', 'https://www.linkedin.com/in/'],
	...['linkedin.com/in', 'www.xing.com/profile/', 'http://crm.example', 'facebook.com/people//'],
])('The text %j means that there is no value', (text) => {
	expect(partsOf(text)).toContain('meansNone');
	expect(isPlaceholder(text)).toBe(true);
});

it.each([
	...['https://www.linkedin.com/in/eva', 'linkedin.com/in/eva', 'https://www.xing.com/profile/Eva'],
	...['https://www.linkedin.com/company/none', 'https://crm.example/eva', 'eva.devries', 'eva'],
	...['0612345678', '+31 6 12345678', '11111112', '1111111', '100000', '00310612345678', '12345'],
	...['NAN-1234', 'NULL-7', 'Nancy', 'Gene', 'Nadia', 'Kai', 'Nilsson', 'Leeghwater', 'Trueman'],
	...["o'brien@x.nl", 'na@nedap.com', 'info@none.com', 'none@crm.example', 'null@x.nl'],
	...['none of them', 'geen idee', 'unknown caller', '#NV-12', 'n/a-1', 'test', 'user'],
])('The text %j is a value, and no placeholder', (text) => {
	expect(partsOf(text)).toEqual([]);
	expect(isPlaceholder(text)).toBe(false);
});
