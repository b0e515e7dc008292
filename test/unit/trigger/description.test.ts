import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { EVENTS } from '../../../nodes/ContactTaskCrm/trigger/events';
import { ContactTaskCrmTrigger } from '../../../nodes/ContactTaskCrm/ContactTaskCrmTrigger.node';
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
			const values = (events.options as INodePropertyOptions[]).map(({ value }) => value);
			expect([...(events.default as string[])].sort()).toEqual([...values].sort());
			expect(events).toMatchObject({ type: 'multiOptions', required: true });
			return [list, values];
		});
		expect(Object.fromEntries(offered)).toEqual({
			comments: ['commentAdded'],
			history: ['historyAdded'],
			people: ['personCreated', 'personUpdated'],
			segment: ['personAddedToSegment', 'personRemovedFromSegment'],
			tasks: ['taskCompleted', 'taskCreated', 'taskMoved', 'taskUpdated'],
		});
	});

	it('offers each event of the table, and says what it means', () => {
		const offered = properties
			.filter(({ name }) => name === 'events')
			.flatMap(({ options }) => options as INodePropertyOptions[]);
		expect(offered.map(({ value }) => value).sort()).toEqual(
			EVENTS.map(({ value }) => value).sort(),
		);
		for (const { description } of offered) expect(description).toMatch(/^[A-Z]/);
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

	it('sends nothing by itself: no parameter carries a request', () => {
		for (const property of all(properties)) expect(property).not.toHaveProperty('routing');
	});

	it('has collections in alphabetical order of their labels', () => {
		for (const { type, options = [] } of properties) {
			if (type !== 'collection') continue;
			const labels = (options as INodeProperties[]).map(({ displayName }) => displayName);
			expect(labels).toEqual([...labels].sort((one, other) => one.localeCompare(other, 'en')));
		}
	});
});
