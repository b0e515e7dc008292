import type { IDataObject } from 'n8n-workflow';
import { requestRecord } from '../../runtime/answer';
import type { Item } from '../../runtime/item';
import { paginatorOf } from '../../runtime/item';
import { UnusableParameter } from '../../common/errors';
import { addressOf } from '../../runtime/path';
import { referencesIn } from '../../common/references';
import type { Paginator } from '../../runtime/specification';
import { iriOf } from '../../common/iri';
import { personRecord } from './output';

type ListField = 'tags' | 'segments';
type Change = 'add' | 'remove';

const LABELS: Record<ListField, string> = { tags: 'Tags', segments: 'Segments' };

/**
 * Adds to or removes from a list of a person. The interface replaces a list as a whole, so the
 * person is read immediately before; only the list goes out, and nothing where nothing changes.
 * Changes to one person take turns within the process; what others change between read and write
 * can still be overwritten, since the interface has no conditional update.
 */
export function runListChange(field: ListField, change: Change): Paginator {
	return paginatorOf((item) => {
		const { path, id = '' } = addressOf(item);
		const chosen = chosenIris(item, field);
		const subject = { noun: personRecord.noun, id };
		return async (connection) =>
			await connection.withLock(`person ${id}`, async () => {
				const person = await requestRecord(connection, { method: 'GET', path }, subject);
				const before = irisOf(person[field], field);
				const after = changed(before, chosen, change);
				if (after.length === before.length) return [person];
				const body = { [field]: after };
				return [await requestRecord(connection, { method: 'PATCH', path, body }, subject)];
			});
	});
}

/** A list with entries added that it lacks, or removed that it has. */
export function changed(before: string[], chosen: string[], change: Change): string[] {
	return change === 'add'
		? [...before, ...chosen.filter((iri) => !before.includes(iri))]
		: before.filter((iri) => !chosen.includes(iri));
}

function chosenIris({ context }: Item, field: ListField): string[] {
	const given = referencesIn(context.getNodeParameter(field, []));
	if (given.length === 0) {
		throw new UnusableParameter(
			`${LABELS[field]} is empty`,
			'Choose at least one from the list, or give IDs. An expression must give them for every item',
		);
	}
	return [...new Set(given.map((reference) => iriOrRefusal(reference, field)))];
}

function iriOrRefusal(reference: unknown, field: ListField): string {
	const iri = iriOf(reference, `/${field}`);
	if ('value' in iri) return iri.value;
	throw new UnusableParameter(
		`${LABELS[field]}: ${iri.expected}`,
		'Choose from the list, or give IDs as the service shows them',
	);
}

/** What a person has now, as IRIs; a reference of another form goes back as it came. */
function irisOf(entries: IDataObject[string], field: ListField): string[] {
	return Array.isArray(entries)
		? (entries as unknown[]).map((entry) =>
				typeof entry === 'string' && entry.startsWith('/') ? entry : iriOrRefusal(entry, field),
			)
		: [];
}
