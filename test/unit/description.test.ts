import type {
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
	INodeTypeDescription,
} from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';
import { labelOf } from '../../nodes/ContactTaskCrm/contract/label';
import { ContactTaskCrm } from '../../nodes/ContactTaskCrm/ContactTaskCrm.node';
import { tableColumnsOf } from '../../nodes/ContactTaskCrm/contract/tableColumns';
import codex from '../../nodes/ContactTaskCrm/ContactTaskCrm.node.json';
import { contracts } from '../../nodes/ContactTaskCrm/contract';
import type { Resource } from '../../nodes/ContactTaskCrm/resources';
import { records } from '../../nodes/ContactTaskCrm/resources';
import { partsOfField } from '../support/contract';
import { asEndpoint, endpoints, queryParameters, writableFields } from '../support/openapi';

const node = new ContactTaskCrm();
const description: INodeTypeDescription = node.description;
const { properties } = description;

/** The operations of each resource, with the request that each sends. */
const OPERATIONS = Object.fromEntries(
	Object.keys(contracts).map((resource) => [
		resource,
		Object.fromEntries(
			operationOptions(resource).map(({ value }) => [
				String(value),
				requestOf(resource, String(value)),
			]),
		),
	]),
);

/** Operations that send one field of the record alone. */
const ONE_FIELD: Record<string, string[]> = {
	'person archive': ['archivedAt'],
	'task archive': ['archivedAt'],
	'task complete': ['completedAt'],
	'task move': ['status'],
};

/** Operations that send no field as it was given. */
const WITHOUT_FIELDS =
	/^(?:get|getAll|export|reopen|unarchive|addEmailAddress|addPhoneNumber|addTags|removeTags|addToSegments|removeFromSegments)$/;

const places = Object.entries(OPERATIONS).flatMap(([resource, operations]) =>
	Object.keys(operations).map((operation) => [resource, operation] as const),
);

/** The fields that can be sent one by one, for each operation that has a body (interface, section 2). */
const BODY = Object.fromEntries(
	places
		.filter(([, operation]) => !WITHOUT_FIELDS.test(operation))
		.map(([resource, operation]): [string, string[]] => {
			const place = `${resource} ${operation}`;
			const { fields } = contracts[resource as Resource];
			return [
				place,
				ONE_FIELD[place] ??
					writableFields(asEndpoint(OPERATIONS[resource][operation])).filter(
						(name) => !fields[name]?.isJsonOnly,
					),
			];
		}),
);

/** Whether a parameter stands for a part of a field, such as a first e-mail address. */
function isPart(resource: string, name: string): boolean {
	return tableColumnsOf(contracts[resource as Resource].fields).some(
		(column) => column.name === name && column.isPart,
	);
}

function words(text: string): string[] {
	return text.split(/\s+/);
}

/** The parameters a user sees, the entries of collections among those that are seen. */
function shownProperties(parameters: Record<string, string | boolean>): INodeProperties[] {
	const isShown = (property: INodeProperties) =>
		NodeHelpers.displayParameter(parameters, property, null, null, parameters);
	return properties
		.filter(isShown)
		.map((property) =>
			property.type === 'collection'
				? { ...property, options: entriesOf(property).filter(isShown) }
				: property,
		);
}

function shownFor(resource: string, operation: string): INodeProperties[] {
	return shownProperties({
		resource,
		operation,
		returnAll: false,
		output: 'selectedFields',
		...(properties.some(({ name, displayOptions }) => {
			const { show } = displayOptions ?? {};
			return (
				name === 'inputMode' &&
				show?.resource?.includes(resource) === true &&
				show.operation?.includes(operation) === true
			);
		})
			? { inputMode: 'fields' }
			: {}),
	});
}

function entriesOf({ type, options = [] }: INodeProperties): INodeProperties[] {
	if (type === 'collection') return options as INodeProperties[];
	if (type !== 'fixedCollection') return [];
	return (options as INodePropertyCollection[]).flatMap(({ values }) => values);
}

function choicesOf({ type, options = [] }: INodeProperties): INodePropertyOptions[] {
	return type === 'options' || type === 'multiOptions' ? (options as INodePropertyOptions[]) : [];
}

