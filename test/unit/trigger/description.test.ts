import type { INodeParameters, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';
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
	it('The trigger is a node that polls, and no agent can use it', () => {
		expect(description).toMatchObject({ polling: true, inputs: [], group: ['trigger'] });
		expect(description).not.toHaveProperty('usableAsTool');
		expect(description.displayName).toMatch(/Trigger$/);
		expect(codex.node).toBe(`n8n-nodes-contact-task-crm.${description.name}`);
	});

	const lists = Object.entries(WATCHED) as Array<[string, readonly string[]]>;
	const shown = (given: INodeParameters) => {
		const found = NodeHelpers.getNodeParameters(properties, given, true, false, null, description);
		return found as { watch: string; events: string[] };
	};
	const named = (label: string) =>
		properties.filter(({ displayName }) => displayName.toLowerCase() === label);

	it("For each list, the trigger offers that list's events, and preselects the first", () => {
		for (const [list, events] of lists) {
			const offered = named('events').filter((property) =>
				NodeHelpers.displayParameter({ watch: list, event: '' }, property, null, description),
			);
			expect(offered).toHaveLength(1);
			const [{ options, default: preset }] = offered;
			const choices = options as INodePropertyOptions[];
			expect(choices.map(({ value }) => value).sort()).toEqual([...events].sort());
			for (const { description: words } of choices) expect(words).toMatch(/^[A-Z].{1,109}$/);
			expect(preset).toEqual([events[0]]);
			expect(shown({ watch: list })).toMatchObject({ watch: list, events: [events[0]] });
		}
		expect(shown({})).toMatchObject({ watch: 'people', events: ['personCreated'] });
	});

	// The same steps as n8n's editor (triggersCategory and getActionData in its node creator).
	it('Choosing an event in the node panel sets Trigger On and Events', () => {
		const listed = properties.find(({ displayName }) =>
			['event', 'events', 'trigger on'].includes(displayName.toLowerCase()),
		)!;
		expect(listed.displayOptions).toBeUndefined();
		const actions = listed.options as INodePropertyOptions[];
		expect(actions.map(({ value }) => value).sort()).toEqual(
			lists.flatMap(([, events]) => events).sort(),
		);
		for (const { value, action } of actions) {
			const [list] = lists.find(([, events]) => events.includes(String(value)))!;
			expect(action).toMatch(/^On [a-z ]+$/);
			expect(shown({ [listed.name]: value })).toMatchObject({ watch: list, events: [value] });
		}
		expect(new Set(actions.map(({ action }) => action)).size).toBe(actions.length);
	});

	it.each([
		['watchedFields', 'people', 'personUpdated', 'personCreated'],
		['watchedFields', 'tasks', 'taskUpdated', 'taskMoved'],
		['timeBeforeDue', 'tasks', 'taskDue', 'taskMoved'],
		['timeBeforeDueUnit', 'tasks', 'taskDue', 'taskMoved'],
	])('The trigger shows parameter %s for %s with event %s, not with %s alone', (name, ...given) => {
		const [list, event, other] = given;
		const isShown = (...events: string[]) =>
			properties
				.filter((property) => property.name === name)
				.some((property) =>
					NodeHelpers.displayParameter({ watch: list, events }, property, null, description),
				);
		expect([isShown(event), isShown(other, event), isShown(other)]).toEqual([true, true, false]);
	});

	it('Saved values of Trigger On and Events outweigh the event chosen in the panel', () => {
		const said = { event: 'taskMoved', watch: 'people', events: ['personUpdated'] };
		expect(shown(said)).toMatchObject(said);
	});

	it('The trigger has every list method that its parameters name', () => {
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

	it('The trigger lists the options of each collection parameter in alphabetical order', () => {
		for (const { type, options = [] } of properties) {
			if (type !== 'collection') continue;
			const labels = (options as INodeProperties[]).map(({ displayName }) => displayName);
			expect(labels).toEqual([...labels].sort((one, other) => one.localeCompare(other, 'en')));
		}
	});
});
