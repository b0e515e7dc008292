import type { IDataObject } from 'n8n-workflow';
import type { OutputForm } from './output';
import type { ListPart } from './readList';

/** What is said of a list behind its records. */
export class ListNote {
	constructor(readonly json: IDataObject) {}
}

/** The form of a list of records of which the last may be a note. */
export function withNote({ kind, of }: OutputForm): OutputForm {
	return {
		kind,
		of: (record, titleOf) => (record instanceof ListNote ? record.json : of(record, titleOf)),
	};
}

const OTHERS = 'To see others, narrow the search, or raise the limit where that can be given';

/**
 * What the model of an AI agent is told of a list that ends at the limit, since it takes the first tasks for
 * all of them, and of an empty one, of which n8n gives it nothing to read.
 *
 * @param isFilteredHere whether the node has applied filters, so that the total is of what it reads
 * @returns undefined where the list is whole and not empty
 */
export function noteOf(
	{ records: { length: shown }, looked, total, isCut }: ListPart,
	plural: string,
	isFilteredHere: boolean,
): ListNote | undefined {
	if (shown === 0) {
		const found = isFilteredHere
			? `None of the ${looked} ${plural} there are meets the filters`
			: `No ${plural} were found`;
		return new ListNote({ note: found, shown });
	}
	if (!isCut) return undefined;
	if (isFilteredHere) {
		const all = total === undefined ? plural : `the ${total} ${plural} there are`;
		const note = `These are the first ${shown} ${plural} that meet the filters, found among the first ${looked} of ${all}; there may be more. ${OTHERS}`;
		return new ListNote({ note, shown, lookedAt: looked });
	}
	if (total === undefined) {
		const note = `These are the first ${shown} ${plural}; there may be more. ${OTHERS}`;
		return new ListNote({ note, shown });
	}
	const note = `These are the first ${shown} of ${total} ${plural}. ${OTHERS}`;
	return new ListNote({ note, shown, total });
}
