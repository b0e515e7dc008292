import type { QuerySpecification } from '../runtime/specification';

/** The bounds on when a record was created, in the order of the interface. */
export const createdAtQuery: QuerySpecification = {
	'createdAt[after]': { kind: 'dateTime', label: 'Created After' },
	'createdAt[strictly_after]': { kind: 'dateTime', label: 'Created Strictly After' },
	'createdAt[before]': { kind: 'dateTime', label: 'Created Before' },
	'createdAt[strictly_before]': { kind: 'dateTime', label: 'Created Strictly Before' },
};
