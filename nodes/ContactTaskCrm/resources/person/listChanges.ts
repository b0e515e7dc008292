import type { IDataObject } from 'n8n-workflow';
import { labelOf } from '../../schema/label';
import type { Item } from '../../run/item';
import { paginatorOf } from '../../run/item';
import type { Paginator } from '../../run/specification';
import { recordToChange, targetOf, withTarget } from '../../run/target';
import { writeRecord } from '../../run/write';
import { ExplainedError, UnusableParameter } from '../../util/errors';
import { comparableId, iriOf, valueOf } from '../../util/iri';
import { listOf, referencesIn } from '../../util/values';
import { personRecord } from './record';

type ListField = 'tags' | 'segments';
type Change = 'add' | 'remove';

/**
 * Adds to or removes from a list of a person. The interface replaces a list as a whole, so the
 * person is read immediately before; only the list goes out, and nothing where nothing changes.
 * Changes to one person take turns within the process; what others change between read and write
 * can still be overwritten, since the interface has no conditional update.
 */
export function runListChange(field: ListField, change: Change): Paginator {
	const record = personRecord;
	const run = async (item: Item) => {
		const chosen = await chosenIris(item, field);
		const target = await targetOf(item, (person) =>
			isChanged(irisShown(person, field), chosen, change) ? 'change' : 'leave',
		);
		const client = await item.begin();
		return await withTarget(item, client, { record, target }, async (located) => {
			const current = await recordToChange(client, record, located);
			const before = irisShown(current, field);
			const sent: IDataObject = isChanged(before, chosen, change)
				? { [field]: changed(before, chosen, change) }
				: {};
			return [await writeRecord(client, record, { located, sent, current })];
		});
	};
	return paginatorOf({ record, run });
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

async function chosenIris(item: Item, field: ListField): Promise<string[]> {
	const given = referencesIn(item.context.getNodeParameter(field, []));
	if (given.length === 0) {
		throw new UnusableParameter(
			`${labelOf(field)} is empty`,
			'Choose at least one from the list, or give IDs. An expression must give them for every item',
		);
	}
	const chosen = new Set<string>();
	for (const reference of given) {
		const iri = await item.iri(reference, `/${field}`);
		if ('expected' in iri) {
			throw new UnusableParameter(
				`${labelOf(field)}: ${iri.expected}`,
				'Choose from the list, or give IDs as the service shows them',
			);
		}
		chosen.add(iri.value);
	}
	return [...chosen];
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
