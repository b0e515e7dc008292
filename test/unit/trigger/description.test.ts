import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
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

	it('offers the nine events, in alphabetical order', () => {
		const [event] = properties;
		expect(event.displayName).toBe('Trigger On');
		const options = event.options as INodePropertyOptions[];
		expect(options.map(({ value }) => value)).toEqual([
			'commentAdded',
			'historyAdded',
			'personAddedToSegment',
			'personCreated',
			'personUpdated',
			'taskCompleted',
			'taskCreated',
			'taskMoved',
			'taskUpdated',
		]);
		const names = options.map(({ name }) => name);
		expect(names).toEqual([...names].sort((one, other) => one.localeCompare(other, 'en')));
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
