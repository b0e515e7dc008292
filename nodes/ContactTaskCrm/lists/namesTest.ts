import { contracts } from '../schema';
import type { RecordContract } from '../schema/record';
import { noticeRecords } from '../crm/serviceForm';
import type { Account } from '../crm/tenant';
import type { NamedLine } from '../http/names';
import { cutList } from '../values/json';
import { isUuid, lastSegment } from '../values/reference';
import { quoted } from '../values/text';

/*
 * Tests the field Names of Users and Tags of a credential: does the CRM show these users and tags?
 */

/**
 * Lists that show users and tags. The test reads the first page of each, until it has seen all named users and tags.
 */
const SOURCES: readonly RecordContract[] = [contracts.person, contracts.workspace, contracts.task];

/** Maximum number of problems or IDs that a message lists. */
const MOST_LISTED = 5;

/**
 * If an ID of the CRM has at least this many characters, its beginning counts as a shortened ID. The beginning of a
 * shorter ID may itself be a whole ID, such as 12 at the beginning of 123.
 */
const LONG_ID = 20;

/**
 * Checks the IDs in the field Names of Users and Tags against the IDs that the CRM shows.
 *
 * @param readPage reads the first page of a list; returns no records if the page cannot be read
 * @returns problems with lines of the field, such as a shortened ID; in `unseen`, IDs that the CRM has not shown
 */
export async function checkNames(
	{ names, tenant }: Pick<Account, 'names' | 'tenant'>,
	readPage: (path: string) => Promise<readonly unknown[]>,
): Promise<{ problems: string[]; unseen: string[] }> {
	for (const contract of SOURCES) {
		if (names.lines.every((line) => names.isShown(line))) break;
		noticeRecords(tenant, await readPage(contract.collection), contract);
	}
	const shownIds = ({ collections }: NamedLine) =>
		collections.flatMap((one) => tenant.directory.entries(one).map(({ iri }) => lastSegment(iri)));
	const doubtful = names.lines.filter((line) => line.isCut || !names.isShown(line));
	const wholeIdsOf = new Map(doubtful.map((line) => [line, wholeIds(line, shownIds(line))]));
	const shortened = doubtful.filter((line) => line.isCut || wholeIdsOf.get(line)!.length > 0);
	return {
		problems: shortened.map((line) => shortenedText(line, wholeIdsOf.get(line)!)),
		unseen: doubtful.filter((line) => !shortened.includes(line)).map(({ id }) => id),
	};
}

/** Returns the shown IDs that the ID of a line may shorten. Without an ellipsis (`isCut`), only long IDs count. */
function wholeIds({ id, isCut }: NamedLine, shown: readonly string[]): string[] {
	const begun = id.toLowerCase();
	return shown.filter((one) => {
		const isLong = isUuid(one) || (one.length >= LONG_ID && !/^\d+$/.test(one));
		return one.length > id.length && (isCut || isLong) && one.toLowerCase().startsWith(begun);
	});
}

function shortenedText({ id, line }: NamedLine, whole: readonly string[]): string {
	const ids = whole.length > 0 ? `: ${cutList(whole, MOST_LISTED)}` : '';
	return `line ${line}: ${quoted(id)} is the beginning of an ID. Write the whole ID${ids}`;
}

/** Returns the end of the message of a passed test; empty if the CRM shows all named users and tags. */
export function unseenText(unseen: readonly string[]): string {
	return unseen.length === 0 ? '' : ` Not seen yet: ${cutList(unseen, MOST_LISTED)}`;
}
