import {
	comparedAs,
	isInfix,
	isSalutation,
	isSameFullName,
	restOfName,
	splitName,
	withoutInfix,
} from '../../../nodes/ContactTaskCrm/values/fullName';

/** Returns the parts as text: title|given name or initials|family name. */
const parts = (text: string, order = {}) => {
	const { honorificPrefix = '', givenName, initials, familyName, isWhole } = splitName(text, order);
	return isWhole
		? `${honorificPrefix}|whole|${familyName}`
		: `${honorificPrefix}|${givenName ?? `(${initials})`}|${familyName}`;
};

describe('a full name', () => {
	it.each([
		['Kees Visser', '|Kees|Visser'],
		['Visser, Kees', '|Kees|Visser'],
		['  Kees   Visser ', '|Kees|Visser'],
		['Jan de Vries', '|Jan|de Vries'],
		['Jan De Vries', '|Jan|De Vries'],
		['Vries, Jan de', '|Jan|de Vries'],
		['de Vries, Jan', '|Jan|de Vries'],
		['Anna van der Berg', '|Anna|van der Berg'],
		["Piet van 't Hof", "|Piet|van 't Hof"],
		['Piet in ’t Veld', '|Piet|in ’t Veld'],
		['Jan v.d. Berg', '|Jan|v.d. Berg'],
		['Ludwig von Mies', '|Ludwig|von Mies'],
		['Lea zu Gutenberg', '|Lea|zu Gutenberg'],
		['Marie de la Tour', '|Marie|de la Tour'],
		['Jean-Luc Dupont-Moretti', '|Jean-Luc|Dupont-Moretti'],
		['Visser, Anna Maria', '|Anna Maria|Visser'],
		['Dhr. Kees Visser', 'Dhr.|Kees|Visser'],
		['Mevr. dr. Anna de Wit', 'Mevr. dr.|Anna|de Wit'],
		['De heer J. de Vries', 'De heer|(J.)|de Vries'],
		['Mr John Smith', 'Mr|John|Smith'],
		['Frau Lea Müller', 'Frau|Lea|Müller'],
		['Herr Prof. Dr. Max Groß', 'Herr Prof. Dr.|Max|Groß'],
		['Mme Claire Petit', 'Mme|Claire|Petit'],
		['Müller, Frau Lea', 'Frau|Lea|Müller'],
		['J. Visser', '|(J.)|Visser'],
		['J.P. Visser', '|(J.P.)|Visser'],
		['J. P. de Vries', '|(J. P.)|de Vries'],
		['Visser, J.P.', '|(J.P.)|Visser'],
		['DUPONT Marie', '|Marie|DUPONT'],
		["Sinéad O'Brien", "|Sinéad|O'Brien"],
		['Prof. dr. A.B. van der Waals', 'Prof. dr.|(A.B.)|van der Waals'],
		['E.K. Visser', '|(E.K.)|Visser'],
		['Visser, A.B. de', '|(A.B.)|de Visser'],
		['Anna Bakker-de Wit', '|Anna|Bakker-de Wit'],
		['Anna de Bakker-van der Wit', '|Anna|de Bakker-van der Wit'],
		['Dr. med. Hans Meier', 'Dr. med.|Hans|Meier'],
		['Dr. h.c. Hans Meier', 'Dr. h.c.|Hans|Meier'],
		['Dipl.-Ing. Lea Groß', 'Dipl.-Ing.|Lea|Groß'],
	])('The node splits the full name %j into the parts %s', (text, expected) => {
		expect(parts(text)).toBe(expected);
	});

	it.each([
		['Visser', '|whole|Visser'],
		['van Dijk', '|whole|van Dijk'],
		['De Vries', '|whole|De Vries'],
		['Dhr. Visser', 'Dhr.|whole|Visser'],
		['Anna Maria Visser', '|whole|Anna Maria Visser'],
		['Anna Maria de Vries', '|whole|Anna Maria de Vries'],
		['Jan en Anna Visser', '|whole|Jan en Anna Visser'],
		['Jan & Anna', '|whole|Jan & Anna'],
		['Fam. Visser', '|whole|Fam. Visser'],
		['Dhr. en Mevr. Visser', '|whole|Dhr. en Mevr. Visser'],
		['Visser B.V.', '|whole|Visser B.V.'],
		['Acme GmbH', '|whole|Acme GmbH'],
		['Acme, Inc.', '|whole|Acme, Inc.'],
		['ACME S.A.', '|whole|ACME S.A.'],
		['John Smith Jr.', '|whole|John Smith Jr.'],
		['Visser, MSc', '|whole|Visser, MSc'],
		['Visser, Jan, Delft', '|whole|Visser, Jan, Delft'],
		['Agent 007', '|whole|Agent 007'],
		['kees@x.example', '|whole|kees@x.example'],
		['Visser (Kees)', '|whole|Visser (Kees)'],
		['李明', '|whole|李明'],
	])('The node does not split %j into given and family name', (text, expected) => {
		expect(parts(text)).toBe(expected);
	});

	it('The node does not split a full name of a million characters', () => {
		const long = 'x '.repeat(500_000).trim();
		expect(splitName(long)).toEqual({ familyName: long, isWhole: true });
	});

	it('The heading decides if the family name comes first, and if "M." means Monsieur', () => {
		expect(parts('Dupont Marie', { isFamilyFirst: true })).toBe('|Marie|Dupont');
		expect(parts('Dupont Marie Anne', { isFamilyFirst: true })).toBe('|whole|Dupont Marie Anne');
		expect(parts('M. Paul Petit', { isFrench: true })).toBe('M.|Paul|Petit');
		expect(parts('M. Petit')).toBe('|(M.)|Petit');
	});
});

