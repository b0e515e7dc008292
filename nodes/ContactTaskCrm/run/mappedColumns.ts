import type { IDataObject } from 'n8n-workflow';
import { labelOf } from '../schema/label';
import { UnusableParameter } from '../util/errors';
import { isBlank, quoted } from '../util/values';
import { namesWhere } from '../schema/record';
import type { TableColumn } from '../schema/tableColumns';
import { fitOf, modeColumnOf, plainName } from '../schema/tableColumns';
import type { Item } from './item';
import { namesIn } from './output';
import type { BodySpecification } from './specification';

/** What an item gives, by the names of columns or fields. */
export type Row = Readonly<Record<string, unknown>>;

/** What a column of a table holds for an item. */
export interface Cell {
	column: TableColumn;
	/** What the input calls the column; absent where it was mapped by hand. */
	header?: string;
	value: unknown;
}

/** What messages call a cell. */
export function cellLabel({ column: { label }, header }: Omit<Cell, 'value'>): string {
	const isCalledSo = header === undefined || plainName(header) === plainName(label);
	return isCalledSo ? label : `${label} (column ${header})`;
}

/** The cells of an item that fill in fields, by the names of their columns; throws like `mappedCells`. */
export function mappedRow(item: Item, specification: BodySpecification): Row {
	const cells = mappedCells(item, specification).filter(({ column }) =>
		specification.columns.includes(column),
	);
	return Object.fromEntries(cells.map(({ column, value }) => [column.name, value]));
}

/**
 * The cells of an item: those that are mapped in the node, or those of the input item whose names fit.
 *
 * @throws UnusableParameter where no name of the input fits, or two fit the same column
 */
export function mappedCells({ context }: Item, specification: BodySpecification): Cell[] {
	const columns = [...specification.columns, ...modeColumns(specification.fields)];
	// Read as a whole: n8n converts the values of a mapper that is read in parts, such as 1.000 to 1.
	const mapped = context.getNodeParameter('columns', {}) as {
		mappingMode?: string;
		value?: Row | null;
	};
	if (mapped.mappingMode === 'defineBelow') {
		const row = mapped.value ?? {};
		return columns
			.filter(({ name }) => name in row)
			.map((column) => ({ column, value: row[column.name] }));
	}
	const { json } = context.getInputData();
	const cells = columns.flatMap((column): Cell[] => {
		const header = headerFor(column, json);
		return header === undefined ? [] : [{ column, header, value: json[header] }];
	});
	const fits = (header: string) => columns.some((column) => fitOf(column, header) > 0);
	if (!Object.keys(json).some(fits)) throw noneFits(Object.keys(json), columns);
	return cells;
}

function modeColumns(fields: BodySpecification['fields']): TableColumn[] {
	return namesWhere(fields, ({ isList }) => isList).map((field) => {
		const name = modeColumnOf(field);
		return {
			...{ name, label: name, field, isPart: true },
			...{ kind: 'text', isList: false, isRequired: false },
		};
	});
}

/** Which of the names of an item is that of a column, where one that holds something is. */
function headerFor(column: TableColumn, row: Row): string | undefined {
	const filled = Object.keys(row).filter(
		(header) => fitOf(column, header) > 0 && !isBlank(row[header]),
	);
	const best = Math.max(...filled.map((header) => fitOf(column, header)));
	const [header, other] = filled.filter((name) => fitOf(column, name) === best);
	if (other === undefined || row[header] === row[other]) return header;
	throw new UnusableParameter(
		`${column.label}: both ${quoted(header)} and ${quoted(other)} of the item fit this column`,
		'Rename one of them, or set Mapping Column Mode to Map Each Column Manually',
	);
}

/** As many names as a message shows. */
const MOST_NAMED = 12;

function noneFits(headers: string[], columns: TableColumn[]): UnusableParameter {
	const shown = (names: string[]) =>
		names.slice(0, MOST_NAMED).join(', ') + (names.length > MOST_NAMED ? ' …' : '');
	const got = headers.length === 0 ? 'the item is empty' : `the item has ${shown(headers)}`;
	return new UnusableParameter(
		`Columns: none of the item has a name of the CRM; ${got}`,
		`Name its columns as here: ${shown(columns.map(({ name }) => name))}. Or set Mapping Column Mode to Map Each Column Manually`,
	);
}

/**
 * The lists that an item replaces; what it gives of others is added to what is there.
 *
 * @throws UnusableParameter for a mode that is none
 */
export function replacedLists(item: Item, specification: BodySpecification): string[] {
	const chosen = namesIn(item.options.replaceLists);
	if (!item.isMapped) return chosen;
	const cells = mappedCells(item, specification);
	const replaced = namesWhere(specification.fields, ({ isList }) => isList).filter((list) => {
		const mode = cells.find(({ column }) => column.name === modeColumnOf(list))?.value;
		if (isBlank(mode)) return false;
		const text = String(mode).trim().toLowerCase();
		if (text === 'add' || text === 'replace') return text === 'replace';
		throw new UnusableParameter(
			`${labelOf(list)}: Add or Replace: expected add or replace, got ${quoted(mode)}`,
			'Correct the value, or leave it empty to add',
		);
	});
	return [...new Set([...chosen, ...replaced])];
}

/** The lists of an update that are added to: a table gives one value of a list more often than all. */
export function addedLists(
	item: Item,
	body: IDataObject,
	specification: BodySpecification,
): string[] {
	if (!item.isMapped) return [];
	const replaced = replacedLists(item, specification);
	return Object.keys(body).filter((name) => {
		const value: unknown = body[name];
		const isGiven = Array.isArray(value) && value.length > 0;
		return isGiven && specification.fields[name]?.isList && !replaced.includes(name);
	});
}
