import { labelOf } from '../schema/label';
import { isBlank, isObject, locatedIn } from '../util/values';
import { entriesGiven, isMapped } from './given';
import type { Item } from './item';
import type { Source } from './labels';
import type { Cell } from './mappedColumns';
import { cellLabel, mappedCells } from './mappedColumns';
import type { BodySpecification } from './specification';

/** Where an item gives what does not stand under the label of its field; JSON gives everything under its own. */
export function sourcesOf(
	item: Item,
	specification: BodySpecification,
	fields: Readonly<Record<string, unknown>>,
): Source[] {
	const { columns } = specification;
	const cells: Cell[] = isMapped(item)
		? mappedCells(item, specification).filter(({ column }) => columns.includes(column))
		: columns
				.filter(({ isPart }) => isPart)
				.map((column) => ({ column, value: fields[column.name] }));
	const found = cells.filter(({ value }) => !isBlank(locatedIn(value)));
	const own = found.map((cell): Source => {
		const { field, part, isPart } = cell.column;
		const gave = isPart ? 'part' : 'field';
		return { field, part, gave, label: cellLabel(cell), value: locatedIn(cell.value) };
	});
	const wholes = isMapped(item)
		? own.filter(({ gave }) => gave === 'field')
		: Object.keys(fields).map((field) => ({ field, label: labelOf(field), value: fields[field] }));
	const entries = wholes.flatMap((whole) => entrySources(whole, specification.fields));
	return [...own, ...entries];
}

/** The entries of a list that was given as a whole. */
function entrySources(
	{ field, label, value }: Pick<Source, 'field' | 'label' | 'value'>,
	fields: BodySpecification['fields'],
): Source[] {
	const part = fields[field]?.entryKey;
	if (part === undefined || isBlank(value)) return [];
	return entriesGiven(value).map((entry, index) => ({
		...{ field, label: `${label} (entry ${index + 1})`, gave: 'entry' },
		...{ part, value: isObject(entry) ? entry[part] : entry },
	}));
}