it.each([
	['Jan de Vries', 'Jan', 'de Vries'],
	['JAN de Vries', 'jan', 'de Vries'],
	['Anna Maria Visser', 'Anna Maria', 'Visser'],
	['Vries, Jan de', 'Jan', 'de Vries'],
	['Bos, P.', 'Piet', 'Bos'],
	['Bos, K.', 'Piet', undefined],
	['Visser', 'Jan', undefined],
	['Jan', 'Jan', undefined],
	['Janneke Visser', 'Jan', undefined],
	['Jan Visser', '', undefined],
])(
	'The full name %j without the given name %j leaves the family name %s',
	(text, givenName, rest) => {
		expect(restOfName(text, givenName)).toBe(rest);
	},
);

it.each([
	'Mr',
	'mrs.',
	'Dhr.',
	'Mevrouw',
	'De heer',
	'Frau',
	'Mme',
	'M.',
	'Prof. dr. ir.',
	'Mr & Mrs',
])('The text %s counts as a salutation', (text) => expect(isSalutation(text)).toBe(true));
it.each(['CEO', 'Director', 'Mr Smith', 'Head of Sales', 'van der', 'De', 'Mr '.repeat(70), ''])(
	'The text %j does not count as a salutation',
	(text) => expect(isSalutation(text)).toBe(false),
);
it.each(['van', 'van der', 'von', 'de la', "van 't", 'V.d.'])(
	'The text %s counts as a name infix, such as "van"',
	(text) => expect(isInfix(text)).toBe(true),
);
it.each(['Dr.', 'Berg', 'van der Berg', 'J.', 'D.', ''])(
	'The text %j does not count as a name infix',
	(text) => expect(isInfix(text)).toBe(false),
);

it('A family name loses an infix, such as "de", that has its own column', () => {
	expect(withoutInfix('de Vries', 'De')).toBe('Vries');
	expect(withoutInfix('Vries', 'de')).toBe('Vries');
	expect(withoutInfix('de', 'de')).toBe('de');
});

it('Two spellings of a full name are equal; names with another word differ', () => {
	expect(isSameFullName('José van-Dijk', 'jose  Van Dijk')).toBe(true);
	expect(isSameFullName('Jan Smit', 'Jan Smits')).toBe(false);
});

it("After a salutation, the node compares a name's first word and its rest separately", () => {
	expect(comparedAs('Mevr. Anna Maria Visser')).toEqual({
		givenName: 'Anna',
		familyName: 'Maria Visser',
	});
	expect(comparedAs('Visser Holding Delft')).toEqual({});
	expect(comparedAs('Visser')).toEqual({});
	expect(comparedAs(`Eva ${'Visser '.repeat(40)}`)).toEqual({});
});

it.each(
	[
		...['Visser B.V.', 'Visser NV', 'Visser VOF', 'Visser CV', 'Visser BVBA', 'Visser SPRL'],
		...['Visser SRL', 'Visser GmbH', 'Visser mbH', 'Visser KGaA', 'Visser OHG', 'Visser GbR'],
		...['Visser Ltd', 'Visser Limited', 'Visser LLC', 'Visser LLP', 'Visser Inc.', 'Visser Corp'],
		...['Visser Corporation', 'Visser Company', 'Visser PLC', 'Visser SAS', 'Visser SASU'],
		...['Visser SARL', 'Visser EURL', 'Visser Oyj', 'Visser ApS', 'Visser Pty', 'Visser Holding'],
		...['Firma Visser', 'Visser Group', 'Visser Groep', 'Visser Gruppe', 'Groupe Visser'],
		...['Stichting Visser', 'Vereniging Visser', 'Stiftung Visser', 'Verein Visser'],
		...['Visser Association', 'Fondation Visser', 'Visser Foundation', 'Maatschap Visser'],
		...['Gemeente Visser', 'Kerk Visser', 'School Visser', 'Praktijk Visser', 'Bakkerij Visser'],
		...['Garage Visser', 'Hotel Visser', 'Restaurant Visser', 'Cafe Visser', 'Apotheek Visser'],
		...['Bureau Visser', 'Studio Visser', 'Team Visser', 'Afdeling Visser', 'Fam. Visser'],
		...['Familie Visser', 'Visser Family', 'Famille Visser', 'Eheleute Visser', 'Erven Visser'],
		...['Weduwe Visser', 'Wed. Visser', 'Visser Plus', 'Visser Jr.', 'Visser Junior'],
		...['Visser Senior', 'Visser II', 'Visser III', 'Visser IV', 'Visser PhD', 'Visser MBA'],
		...['Visser MSc', 'Visser BSc', 'Visser LLM'],
	].map((text) => [text]),
)('The node splits no name with a company, family or suffix word: %s', (text) => {
	expect(parts(text)).toBe(`|whole|${text}`);
});
