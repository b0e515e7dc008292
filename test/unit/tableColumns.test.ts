import { contracts } from '../../nodes/ContactTaskCrm/schema';
import type { Body } from '../../nodes/ContactTaskCrm/schema/field';
import { fieldsOf } from '../../nodes/ContactTaskCrm/schema/record';
import { Headings } from '../../nodes/ContactTaskCrm/tables/headings';
import { tableColumnsOf } from '../../nodes/ContactTaskCrm/schema/tableColumns';
import { partsOfField } from '../support/contract';

const TABLES: Array<[keyof typeof contracts, Body]> = [
	['person', 'create'],
	['person', 'update'],
	['task', 'create'],
	['task', 'update'],
];

describe.each(TABLES)('the columns of an import (%s, %s)', (resource, body) => {
	const fields = fieldsOf(contracts[resource], body);
	const columns = tableColumnsOf(fields);

	it('An import has columns for each field of the editor, or for its parts', () => {
		for (const [name, { isJsonOnly, written }] of Object.entries(fields)) {
			const own = columns.filter(({ field }) => field === name);
			expect([name, own.length > 0]).toEqual([name, !isJsonOnly]);
			if (isJsonOnly || own.some(({ isPart }) => !isPart)) continue;
			expect(own.map(({ part }) => part).sort()).toEqual(partsOfField(written).sort());
		}
	});

	it('The columns of an import have unique names', () => {
		const names = columns.map(({ name }) => name);
		expect(new Set(names).size).toBe(names.length);
	});

	it('An import finds a column by its name and by its label as heading', () => {
		const headings = new Headings(fields);
		for (const { name, label } of columns) {
			for (const header of [name, label, label.toUpperCase(), label.replace(/ /g, '_')]) {
				const taken = headings.take([header], () => 'x');
				expect([header, taken.map(({ column }) => column.name)]).toEqual([header, [name]]);
			}
		}
	});
});
