/* eslint-disable @n8n/community-nodes/no-restricted-globals -- reads the seed of the cases from the environment */
import fc from 'fast-check';
import { cleaned } from '../../nodes/ContactTaskCrm/tables/cellRules';
import { contracts } from '../../nodes/ContactTaskCrm/schema';
import { type TableColumn, tableColumnsOf } from '../../nodes/ContactTaskCrm/schema/tableColumns';
import { isEmail } from '../../nodes/ContactTaskCrm/values/email';
import { contactsIn } from '../../nodes/ContactTaskCrm/values/list';
import { amountOf } from '../../nodes/ContactTaskCrm/values/number';
import { isErrorValue, isPlaceholder } from '../../nodes/ContactTaskCrm/values/placeholder';
import { cleanContact } from '../../nodes/ContactTaskCrm/values/text';
import { itInCi, runsOf } from '../support/drawn';

const seed = Number(process.env.SEED ?? 31);
const many = { numRuns: runsOf(6_000), seed };

const all = [contracts.person, contracts.task].flatMap(({ fields }) => tableColumnsOf(fields));
const named = (...names: string[]): TableColumn[] =>
	names.map((name) => all.find((column) => column.name === name)!);
const one = fc.constantFrom;

/** Columns whose values are names, titles and texts of people. */
const anyNameColumn = one(
	...named('familyName', 'givenName', 'additionalName', 'initials', 'city', 'title', 'description'),
);
const anyColumn = one(...all);

const WORD = [
	...['Geen', 'None', 'Null', 'null', 'Nan', 'K.A.', "'t Hart", "D'Arcy", "'s-Hertogenbosch"],
	...["'90s DJ", 'Unknown', 'N/A', 'Todo', 'Vos', 'É', '李', "O'Neill", '2.0', '1012.0', '"Bo"'],
];
const anyName = fc
	.array(one(...WORD), { minLength: 1, maxLength: 3 })
	.map((words) => words.join(' '))
	.filter((name) => !isErrorValue(name) && !['Unknown', 'N/A'].includes(name));

/** Parts of which each is a part of some rule. */
const PARTS = [
	...["'", '"', '=', '="', ':::', ' ::: ', ';', ', ', '\n', ' / ', '.0', '-', '+', '@', '[', ']'],
	...['{', '}', 'NULL', '#N/A', 'n/a', 'None', 'a@x.nl', 'b@y.nl', '06-12345678', '1012', '0', ' '],
	...[
		"'+31612345678",
		"'01012",
		'="CEO"',
		"'t Hart",
		'“',
		'”',
		'<',
		'>',
		'|',
		'\u200B',
		'Ann',
		'""',
	],
];
const anyCell = fc
	.array(one(...PARTS), { minLength: 1, maxLength: 7 })
	.map((parts) => parts.join(''));

it('Cleaning the cells of a table changes no name, town, title or description', () => {
	fc.assert(
		fc.property(anyName, anyNameColumn, (name, column) => {
			expect(cleaned(name, column)).toEqual({ value: name, notes: [] });
		}),
		many,
	);
});

it.each<[string, string[]]>([
	['jobTitle', ["'90s DJ", "'t Hart", '2.0', 'CEO.0', 'None of us', '-1', "'Ka-Tse"]],
	['customerId', ['1012.0', '1012.00', 'A-1', "K'1", '+1', '007', 'N-A']],
	['street', ["'s-Gravenweg 1", "'t Zand 2", 'Kade 1.0', '12A', 'Geenstraat 1']],
	['postalCode', ['1012 AB', '1012', '01012', 'SW1A 1AA', '1012.5']],
	['country', ['NA', 'NL', 'BE', 'CI']],
	['externalSource', ['None', 'unknown', 'n/a', "'90s fair"]],
])('Cleaning the cells of a table changes no valid value of the column %s', (name, texts) => {
	const [column] = named(name);
	for (const text of texts) expect(cleaned(text, column)).toEqual({ value: text, notes: [] });
});

it('Cleaning a table cell that is clean already changes nothing', () => {
	fc.assert(
		fc.property(anyCell, anyColumn, (cell, column) => {
			const { value } = cleaned(cell, column);
			const again = cleaned(value, column);
			expect(again.value).toEqual(value);
			// An unknown country stays, with the same note.
			const isCountry = column.part === 'country';
			if (value !== undefined && !isCountry) expect(again.notes).toEqual([]);
		}),
		many,
	);
});

