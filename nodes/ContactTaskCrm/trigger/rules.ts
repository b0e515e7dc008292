import type { IDataObject } from 'n8n-workflow';
import { referenceIn } from '../common/records';
import { idOf, valueOf } from '../common/iri';
import { contentPrint } from './fingerprint';
import type { Instant } from './times';
import { asText, packed, timeOf, unpacked, wholeSecond } from './times';

/** A record on a page, beside what is known of it. */
export interface Sighting {
	record: IDataObject;
	/** What was remembered of it; undefined where it was never seen. */
	known?: string;
	/** Whether it was seen in the same sweep before: lists move while they are read. */
	isRepeated: boolean;
	/** Whether the list was read once, so that changes can be told. */
	isComplete: boolean;
	/** When the trigger began, by the clock that stamps the records, where that is known. */
	since?: Instant;
	/** Whether a record that was never seen has come into being since the trigger began. */
	isNew: boolean;
	/** Whether a record that was never seen has come into the list since the trigger began. */
	isAdded: boolean;
	/** Newest time of creation or change when the list was read once. */
	touched?: Instant;
	/** Whether a change at the time of `touched` may have come after that read. */
	isSettled: boolean;
	/** Newest time of creation or change so far. */
	newestTouch?: Instant;
}

/** What to remember of a record, and what it was before where the event has happened to it. */
export interface Verdict {
	remember: string;
	before?: IDataObject;
	/** The fields by which it may have passed the filters before. */
	was?: IDataObject;
}

/** Tells an event by comparing a record with what is known of it. */
export type Rule = (sighting: Sighting) => Verdict;

/** A second change within the same second shows in the content alone: it is looked at that long. */
const FRESH_MS = 2_000;

/** Something was created or added. */
export const created: Rule = ({ record, known, isNew }) => {
	const at = timeOf(record.createdAt);
	return {
		remember: known ?? (at === undefined ? '' : packed(at)),
		...(known === undefined && isNew ? { before: {} } : {}),
	};
};

/** Something was changed: by `updatedAt`, or by its content where it shows none. */
export const updated: Rule = (sighting) => {
	const { record, known } = sighting;
	const at = timeOf(record.updatedAt);
	if (at === undefined) return updatedByContent(sighting);
	const fresh = isFresh(at, sighting.newestTouch)
		? `${packed(at)}.${contentPrint(record)}`
		: packed(at);
	if (known === undefined || known.startsWith('#')) {
		return { remember: fresh, ...(isChangedUnseen(sighting, at) ? { before: {} } : {}) };
	}
	const [knownAt, knownPrint] = known.split('.');
	const before = unpacked(knownAt) ?? at;
	// An answer that is older than the one before comes from a copy that lags behind.
	if (at < before) return { remember: known };
	const isChangedAgain = knownPrint !== undefined && knownPrint !== contentPrint(record);
	if (at > before || isChangedAgain) {
		return { remember: fresh, before: { previousUpdatedAt: asText(before) } };
	}
	return { remember: sighting.isRepeated ? known : knownAt };
};

function updatedByContent({ record, known }: Sighting): Verdict {
	const print = `#${contentPrint(record)}`;
	const isChanged = known !== undefined && known.startsWith('#') && known !== print;
	return { remember: print, ...(isChanged ? { before: {} } : {}) };
}

function isChangedUnseen(sighting: Sighting, at: Instant): boolean {
	const createdAt = timeOf(sighting.record.createdAt);
	// It was created, and no more.
	if (createdAt !== undefined && at <= createdAt) return false;
	return (sighting.isNew && createdAt !== undefined) || isSince(sighting, at);
}

/**
 * Whether a time lies after the trigger began; where the service's clock does not tell when that
 * was, after the first read, or within its last second where nothing was left out.
 */
function isSince({ since, isComplete, touched, isSettled }: Sighting, at: Instant): boolean {
	if (since !== undefined) return wholeSecond(at) > since;
	if (!isComplete) return false;
	if (touched === undefined) return true;
	return at > touched || (isSettled && at === touched);
}

/** A task was completed, or completed again. */
export const completed: Rule = (sighting) => {
	const { record, known } = sighting;
	const text = typeof record.completedAt === 'string' ? record.completedAt.trim() : '';
	const at = timeOf(text);
	const remember = at === undefined ? text : packed(at);
	if (remember === '' || remember === known) return { remember };
	if (known !== undefined) {
		const earlier = known === '' ? undefined : unpacked(known);
		return {
			remember,
			before: { previousCompletedAt: earlier === undefined ? null : asText(earlier) },
		};
	}
	// Anything may stand in the field; that it was written since shows in the time of change.
	const touchedAt = timeOf(record.updatedAt) ?? at;
	const isDoneSince = [at, touchedAt].every(
		(time) => time !== undefined && isSince(sighting, time),
	);
	return { remember, ...(sighting.isNew || isDoneSince ? { before: {} } : {}) };
};

/** A task came into another column. */
export const moved: Rule = ({ record, known }) => {
	const reference = referenceIn(record.status);
	const status = typeof reference === 'string' ? reference : '';
	if (status === '' || known === undefined || known === status || known === '') {
		return { remember: status === '' ? (known ?? '') : status };
	}
	return {
		remember: status,
		before: { previousStatus: known },
		was: { status: known, workspace: undefined },
	};
};

/** A person came into a segment. */
export function addedTo(segmentId: string): Rule {
	return ({ record, known, isAdded }) => {
		if (!isIn(segmentId, record)) {
			return {
				remember: 'n',
				...(known === 'm' ? { was: { segments: [`/segments/${segmentId}`] } } : {}),
			};
		}
		const happened = known === 'n' || (known === undefined && isAdded);
		return { remember: 'm', ...(happened ? { before: {} } : {}) };
	};
}

/** Whether a person is in a segment; one that does not show its segments came by the filter. */
export function isIn(segmentId: string, { segments }: IDataObject): boolean {
	if (!Array.isArray(segments)) return true;
	return (segments as unknown[]).some(
		(segment) => valueOf(idOf(segment, '/segments')) === segmentId,
	);
}

/** Whether a change at this time may be followed by another within the same second. */
function isFresh(at: Instant, newestTouch: Instant | undefined): boolean {
	return newestTouch === undefined || at >= newestTouch - FRESH_MS;
}
