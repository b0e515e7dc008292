import type { Item } from '../../run/item';
import { isOn } from '../../run/options';
import { paginatorOf } from '../../run/paginator';
import { isAgentsNone } from '../../input/noValue';
import { targetOf } from '../../input/query';
import { UnusableParameter } from '../../util/errors';
import { isMeantAsEmail } from '../../values/email';
import { locatedIn } from '../../values/json';
import { referencesIn } from '../../values/list';
import { idOf, referenceKey } from '../../values/reference';
import { quoted } from '../../values/text';
import { refuseItself } from './mergeRules';
import { Merging } from './merging';
import { personRecord as record } from './record';
import type { Written } from '../../crm/records';

/**
 * Operation Merge: unites several people into one, and archives the others. Each write starts from a read of the kept
 * person. When the write leaves, this read is usually at most 15 s old. The operation archives a person only when the
 * kept person shows all list entries of that person.
 */
export const runMerge = paginatorOf({ record, run: mergePeople });

async function mergePeople(item: Item): Promise<Written[]> {
	const target = await targetOf(item);
	const from = fromOf(item);
	refuseItself(from, target.id);
	const mustShare = !('onlyIfTheyShare' in item.options) || isOn(item.options, 'onlyIfTheyShare');
	const mayDiffer = item.options.whenNameDiffers === 'update';
	const client = await item.begin();
	return await new Merging(item, client, { target, from, rules: { mustShare, mayDiffer } }).toEnd();
}

/**
 * Returns the IDs in Merge From, without duplicates.
 *
 * @throws UnusableParameter if there are none, or if an entry is no ID
 */
function fromOf(item: Item): string[] {
	const ids = new Map<string, string>();
	for (const entry of referencesIn(locatedIn(item.context.getNodeParameter('mergeFrom', [])))) {
		const id = idOf(entry, record.collection);
		const isEmail = typeof entry === 'string' && isMeantAsEmail(entry);
		if (isEmail || isAgentsNone(item, entry) || !('value' in id)) {
			throw new UnusableParameter(
				`Merge From: ${isEmail || 'value' in id ? `expected an ID, got ${quoted(entry)}` : id.expected}`,
				'Give IDs, such as people of Find Duplicates. An address may belong to several people',
			);
		}
		const key = referenceKey(id.value, record.collection)!;
		if (!ids.has(key)) ids.set(key, id.value);
	}
	if (ids.size > 0) return [...ids.values()];
	throw new UnusableParameter(
		'Merge From is empty',
		'Give the people to merge into the kept one, such as people of Find Duplicates',
	);
}
