import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { ContactTaskCrmTrigger } from '../../../nodes/ContactTaskCrm/ContactTaskCrmTrigger.node';
import { WATCHED } from './support/schedule';
import codex from '../../../nodes/ContactTaskCrm/ContactTaskCrmTrigger.node.json';

const node = new ContactTaskCrmTrigger();
const { description } = node;
const { properties } = description;

function all(list: INodeProperties[]): INodeProperties[] {
	return list.flatMap((property) => [
		property,
		...(property.type === 'collection' ? all(property.options as INodeProperties[]) : []),
	]);
}

describe('the description of the trigger', () => {
	it('is that of a node that polls, and that no agent can use', () => {
		expect(description).toMatchObject({ polling: true, inputs: [], group: ['trigger'] });
		expect(description).not.toHaveProperty('usableAsTool');
		expect(description.displayName).toMatch(/Trigger$/);
		expect(codex.node).toBe(`n8n-nodes-contact-task-crm.${description.name}`);
	});

	it('asks first what to watch, and then for the events of that list', () => {
		const [watch, ...rest] = properties;
		expect([watch.name, watch.displayName]).toEqual(['watch', 'Trigger On']);
		const lists = (watch.options as INodePropertyOptions[]).map(({ value }) => String(value));
		const offered = lists.map((list) => {
			const [events, ...others] = rest.filter(
				({ name, displayOptions }) =>
					name === 'events' && displayOptions?.show?.watch?.includes(list),
			);
			expect(others).toEqual([]);
			const shown = events.options as INodePropertyOptions[];
			for (const { description } of shown) expect(description).toMatch(/^[A-Z]/);
			const values = shown.map(({ value }) => value);
			expect([...(events.default as string[])].sort()).toEqual([...values].sort());
			expect(events).toMatchObject({ type: 'multiOptions', required: true });
			return [list, values];
		});
		const sorted = Object.entries(WATCHED).map(([list, events]) => [list, [...events].sort()]);
		expect(Object.fromEntries(offered)).toEqual(Object.fromEntries(sorted));
	});

	it('has the methods that its lists ask for', () => {
		const { listSearch, loadOptions } = node.methods;
		for (const { modes = [], typeOptions } of all(properties)) {
			for (const mode of modes) {
				const method = mode.typeOptions?.searchListMethod;
				if (method) expect(listSearch).toHaveProperty(method);
			}
			const method = typeOptions?.loadOptionsMethod;
			if (method) expect(loadOptions).toHaveProperty(method);
		}
	});

	it('has collections in alphabetical order of their labels', () => {
		for (const { type, options = [] } of properties) {
			if (type !== 'collection') continue;
			const labels = (options as INodeProperties[]).map(({ displayName }) => displayName);
			expect(labels).toEqual([...labels].sort((one, other) => one.localeCompare(other, 'en')));
		}
	});
});
