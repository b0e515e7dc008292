import type { IDataObject } from 'n8n-workflow';
import fc from 'fast-check';
import type { Character } from '../judge/world';

/** What another program does in the middle of a run. */
export type Interference =
	| { kind: 'none' }
	/** Changes a field that the file does not have, before the n-th request. */
	| { kind: 'change'; person: number; nth: number }
	/** Removes somebody, before the n-th request. */
	| { kind: 'remove'; person: number; nth: number }
	/** A second run of the node brings some rows of the file at the same time. */
	| { kind: 'secondRun'; rows: number[] };

export interface ImportCase {
	characters: Character[];
	/** People of whom the file knows nothing. */
	others: number;
	rows: IDataObject[];
	severalValues: 'any' | 'all' | 'last' | 'dropped' | 'refused' | 'more';
	matchBy: 'email' | 'identifier';
	/** How many rows others bring before, who made the service known to the node. */
	isServiceKnown: boolean;
	interference: Interference;
}

const KNOWN = Array.from({ length: 12 }, (_, index) => `known${index}@crm.example`);
const NEW = Array.from({ length: 40 }, (_, index) => `new${index}@crm.example`);

const one = <T>(values: readonly T[]) => fc.constantFrom(...values);

const spelled = (address: fc.Arbitrary<string>) =>
	fc
		.tuple(address, one(['as it is', 'capitals', 'spaces'] as const))
		.map(([text, how]) =>
			how === 'capitals' ? text.toUpperCase() : how === 'spaces' ? ` ${text} ` : text,
		);

/** Mostly addresses; now and then nothing, or something that is none. */
const address = fc.oneof(
	{ weight: 8, arbitrary: spelled(one([...KNOWN, ...NEW])) },
	{ weight: 1, arbitrary: one(['', '  ', '-', 'not an address', null]) },
);

const row: fc.Arbitrary<IDataObject> = fc.record({
	email: address,
	job: one(['Buyer', 'Chef', 'Cook', '', null]),
	familyName: fc.oneof({ weight: 6, arbitrary: fc.constant('Jansen') }, one(['', ' '])),
	second: fc.oneof({ weight: 5, arbitrary: fc.constant('') }, spelled(one([...KNOWN, ...NEW]))),
	tag: fc.nat(4),
});

const character = (index: number): fc.Arbitrary<Character> =>
	fc.record({
		// Two people of one address now and then: they are named, and nobody is guessed.
		emails: fc
			.tuple(fc.boolean(), fc.nat(30))
			.map(([isCapital, chance]) => [
				isCapital ? KNOWN[index].toUpperCase() : KNOWN[index],
				...(chance === 0 ? [KNOWN[(index + 1) % KNOWN.length]] : []),
			]),
		phones: fc.constant([]),
		network: fc.constant(null),
		tags: fc.uniqueArray(fc.nat(4), { maxLength: 3 }),
		segments: fc.constant([]),
		owner: fc.constant(null),
		archived: fc.boolean(),
	});

const interference: fc.Arbitrary<Interference> = fc.oneof(
	fc.constant({ kind: 'none' } as const),
	fc.record({
		kind: one(['change', 'remove'] as const),
		person: fc.nat(KNOWN.length - 1),
		nth: fc.integer({ min: 1, max: 40 }),
	}),
	fc.record({
		kind: fc.constant('secondRun' as const),
		rows: fc.uniqueArray(fc.nat(99), { minLength: 1, maxLength: 30 }),
	}),
);

/** Of two runs at once, the order of their rows is open: rows that come to the same in any order. */
const inAnyOrder = (rows: IDataObject[]) =>
	rows.map((given) => ({ ...given, job: 'Buyer', familyName: 'Jansen', second: '' }));

const anyCase: fc.Arbitrary<ImportCase> = fc.record({
	characters: fc
		.integer({ min: 0, max: KNOWN.length })
		.chain((count) => fc.tuple(...Array.from({ length: count }, (_, index) => character(index)))),
	others: one([0, 1, 2, 5, 40, 120]),
	rows: fc.oneof(
		fc.array(row, { minLength: 1, maxLength: 6 }),
		fc.array(row, { minLength: 7, maxLength: 60 }),
	),
	severalValues: one(['any', 'all', 'last', 'dropped', 'refused', 'more'] as const),
	matchBy: one(['email', 'identifier'] as const),
	isServiceKnown: fc.boolean(),
	interference,
});

/** An import: a file, a tenant, how the service understands several values, and what others do meanwhile. */
export const anyImport: fc.Arbitrary<ImportCase> = anyCase.map((drawn) =>
	drawn.interference.kind === 'secondRun' ? { ...drawn, rows: inAnyOrder(drawn.rows) } : drawn,
);