/** A parameter and all that it contains, each with the path to it. */
function within(property: INodeProperties, path = ''): Array<[string, INodeProperties]> {
	const here = `${path}${property.name}`;
	return [[here, property], ...entriesOf(property).flatMap((entry) => within(entry, `${here}.`))];
}

const everything = properties.flatMap((property) => within(property));

/** Each parameter once, though several of the same kind may stand at the same path. */
function eachWhere(
	condition: (property: INodeProperties) => boolean,
): Array<[string, INodeProperties]> {
	return everything.filter(([, property]) => condition(property));
}

function operationOptions(resource: string): INodePropertyOptions[] {
	return properties
		.filter(
			({ name, displayOptions }) =>
				name === 'operation' && displayOptions?.show?.resource?.includes(resource),
		)
		.flatMap(choicesOf);
}

function requestOf(resource: string, operation: string): string {
	const { method, url } =
		operationOptions(resource).find(({ value }) => value === operation)?.routing?.request ?? {};
	return `${String(method)} ${String(url)}`;
}

/** The names that the shown parameters send in the body. */
function sent(shown: INodeProperties[], type: 'body'): string[] {
	return shown
		.flatMap((property) => within(property))
		.filter(([, { routing }]) => routing?.send?.type === type)
		.map(([, { routing }]) => String(routing?.send?.property));
}

