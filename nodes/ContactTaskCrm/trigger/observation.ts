import type { IDataObject } from 'n8n-workflow';
import { referenceIn } from '../common/records';
import { contentHash, shortHash } from './fingerprint';
import type { Instant } from './times';
import { timeOf } from './times';

/** What can be compared between two observations of a record. */
export type Aspect = 'createdAt' | 'updatedAt' | 'status' | 'completedAt' | 'membership';

/** A record as it was seen on a page: only what the chosen events compare. */
export interface Observation {
	createdAt?: Instant;
	updatedAt?: Instant;
	/**
	 * What the record held, in a few letters: where `updatedAt` cannot tell a change, because the
	 * record shows none, or because a second change may follow within the same second.
	 */
	content?: string;
	/** IRI of the column a task stands in. */
	status?: string;
	/** When a task was completed; text where the service wrote what is no time. */
	completedAt?: Instant | string;
	/**
	 * Of a person: in the segment; in it without meeting the filters; or in it by the person's own record
	 * though its list hides them, with the filters met or not.
	 */
	membership?: 'listed' | 'other' | 'hidden' | 'hiddenOther';
}

/** A second change within the same second shows in the content alone: it is looked at that long. */
const SAME_SECOND_MS = 2_000;

/**
 * What is to be remembered of a record.
 *
 * @param newest a time that no change can lie far before that is followed by another within its second
 * @param before what is remembered of it: what is not shown this time stays
 */
export function observe(
	record: IDataObject,
	aspects: readonly Aspect[],
	newest: Instant,
	before: Observation | undefined,
): Observation {
	const observation: Observation = {};
	if (aspects.includes('createdAt')) observation.createdAt = timeOf(record.createdAt);
	if (aspects.includes('updatedAt')) {
		const at = timeOf(record.updatedAt);
		observation.updatedAt = at;
		const mayFollow = at === undefined || at >= newest - SAME_SECOND_MS;
		if (mayFollow || hasContent(before, at)) observation.content = contentHash(record);
		// Seen unchanged once more when nothing could follow any more, it need not be looked at again.
		if (!mayFollow && before?.content === observation.content && before?.updatedAt === at) {
			delete observation.content;
		}
	}
	if (aspects.includes('status')) {
		const status = referenceIn(record.status);
		observation.status = typeof status === 'string' && status !== '' ? status : before?.status;
	}
	if (aspects.includes('completedAt')) observation.completedAt = completionOf(record);
	if (aspects.includes('membership')) observation.membership = 'listed';
	return observation;
}

function hasContent(before: Observation | undefined, at: Instant | undefined): boolean {
	return before?.content !== undefined && before.updatedAt === at;
}

function completionOf({ completedAt }: IDataObject): Instant | string | undefined {
	if (typeof completedAt !== 'string' || completedAt.trim() === '') return undefined;
	return timeOf(completedAt) ?? `#${shortHash(completedAt.trim())}`;
}