it('If cleaning changes or drops the text of a cell, it gives a note', () => {
	fc.assert(
		fc.property(anyCell, anyColumn, (cell, column) => {
			const { value, notes, blanked } = cleaned(cell, column);
			const isSame = value === cell || Array.isArray(value);
			const isBlank = /^[\s\u200B;,:"/]*$/.test(cell);
			if (!isSame && !isBlank) expect(notes.length).toBeGreaterThan(0);
			if (value === undefined && !isBlank) expect(blanked).toBeTruthy();
		}),
		many,
	);
});

describe('an e-mail address', () => {
	const anyAtom = fc.string({
		unit: one(...'abcXYZ019éß!#$%&*+-=^_`{|}~'),
		minLength: 1,
		maxLength: 6,
	});
	const anyLabel = fc.string({ unit: one(...'abcXYZ019éü-'), minLength: 1, maxLength: 6 });
	const anyAddress = fc
		.tuple(
			fc.array(anyAtom, { minLength: 1, maxLength: 3 }),
			fc.array(anyLabel, { minLength: 2, maxLength: 3 }),
		)
		.map(([local, domain]) => `${local.join('.')}@${domain.join('.')}`);
	const [email] = named('email');

	it('The node accepts any e-mail address of allowed characters, even accented letters', () => {
		fc.assert(
			fc.property(anyAddress, (address) => {
				expect(isEmail(address)).toBe(true);
			}),
			many,
		);
	});

	it('A table cell with a forbidden character inside an e-mail address gives no address', () => {
		const anySign = one(...' ,()[]<>"?/\\'.split(''), '\t', '..', '@');
		fc.assert(
			fc.property(anyAddress, fc.nat(), anySign, (address, place, sign) => {
				const at = 1 + (place % (address.length - 1));
				const broken = address.slice(0, at) + sign + address.slice(at);
				fc.pre(!cleanContact(broken).includes(address));
				// A part such as "0" or "-" stands for no value, so the rest is an address of its own.
				fc.pre(!broken.split(sign).some(isPlaceholder));
				const found = [cleaned(broken, email).value ?? []].flat().map(String);
				expect(found.map(cleanContact).filter(isEmail)).toEqual([]);
			}),
			many,
		);
	});

	it('From a cell that lists e-mail addresses, an import takes each, but no "n/a"', () => {
		const anyWritten = anyAddress.chain((address) =>
			one(address, `'${address}'`, `"${address}"`, `“${address}”`, ` ${address} `).map((text) => ({
				address,
				text,
			})),
		);
		const anyNothing = one('n/a', '-', 'NULL', '#N/A', 'geen', 'none@none.com').map((text) => ({
			address: undefined,
			text,
		}));
		fc.assert(
			fc.property(
				fc.array(fc.oneof(anyWritten, anyNothing), { minLength: 1, maxLength: 5 }),
				one(';', '; ', ' ::: ', ',', ', ', ' / ', '\n'),
				fc.boolean(),
				(parts, between, isInBrackets) => {
					const text = parts.map((part) => part.text).join(between);
					fc.pre(!isInBrackets || !/[{}]/.test(text));
					const wanted = parts.flatMap(({ address }) => address?.toLowerCase() ?? []);
					const { value } = cleaned(isInBrackets ? `[${text}]` : text, email);
					const found = (value ?? []) as string[];
					expect(found.map((one) => cleanContact(one).toLowerCase())).toEqual([...new Set(wanted)]);
				},
			),
			many,
		);
	});
});

it('From a cell that lists phone numbers, an import takes each, but no "n/a"', () => {
	const [phone] = named('phone');
	const anyNumber = fc.integer({ min: 10_000_000, max: 99_999_999 }).map((end) => `06${end}`);
	const anyWritten = anyNumber.chain((number) =>
		one(number, `'${number}`, `${number}.0`, `'${number}'`).map((text) => ({ number, text })),
	);
	fc.assert(
		fc.property(
			fc.uniqueArray(anyWritten, { minLength: 1, maxLength: 4, selector: ({ number }) => number }),
			one(';', ', ', ' ::: '),
			one('', 'n/a', '-'),
			(parts, between, nothing) => {
				const text = [...parts.map((part) => part.text), nothing].filter(Boolean).join(between);
				const { value } = cleaned(text, phone);
				expect((value as string[]).map((one) => one.trim())).toEqual(
					parts.map(({ number }) => number),
				);
			},
		),
		many,
	);
});

it('The node reads all spellings of an amount alike, and two amounts never alike', () => {
	const anyCents = fc.integer({ min: 0, max: 99_999_999 });
	const group = (whole: string, sign: string) => whole.replace(/\B(?=(\d{3})+$)/g, sign);
	fc.assert(
		fc.property(anyCents, one('€ ', '$', '', 'EUR '), (cents, currency) => {
			const [whole, rest] = (cents / 100).toFixed(2).split('.');
			const spellings = [
				`${currency}${group(whole, '.')},${rest}`,
				`${currency}${group(whole, ',')}.${rest}`,
				`${currency}${group(whole, ' ')},${rest}`,
				`${currency}${group(whole, "'")}.${rest}`,
				`${group(whole, '\u00A0')},${rest} €`,
				`${currency}${whole}.${rest}`,
			];
			for (const text of spellings) expect([text, amountOf(text)]).toEqual([text, cents / 100]);
		}),
		many,
	);
});

itInCi(
	'The node cleans a table cell of 1 MB within ten seconds',
	() => {
		const slow = PARTS.flatMap((part) =>
			named('email', 'phone', 'tags', 'street', 'customerId').filter((column) => {
				const begun = performance.now();
				cleaned(part.repeat(1_000_000 / part.length), column);
				return performance.now() - begun > 10_000;
			}),
		);
		expect(slow.map(({ name }) => name)).toEqual([]);
		expect(contactsIn('a@x.nl;'.repeat(100_000))).toHaveLength(1);
	},
	300_000,
);
