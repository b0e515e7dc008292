import type { IDataObject } from 'n8n-workflow';

/** A version of a record since some time. It has no fields after a deletion. Times are in ms since 1970. */
export interface Version {
	at: number;
	updatedAt: number;
	fields: IDataObject | null;
}

/** A stored record with all its versions, oldest first. */
export interface Kept {
	id: string;
	createdAt: number;
	/** Whether answers do not show the creation time. */
	isUndated: boolean;
	/** Place in lists that people arrange. It is unrelated to the time of changes. */
	place: number;
	versions: Version[];
}

/** A record in the version that an answer shows. */
export interface Seen {
	kept: Kept;
	version: Version;
}

/** Returns a record as it was at a time; undefined if it did not exist. */
export function seenAt(kept: Kept | undefined, asOf: number): Seen | undefined {
	const last = kept?.versions.at(-1);
	const version =
		last && last.at <= asOf ? last : kept?.versions.filter(({ at }) => at <= asOf).at(-1);
	return kept && version?.fields ? { kept, version } : undefined;
}