function titleCased(label: string): boolean {
	return label
		.split(/[\s(]+/)
		.every(
			(word, index) =>
				/^[A-Z]/.test(word) || (index > 0 && /^(?:a|at|by|of|or|the|to)$/.test(word)),
		);
}

describe('the node', () => {
	test('has the resources that the contract describes, each with operations', () => {
		const resource = properties.find(({ name }) => name === 'resource') as INodeProperties;
		expect(choicesOf(resource).map(({ value }) => value)).toEqual(Object.keys(contracts).sort());
		for (const operations of Object.values(OPERATIONS)) {
			expect(Object.keys(operations).length).toBeGreaterThan(1);
		}
	});

	test('covers every endpoint of the interface, and asks for no other', () => {
		const asked = places.map(([resource, operation]) =>
			asEndpoint(OPERATIONS[resource][operation]),
		);
		expect([...new Set(asked)].sort()).toEqual([...endpoints].sort());
	});

	test.each(places)('pages and runs %s %s by a function of its own', (resource, operation) => {
		const option = operationOptions(resource).find(({ value }) => value === operation);
		expect(option?.routing?.send?.paginate).toBe(true);
		expect(typeof option?.routing?.operations?.pagination).toBe('function');
	});

	test('holds no expression in its routing', () => {
		const routings = [
			...everything.map(([, { routing }]) => routing),
			...Object.keys(OPERATIONS).flatMap((name) => operationOptions(name).map((o) => o.routing)),
		];
		expect(routings.filter((routing) => /"=/.test(JSON.stringify(routing) ?? ''))).toEqual([]);
	});

	test('is declarative, can be used as a tool, and asks for its credential', () => {
		expect('execute' in node).toBe(false);
		expect(description.requestDefaults).toEqual({});
		expect(description.usableAsTool).toBe(true);
		expect(description.credentials).toMatchObject([{ name: 'contactTaskCrmApi', required: true }]);
	});

	test('is found by its codex file', () => {
		expect(codex.node).toBe(`n8n-nodes-contact-task-crm.${description.name}`);
	});

	test('has the lookups that its parameters ask for', () => {
		const asked = everything.flatMap(([, { typeOptions, modes = [] }]) => [
			typeOptions?.loadOptionsMethod,
			typeOptions?.resourceMapper?.resourceMapperMethod,
			...modes.map((mode) => mode.typeOptions?.searchListMethod),
		]);
		const there = [
			...Object.keys(node.methods.listSearch),
			...Object.keys(node.methods.loadOptions),
			...Object.keys(node.methods.resourceMapping),
		];
		expect([...new Set(asked.filter((method) => method !== undefined))].sort()).toEqual(
			there.sort(),
		);
	});

	test('says how long a run takes for every number of items above twenty, and once', () => {
		const bounds = (description.hints ?? []).map(({ displayCondition = '' }) => [
			Number(/> (\d+)/.exec(displayCondition)?.[1]),
			Number(/<= (\d+)/.exec(displayCondition)?.[1] ?? Infinity),
		]);
		expect(bounds[0][0]).toBe(20);
		expect(bounds.slice(1).map(([above]) => above)).toEqual(
			bounds.slice(0, -1).map(([, upTo]) => upTo),
		);
		expect(bounds.at(-1)?.[1]).toBe(Infinity);
	});
});

describe('the parameters', () => {
	test.each(places)('of %s %s have names of their own', (resource, operation) => {
		const shown = shownFor(resource, operation);
		for (const list of [shown, ...shown.map(entriesOf)]) {
			const names = list.map(({ name }) => name);
			expect(names).toEqual([...new Set(names)]);
		}
	});

	test.each(places)('of %s %s address the records of its path', (resource, operation) => {
		const needed = [...requestOf(resource, operation).matchAll(/\{(\w+)\}/g)].map(
			([, name]) => name,
		);
		const locators = shownFor(resource, operation).filter(
			({ name, type }) => type === 'resourceLocator' && name.endsWith('Id'),
		);
		expect(locators.map(({ name }) => name)).toEqual(needed);
		expect(locators.every(({ required }) => required)).toBe(true);
	});

	test.each(places)('of %s %s come in the order of use', (resource, operation) => {
		const names = shownFor(resource, operation).map(({ name }) => name);
		const groups = [
			/^resource$/,
			/^operation$/,
			/Id$/,
			/^(?:inputMode|columns)$/,
			/^match/,
			/^(?!resource$|operation$|inputMode$|columns$|match|replaceLists$|returnAll$|limit$|filtersNotice$|filters$|sort$|output$|fields$|options$|.*Fields$).*(?<!Id)$/,
			/^(?:(?:additional|update|clear)Fields|replaceLists)$/,
			/^(?:returnAll|limit|filtersNotice|filters|sort)$/,
			/^(?:output|fields)$/,
			/^options$/,
		];
		const ranks = names.map((name) => groups.findIndex((group) => group.test(name)));
		expect(ranks).not.toContain(-1);
		expect(ranks).toEqual([...ranks].sort((one, other) => one - other));
	});

	test('that mostly hold expressions stand once, since the engine resolves each of a name', () => {
		const once = words('additionalFields updateFields filters sort status title options');
		for (const name of once) {
			expect([name, properties.filter((property) => property.name === name).length]).toEqual([
				name,
				1,
			]);
		}
	});

	test.each(Object.keys(BODY))('of %s offer each writable field, and no other', (place) => {
		const [resource, operation] = place.split(' ');
		expect(
			sent(shownFor(resource, operation), 'body')
				.filter((name) => !isPart(resource, name))
				.sort(),
		).toEqual([...BODY[place]].sort());
	});

	test('of operations without a body send none', () => {
		for (const [resource, operation] of places) {
			if (`${resource} ${operation}` in BODY) continue;
			expect(sent(shownFor(resource, operation), 'body')).toEqual([]);
		}
	});

	test.each(['create', 'replace', 'update', 'duplicate'])(
		'of %s give way to the JSON in that input mode',
		(operation) => {
			for (const resource of Object.keys(OPERATIONS)) {
				if (!(`${resource} ${operation}` in BODY)) continue;
				const shown = shownProperties({ resource, operation, inputMode: 'json' });
				const names = shown.map(({ name }) => name);
				expect(sent(shown, 'body')).toEqual([]);
				expect(names).toContain('jsonBody');
				expect(names).not.toContain('clearFields');
				expect(shownFor(resource, operation).map(({ name }) => name)).not.toContain('jsonBody');
			}
		},
	);

	test.each([
		['person', 'create'],
		['person', 'update'],
		['person', 'upsert'],
		['task', 'create'],
		['task', 'update'],
	])('of %s %s give way to columns in that input mode', (resource, operation) => {
		const shown = shownProperties({ resource, operation, inputMode: 'columns' });
		const names = shown.map(({ name }) => name);
		expect(sent(shown, 'body')).toEqual([]);
		expect(names).toContain('columns');
		for (const hidden of ['jsonBody', 'matchBy', 'matchValue', 'familyName', 'title', 'status']) {
			expect(names).not.toContain(hidden);
		}
		expect(names.includes('clearFields')).toBe(operation === 'update');
		expect(names.includes('replaceLists')).toBe(operation !== 'create');
		expect(shownFor(resource, operation).map(({ name }) => name)).not.toContain('columns');
	});

	test.each(Object.keys(contracts))('of %s getAll reach every query parameter', (resource) => {
		const shown = shownFor(resource, 'getAll');
		const { filters, orders, collection } = contracts[resource as Resource];
		const names = (parameter: string) =>
			entriesOf(
				shown.find(({ name }) => name === parameter) ?? ({ type: 'collection' } as INodeProperties),
			).map(({ name }) => name);
		const readFilters = records[resource as Resource].readFilters ?? {};
		expect(names('filters').sort()).toEqual(
			[...Object.keys(filters), ...Object.keys(readFilters)].sort(),
		);
		expect(names('sort').sort()).toEqual(Object.keys(orders).sort());
		const queries = Object.values(filters).flatMap(({ query, takesSeveral }) =>
			takesSeveral ? [query, `${query}[]`] : [query],
		);
		expect([...queries, ...Object.values(orders)].sort()).toEqual(
			queryParameters(`GET ${collection}`)
				.filter((name) => !['page', 'itemsPerPage', 'view'].includes(name))
				.sort(),
		);
	});

	test.each(Object.keys(contracts))(
		'of %s filters look as the contract describes them',
		(resource) => {
			const { filters, readFilters } = records[resource as Resource];
			const shown = shownFor(resource, 'getAll').find(({ name }) => name === 'filters');
			for (const parameter of shown ? entriesOf(shown) : []) {
				const { label, kind, takesSeveral, refersTo } = { ...readFilters, ...filters }[
					parameter.name
				];
				if (parameter.type === 'resourceLocator') {
					expect([parameter.displayName, kind]).toEqual([label, 'iri']);
					continue;
				}
				const isLoaded = parameter.typeOptions?.loadOptionsMethod !== undefined;
				expect(parameter.displayName).toBe(isLoaded ? `${label} Names or IDs` : label);
				expect(isLoaded).toBe(refersTo !== undefined);
				const types = {
					boolean: 'boolean',
					dateTime: 'dateTime',
					id: 'multiOptions',
					iri: 'multiOptions',
					text: 'string',
				};
				expect(parameter.type).toBe(types[kind]);
				expect(Array.isArray(parameter.default)).toBe(takesSeveral);
				expect(parameter.routing).toBeUndefined();
			}
		},
	);

	test.each(Object.keys(BODY))('of %s hold what the contract says of their fields', (place) => {
		const [resource, operation] = place.split(' ');
		const { fields } = contracts[resource as Resource];
		const parameters = shownFor(resource, operation)
			.flatMap((property) => [property, ...entriesOf(property)])
			.filter(({ name, routing }) => routing?.send?.type === 'body' && !isPart(resource, name));
		expect(parameters.length).toBeGreaterThan(0);
		for (const parameter of parameters) {
			const { isList, kind, refersTo, entryKey, written } = fields[parameter.name];
			const isMultiple =
				parameter.type === 'multiOptions' || parameter.typeOptions?.multipleValues === true;
			expect([parameter.name, isMultiple]).toEqual([parameter.name, isList && kind !== 'any']);
			const typed = {
				boolean: 'boolean',
				dateTime: 'dateTime',
				number: 'number',
				wholeNumber: 'number',
			};
			const expected = kind in typed ? typed[kind as keyof typeof typed] : undefined;
			const isTyped = Object.values(typed).includes(parameter.type);
			expect([parameter.name, isTyped ? parameter.type : undefined]).toEqual([
				parameter.name,
				expected,
			]);
			if (refersTo !== undefined) expect(parameter.description).toMatch(/\bIRI\b/);
			const parts = entriesOf(parameter).map(({ name }) => name);
			// Entries of one part are texts.
			const isOfTexts = entryKey !== undefined && partsOfField(written).length === 1;
			if (isOfTexts) expect(parameter.type).toBe('string');
			else if (entryKey !== undefined) expect(parts).toContain(entryKey);
			if (kind === 'object' && !isOfTexts) {
				expect([parameter.name, parts.sort()]).toEqual([parameter.name, partsOfField(written)]);
			}
		}
	});

	test('of lists offer identifiers where the interface has them, and nowhere else', () => {
		for (const [resource, operation] of places) {
			const output = shownFor(resource, operation).find(({ name }) => name === 'output');
			const values = output ? choicesOf(output).map(({ value }) => value) : undefined;
			const withIdentifiers = ['person getAll', 'task getAll'].includes(`${resource} ${operation}`);
			expect(values).toEqual(
				operation !== 'export'
					? [
							...(operation === 'getAll' ? ['count'] : []),
							...(withIdentifiers ? ['identifiers'] : []),
							'raw',
							'selectedFields',
							'simplified',
						]
					: undefined,
			);
		}
	});

	test('of an upsert come in the order in which it uses them', () => {
		const names = shownFor('person', 'upsert').map(({ name }) => name);
		expect(names).toEqual(
			words(
				'resource operation inputMode matchBy matchValue familyName additionalFields replaceLists output fields options',
			),
		);
	});

	test.each(['person', 'segment', 'task', 'comment'] as Resource[])(
		'of a %s update clear fields that may be empty, and none that must stay',
		(resource) => {
			const { fields } = contracts[resource];
			const clearFields = shownFor(resource, 'update').find(({ name }) => name === 'clearFields');
			const names = choicesOf(clearFields as INodeProperties).map(({ value }) => String(value));
			expect(names.length).toBeGreaterThan(0);
			for (const name of names) {
				expect(BODY[`${resource} update`]).toContain(name);
				const { written, emptiedBy, isRequired } = fields[name];
				expect([name, written?.safeParse(emptiedBy).success, isRequired]).toEqual([
					name,
					true,
					false,
				]);
			}
		},
	);
});

describe('each parameter', () => {
	const paths = (found: Array<[string, INodeProperties]>) => found.map(([path]) => path);

	test('has a description', () => {
		expect(paths(eachWhere(({ description: text, type }) => !text && type !== 'notice'))).toEqual(
			[],
		);
	});

	test('that holds text has an example as its placeholder', () => {
		const isText = ({ type }: INodeProperties) => type === 'string' || type === 'json';
		const texts = eachWhere(isText);
		expect(texts.length).toBeGreaterThan(20);
		expect(
			paths(texts.filter(([, { placeholder = '' }]) => !/^e\.g\. \S/.test(placeholder))),
		).toEqual([]);
	});

	test('that holds text or a time gives an example in its description', () => {
		const given = eachWhere(({ type }) => ['string', 'json', 'dateTime'].includes(type));
		expect(
			paths(given.filter(([, { description: text = '' }]) => !/\b(?:such as|e\.g\.) /.test(text))),
		).toEqual([]);
	});

	test('for one record can be picked from a list, first, or given by ID', () => {
		const locators = eachWhere(({ type }) => type === 'resourceLocator');
		expect(locators.length).toBeGreaterThan(8);
		for (const [, { modes = [], default: preset }] of locators) {
			expect(modes.slice(0, 2).map(({ name, type }) => [name, type])).toEqual([
				['list', 'list'],
				['id', 'string'],
			]);
			expect(modes[0].typeOptions).toMatchObject({ searchable: true });
			expect(modes[1].placeholder).toMatch(/^e\.g\. /);
			expect(preset).toEqual({ mode: 'list', value: '' });
		}
	});

	test('has a label in title case', () => {
		expect(
			everything
				.filter(([, { type }]) => type !== 'notice')
				.map(([, { displayName }]) => displayName)
				.filter((label) => !titleCased(label)),
		).toEqual([]);
	});

	test('of the body has the label that messages give it', () => {
		const fields = eachWhere(({ routing }) => routing?.send?.type === 'body');
		expect(fields.length).toBeGreaterThan(60);
		for (const [, { displayName, name, routing }] of fields) {
			const label = labelOf(String(routing?.send?.property));
			const one = label.replace(/s$/, '');
			expect([label, `${label} Name or ID`, `${one} Names or IDs`]).toContain(displayName);
			expect(name).toBe(routing?.send?.property);
		}
	});

	test('within a field of the body has the label that messages give it', () => {
		const whole = eachWhere(
			(property) => property.routing?.send?.type === 'body' && entriesOf(property).length > 0,
		);
		expect(whole.length).toBeGreaterThan(3);
		for (const [, property] of whole) {
			for (const { displayName, name } of entriesOf(property))
				expect(displayName).toBe(labelOf(name));
		}
	});

	test('says "Whether" where it is a yes or no', () => {
		const yesNo = eachWhere(({ type }) => type === 'boolean');
		expect(
			paths(yesNo.filter(([, property]) => !/^Whether /.test(property.description ?? ''))),
		).toEqual([]);
	});

	test('that is loaded from the service is named and described as n8n asks', () => {
		for (const [path, property] of eachWhere(
			({ typeOptions }) => !!typeOptions?.loadOptionsMethod,
		)) {
			const several = property.type === 'multiOptions';
			expect([path, property.displayName]).toEqual([
				path,
				expect.stringMatching(several ? / Names or IDs$/ : / Name or ID$/),
			]);
			expect(property.description).toContain(
				`Choose from the list, or specify ${several ? 'IDs' : 'an ID'} using an <a href="https://docs.n8n.io/code/expressions/">expression</a>`,
			);
		}
	});

	test('of a collection stands in alphabetical order', () => {
		for (const [path, property] of eachWhere(({ type }) => type === 'collection')) {
			const labels = entriesOf(property).map(({ displayName }) => displayName);
			expect([path, labels]).toEqual([
				path,
				[...labels].sort((one, other) => one.localeCompare(other, 'en')),
			]);
		}
	});

	test('in a collection starts empty: nothing is sent that was not added', () => {
		const collections = eachWhere(
			({ type }) => type === 'collection' || type === 'fixedCollection',
		);
		for (const [path, { default: preset, typeOptions, options = [] }] of collections) {
			// The first of several entries is there to be filled in; as long as it is not, it is a blank.
			const entry = Object.fromEntries(
				(options as INodeProperties[]).map(({ name, default: value }) => [name, value]),
			);
			const expected = typeOptions?.multipleValues === true ? entry : {};
			expect([path, preset]).toEqual([path, expected]);
		}
	});
});

describe('each choice', () => {
	const choices = everything.flatMap(([path, property]) =>
		choicesOf(property).map((choice) => [path, choice] as const),
	);

	test('stands in alphabetical order where there are five or more', () => {
		for (const [path, property] of everything) {
			const names = choicesOf(property).map(({ name }) => name);
			if (names.length < 5) continue;
			expect([path, names]).toEqual([
				path,
				[...names].sort((one, other) => one.localeCompare(other, 'en')),
			]);
		}
	});

	test('stands once, in title case', () => {
		for (const [path, property] of everything) {
			const names = choicesOf(property).map(({ name }) => name);
			const values = choicesOf(property).map(({ value }) => value);
			expect([path, names]).toEqual([path, [...new Set(names)]]);
			expect([path, values]).toEqual([path, [...new Set(values)]]);
			expect(names.filter((name) => !titleCased(name))).toEqual([]);
		}
	});

	test('that is an operation has an action in sentence case, without articles', () => {
		for (const resource of Object.keys(OPERATIONS)) {
			for (const { action = '', name } of operationOptions(resource)) {
				expect(action).toMatch(/^[A-Z][a-z]+(?: [a-z]+)+$/);
				expect(action).not.toMatch(/\b(?:a|an|the)\b/i);
				expect(action.toLowerCase()).toContain(name.toLowerCase().split(' ')[0]);
			}
		}
	});

	test('is the default only if it is one', () => {
		for (const [path, property] of eachWhere(({ type }) => type === 'options')) {
			if (property.typeOptions?.loadOptionsMethod) continue;
			expect([path, choicesOf(property).map(({ value }) => value)]).toEqual([
				path,
				expect.arrayContaining([property.default]),
			]);
		}
	});

	test('and each parameter is described in sentence case, with a full stop only after several sentences', () => {
		const texts = [
			...everything.map(([, property]) => property.description),
			...choices.map(([, choice]) => choice.description),
			description.description,
		].filter((text) => text !== undefined);
		expect(texts.length).toBeGreaterThan(100);
		for (const text of texts) {
			expect(text).toMatch(/^(?:[A-Z]|e\.g\.)/);
			const several = /\. [A-Z]/.test(text);
			expect([text, text.endsWith('.')]).toEqual([text, several]);
			expect(text).not.toMatch(/\s{2,}|\bid\b|\bjson\b|undefined/);
		}
	});
});
