import type { IDataObject } from 'n8n-workflow';
import { ExplainedError, UnusableParameter } from '../../common/errors';
import { comparableId, iriOf, valueOf } from '../../common/iri';
import { listOf } from '../../common/lists';
import { referencesIn } from '../../common/references';
import { labelOf } from '../../contract/label';
import { withCurrentRecord } from '../../runtime/currentRecord';
import type { Item } from '../../runtime/item';
import { paginatorOf } from '../../runtime/item';
import { outputFormOf, withResult } from '../../runtime/output';
import type { References } from '../../runtime/references';
import type { Paginator } from '../../runtime/specification';
import type { Located } from '../../runtime/target';
import { targetOf } from '../../runtime/target';
import type { Connection } from '../../transport/connection';
import { personRecord } from './output';
import { writeChanges } from './writeChanges';

type ListField = 'tags' | 'segments';
type Change = 'add' | 'remove';

/**
 * Adds to or removes from a list of a person. The interface replaces a list as a whole, so the
 * person is read immediately before; only the list goes out, and nothing where nothing changes.
 * Changes to one person take turns within the process; what others change between read and write
 * can still be overwritten, since the interface has no conditional update.
 */
export function runListChange(field: ListField, change: Change): Paginator {
	return paginatorOf((item, run) => {
		const chosen = chosenIris(item, field);
		const form = withResult(outputFormOf(item, personRecord, 'write'));
		const { targets, whenEnded, use } = targetOf(item, run, personRecord, (person) =>
			isChanged(irisShown(person, field), chosen, change) ? 'change' : 'leave',
		);
		return {
			targets,
			whenEnded,
			form,
			isRepeatable: true,
			send: async (connection, place) =>
				await use(connection, place, async (located) => {
					const person = await withListChanged(connection, located, { field, change, chosen });
					return [person];
				}),
		};
	});
}

async function withListChanged(
	connection: Connection,
	located: Located,
	{ field, change, chosen }: { field: ListField; change: Change; chosen: string[] },
): Promise<IDataObject> {
	return await withCurrentRecord(connection, personRecord, located, async (current) => {
		const before = irisShown(current, field);
		const changes: IDataObject = isChanged(before, chosen, change)
			? { [field]: changed(before, chosen, change) }
			: {};
		return await writeChanges(connection, located, { changes, current });
	});
}

/** A list with entries added that it lacks, or removed that it has. */
export function changed(before: string[], chosen: string[], change: Change): string[] {
	const without = (list: string[], others: string[]) => {
		const left = new Set(others.map(comparableId));
		return list.filter((iri) => !left.has(comparableId(iri)));
	};
	return change === 'add' ? [...before, ...without(chosen, before)] : without(before, chosen);
}

function isChanged(before: string[], chosen: string[], change: Change): boolean {
	return changed(before, chosen, change).length !== before.length;
}

function chosenIris({ context, references }: Item, field: ListField): string[] {
	const given = referencesIn(context.getNodeParameter(field, []));
	if (given.length === 0) {
		throw new UnusableParameter(
			`${labelOf(field)} is empty`,
			'Choose at least one from the list, or give IDs. An expression must give them for every item',
		);
	}
	return [...new Set(given.map((reference) => chosenIri(references, reference, field)))];
}

function chosenIri(references: References, reference: unknown, field: ListField): string {
	const iri = references.iri(reference, `/${field}`);
	if ('value' in iri) return iri.value;
	throw new UnusableParameter(
		`${labelOf(field)}: ${iri.expected}`,
		'Choose from the list, or give IDs as the service shows them',
	);
}

/**
 * What a person has now. A list that is not shown, or that cannot be read, may hold anything, and would
 * be overwritten.
 *
 * @throws ExplainedError where the list cannot be read
 */
function irisShown(person: IDataObject, field: ListField): string[] {
	const iris = listOf(person[field])?.map((entry) => valueOf(iriOf(entry, `/${field}`)));
	if (iris?.every((iri) => iri !== undefined)) return iris;
	throw new ExplainedError(
		`The service does not show the ${field} of the person "${String(person.id ?? person['@id'])}" in a form that can be read`,
		'Nothing was written, since the list would be overwritten. Set it as a whole with Update, if that is what you want',
	);
}
