import fc from 'fast-check';
import { ENTRIES } from '../overlaps/company';

/** Numbers of the people. Person 2 (`NEW`) does not exist at the start. */
export const WHO = [0, 1, 2];
export const NEW = 2;

/** A step before the undo: an operation of the run, or a change by a colleague between two operations. */
export type Step = { who: number; cell: Cell } & (
	| { by: 'run'; operation: Operation }
	| { by: 'colleague'; field: Field }
);

/** Values that a step may write. */
interface Cell {
	jobTitle: string;
	city: string;
	tag: string;
	email: string;
	phone: string;
	column: string;
}

const OPERATIONS = [
	...['upsert', 'upsert', 'update', 'update', 'replace', 'addTags', 'removeTags', 'addPhoneNumber'],
	...['addEmailAddress', 'archive', 'unarchive', 'move', 'create'],
] as const;
export type Operation = (typeof OPERATIONS)[number];

const FIELDS = ['jobTitle', 'city', 'tag', 'email', 'phone', 'archivedAt', 'column'] as const;
export type Field = (typeof FIELDS)[number];

/** A run of several operations, with changes by colleagues in between. The test then undoes the run. */
export interface Drawn {
	steps: Step[];
	output: 'simplified' | 'raw' | 'selectedFields';
	/** Changes during the undo. Just before its read number `read`, a colleague changes the job title of person `who`. */
	meanwhile: Array<{ who: number; read: number }>;
}

const one = <T>(...values: readonly T[]) => fc.constantFrom(...values);

const cell: fc.Arbitrary<Cell> = fc.record({
	jobTitle: one('Buyer', 'Chef', 'Owner'),
	city: one('Delft', 'Leiden'),
	tag: one(...ENTRIES.tags),
	email: one('x@crm.example', 'y@crm.example'),
	phone: one('+31 20 1234567', '+31 30 7654321'),
	column: one(...ENTRIES.columns),
});

/** Mostly person 0, so that several steps change the same person. */
const anybody = one(0, 0, 0, 1, NEW, NEW);

const ofRun = fc.record({
	...{ by: fc.constant('run' as const), who: anybody, cell, operation: one(...OPERATIONS) },
});
const ofColleague = fc.record({
	...{ by: fc.constant('colleague' as const), who: anybody, cell, field: one(...FIELDS) },
});

export const anyRun: fc.Arbitrary<Drawn> = fc.record({
	steps: fc.array(
		fc.oneof({ weight: 2, arbitrary: ofRun }, { weight: 1, arbitrary: ofColleague }),
		{
			...{ minLength: 3, maxLength: 14 },
		},
	),
	output: one('simplified', 'raw', 'selectedFields'),
	meanwhile: fc.array(fc.record({ who: anybody, read: fc.nat(6) }), { maxLength: 1 }),
});
