import type {
	INode,
	INodeParameters,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
	INodeTypeDescription,
} from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';
import { ContactTaskCrm } from '../../nodes/ContactTaskCrm/ContactTaskCrm.node';
import { tableColumnsOf } from '../../nodes/ContactTaskCrm/schema/tableColumns';
import codex from '../../nodes/ContactTaskCrm/ContactTaskCrm.node.json';
import triggerCodex from '../../nodes/ContactTaskCrm/ContactTaskCrmTrigger.node.json';
import { contracts } from '../../nodes/ContactTaskCrm/schema';
import { resources } from '../../nodes/ContactTaskCrm/resources';
import { partsOfField } from '../support/contract';
import { asEndpoint, endpoints, queryParameters, writableFields } from '../support/openapi';

type Resource = keyof typeof contracts;

/* Tests of the parameters in the editor, by operation. builtDescription.test.ts checks their wording. */

const node = new ContactTaskCrm();
const description: INodeTypeDescription = node.description;
const { properties } = description;
const all = Object.keys(contracts) as Resource[];

const places = all.flatMap((resource) =>
	operationOptions(resource).map(({ value }) => [resource, String(value)] as const),
);

/** Operations that take a record, because they have the parameter inputMode. */
const taking = places.filter((place) => inputModesOf(...place).length > 0);
const mapping = taking.filter((place) => inputModesOf(...place).includes('columns'));
const updating = places.filter(([, operation]) => operation === 'update');

/** Returns the fields that an endpoint takes, without those that are only available as JSON (interface, section 2). */
function fieldsOfEndpoint(resource: Resource, endpoint: string): string[] {
	const { fields } = contracts[resource];
	return writableFields(endpoint).filter((name) => !fields[name]?.isJsonOnly);
}

/** Returns whether a parameter holds a part of a field, such as a first e-mail address. */
function isPart(resource: Resource, name: string): boolean {
	return tableColumnsOf(contracts[resource].fields).some(
		(column) => column.name === name && column.isPart,
	);
}

function words(text: string): string[] {
	return text.split(/\s+/);
}

function isVisible({ type }: INodeProperties): boolean {
	return type !== 'hidden';
}

/** Returns the parameters that a user sees, including the visible entries of collections. */
function shownProperties(parameters: Record<string, string | boolean>): INodeProperties[] {
	const isShown = (property: INodeProperties) =>
		NodeHelpers.displayParameter(parameters, property, null, null, parameters);
	return properties
		.filter(isShown)
		.map((property) =>
			property.type === 'collection'
				? { ...property, options: entriesOf(property).filter(isShown).filter(isVisible) }
				: property,
		);
}

function inputModesOf(resource: string, operation: string): unknown[] {
	return shownProperties({ resource, operation })
		.filter(({ name }) => name === 'inputMode')
		.flatMap(choicesOf)
		.map(({ value }) => value);
}

function shownFor(resource: string, operation: string, inputMode = 'fields'): INodeProperties[] {
	const mode = inputModesOf(resource, operation).length > 0 ? { inputMode } : undefined;
	const chosen = { returnAll: false, output: 'selectedFields', ...mode };
	return shownProperties({ resource, operation, ...chosen });
}

function namesOf(list: ReadonlyArray<{ name: string }>): string[] {
	return list.map(({ name }) => name);
}

function entriesOf({ type, options = [] }: INodeProperties): INodeProperties[] {
	if (type === 'collection') return options as INodeProperties[];
	if (type !== 'fixedCollection') return [];
	return (options as INodePropertyCollection[]).flatMap(({ values }) => values);
}

function choicesOf({ type, options = [] }: INodeProperties): INodePropertyOptions[] {
	return type === 'options' || type === 'multiOptions' ? (options as INodePropertyOptions[]) : [];
}

/** Returns a parameter and everything in it, each with its path. */
function within(property: INodeProperties, path = ''): Array<[string, INodeProperties]> {
	const here = `${path}${property.name}`;
	return [[here, property], ...entriesOf(property).flatMap((entry) => within(entry, `${here}.`))];
}

const everything = properties.flatMap((property) => within(property));

function eachWhere(
	holds: (property: INodeProperties) => boolean,
): Array<[string, INodeProperties]> {
	return everything.filter(([, property]) => holds(property));
}

function operationOptions(resource: string): INodePropertyOptions[] {
	return shownProperties({ resource })
		.filter(({ name }) => name === 'operation')
		.flatMap(choicesOf);
}

function requestOf(resource: string, operation: string): string {
	const { method, url } =
		operationOptions(resource).find(({ value }) => value === operation)?.routing?.request ?? {};
	return `${String(method)} ${String(url)}`;
}

/** Returns the entries of Options among the shown parameters. */
function optionsOf(shown: INodeProperties[]): INodeProperties[] {
	return shown.filter(({ name }) => name === 'options').flatMap(entriesOf);
}

/** Operations of people that show five fields at the top level. */
const WITH_NAME = ['create', 'upsert', 'replace'];

/** Returns the parameters of a new node below Operation. */
function firstSeen(resource: string, operation: string): INodeProperties[] {
	const node = { parameters: { resource, operation }, typeVersion: 1 } as unknown as INode;
	const { parameters } = node;
	const values = NodeHelpers.getNodeParameters(
		properties,
		parameters,
		true,
		false,
		node,
		description,
	)!;
	return properties.filter(
		(property) =>
			!['resource', 'operation'].includes(property.name) &&
			property.type !== 'hidden' &&
			NodeHelpers.displayParameter(values, property, node, description),
	);
}

/** Returns the names that the visible parameters send in the body. */
function sent(shown: INodeProperties[]): string[] {
	return shown
		.flatMap((property) => within(property))
		.filter(([, { routing }]) => routing?.send?.type === 'body')
		.map(([, { routing }]) => String(routing?.send?.property));
}

/** Returns the names of the fields that an operation offers. */
function offered(resource: Resource, operation: string): string[] {
	return sent(shownFor(resource, operation)).filter((name) => !isPart(resource, name));
}

describe('the node', () => {
	test('The node offers API Request and every resource of the schema, each with operations', () => {
		const [resource] = properties.filter(({ name }) => name === 'resource');
		expect(choicesOf(resource).map(({ value }) => value)).toEqual(['apiRequest', ...all].sort());
		for (const value of all) {
			expect(operationOptions(value).length).toBeGreaterThan(1);
			expect(resources[value].value).toBe(value);
		}
	});

	test('The operations of the node use every endpoint of openapi.json, and no other', () => {
		const asked = places.map((place) => asEndpoint(requestOf(...place)));
		expect([...new Set(asked)].sort()).toEqual([...endpoints].sort());
	});

	test('The routing in the description of the node holds no expression', () => {
		const options = ['apiRequest', ...all].flatMap(operationOptions);
		const routings = [...everything.map(([, one]) => one), ...options].map(
			({ routing }) => JSON.stringify(routing) ?? '',
		);
		expect(routings.filter((routing) => /"=/.test(routing))).toEqual([]);
	});

	test('The node has no execute method, is an agent tool, and requires its credential', () => {
		expect('execute' in node).toBe(false);
		expect(description.requestDefaults).toEqual({});
		expect(description.usableAsTool).toBe(true);
		expect(description.credentials).toMatchObject([{ name: 'contactTaskCrmApi', required: true }]);
		expect(codex.node).toBe(`n8n-nodes-contact-task-crm.${description.name}`);
	});

	test.each([codex, triggerCodex])(
		'In the editor, everyday words such as "call" or "contact" find the node $node',
		({ alias }) => {
			const found = alias.map((name) => name.toLowerCase());
			const sought = words('note call company phone email import contact deal newsletter');
			expect(found).toEqual(expect.arrayContaining(sought));
		},
	);

	test('The node has exactly the list methods that its parameters name', () => {
		const asked = everything.flatMap(([, { typeOptions, modes = [] }]) => [
			typeOptions?.loadOptionsMethod,
			typeOptions?.resourceMapper?.resourceMapperMethod,
			...modes.map((mode) => mode.typeOptions?.searchListMethod),
		]);
		const { listSearch, loadOptions, resourceMapping } = node.methods;
		const there = [listSearch, loadOptions, resourceMapping].flatMap(Object.keys);
		const wanted = new Set(asked.filter((method) => method !== undefined));
		expect([...wanted].sort()).toEqual(there.sort());
	});
});

describe('the parameters', () => {
	test.each(places)(
		'The parameters of the operation %s %s have unique names',
		(resource, operation) => {
			const shown = shownFor(resource, operation);
			for (const names of [shown, ...shown.map(entriesOf)].map(namesOf)) {
				expect(names).toEqual([...new Set(names)]);
			}
		},
	);

	test.each(places)(
		'The operation %s %s asks for exactly the record IDs in its path',
		(resource, operation) => {
			const request = requestOf(resource, operation);
			// The input item of Undo names the record.
			const isNamed = operation !== 'undo';
			const needed = [...request.matchAll(/\{(\w+)\}/g)]
				.map(([, name]) => name)
				.filter(() => isNamed);
			const locators = shownFor(resource, operation).filter(
				({ name, type }) => type === 'resourceLocator' && name.endsWith('Id'),
			);
			expect(namesOf(locators)).toEqual(needed);
			expect(locators.every(({ required }) => required)).toBe(true);
		},
	);

	test.each(places)(
		'The operation %s %s shows locators, fields, filters, Output and Options in this order',
		(resource, operation) => {
			const names = namesOf(shownFor(resource, operation));
			const groups = [
				...[/^resource$/, /^operation$/, /Id$/, /^replaceNotice$/],
				/^(?:inputMode|columns|columnsNotice)$/,
				...(operation === 'upsert' ? [/^(?:email|matchValue)$/] : []),
				...[/^givenName$/, /^familyName$/, /^email$/, /^phone$/, /^jobTitle$/],
				// All other parameters: the fields.
				/^$/,
				/^(?:additional|update|clear)Fields$/,
				/^(?:returnAll|limit|filters|sort)$/,
				...[/^(?:output|fields)$/, /^options$/],
			];
			const rankOf = (name: string) => groups.findIndex((group) => group.test(name));
			const ranks = names.map((name) => (rankOf(name) < 0 ? rankOf('') : rankOf(name)));
			expect(ranks).toEqual([...ranks].sort((one, other) => one - other));
		},
	);

	test.each(places)(
		'A new node shows few parameters of %s %s, and notices only for Replace',
		(resource, operation) => {
			const all = firstSeen(resource, operation);
			const isNotice = ({ type }: INodeProperties) => type === 'notice';
			const seen = all.filter((property) => !isNotice(property));
			const isOfPerson = resource === 'person' && WITH_NAME.includes(operation);
			const most = isOfPerson ? 9 : resource === 'task' && operation === 'getAll' ? 5 : 6;
			expect(namesOf(seen).length).toBeLessThanOrEqual(most);
			expect(namesOf(seen).length).toBeGreaterThan(0);
			const notices = all.filter(isNotice).map(({ displayName }) => displayName);
			expect(notices).toEqual(
				operation === 'replace'
					? [expect.stringMatching(/^Fields that you do not give here are emptied\./)]
					: [],
			);
		},
	);

	test.each(mapping)(
		'Only with automatic mapping, a notice of %s %s names the languages of headings',
		(resource, operation) => {
			const noticesFor = (mappingMode: string) => {
				const columns = { mappingMode, value: null };
				const parameters = { resource, operation, inputMode: 'columns', columns };
				return shownProperties(parameters as never)
					.filter(({ type }) => type === 'notice')
					.map(({ displayName }) => displayName);
			};
			const known = /English, Dutch, German and French\. Options → Preview Only/;
			expect(noticesFor('autoMapInputData')).toEqual([expect.stringMatching(known)]);
			expect(noticesFor('defineBelow')).toEqual([]);
		},
	);

	test.each(mapping)(
		'The columns of %s %s map automatically, and match at most one column',
		(resource, operation) => {
			const settings = shownFor(resource, operation, 'columns').flatMap(
				({ typeOptions }) => typeOptions?.resourceMapper ?? [],
			);
			expect(settings).toMatchObject([
				{
					mode: operation === 'upsert' ? 'upsert' : 'add',
					fieldWords: { singular: 'column', plural: 'columns' },
					valuesLabel: 'Values for the CRM',
					multiKeyMatch: false,
					supportAutoMap: true,
				},
			]);
		},
	);

	test('Create or Update names and explains the matching column: "Column to Find People By"', () => {
		const [columns] = shownFor('person', 'upsert', 'columns').filter(
			({ name }) => name === 'columns',
		);
		const { matchingFieldsLabels, valuesLabel } = columns.typeOptions!.resourceMapper!;
		expect(matchingFieldsLabels?.title).toBe('Column to Find People By');
		expect(matchingFieldsLabels?.hint).toMatch(/e-mail address, are updated\. Others are created/);
		expect(valuesLabel).toBe('Values for the CRM');
	});

	test.each([
		['create', 'Given Name, Family Name, Email, Phone, Job Title'],
		['upsert', 'Email, Given Name, Family Name, Phone, Job Title'],
		['replace', 'Given Name, Family Name, Email, Phone, Job Title'],
	])(
		'A new node with operation Person: %s shows text parameters in the order %s',
		(operation, labels) => {
			const fields = firstSeen('person', operation).filter(({ type }) => type === 'string');
			expect(fields.map(({ displayName }) => displayName).join(', ')).toBe(labels);
		},
	);

	test.each(['create', 'upsert', 'replace'])(
		'Person: %s offers Given Name in Additional Fields only if saved there before',
		(operation) => {
			const shownWith = (additionalFields: INodeParameters) => {
				const parameters = { resource: 'person', operation, additionalFields };
				const shown = shownProperties(parameters as never);
				const isShown = (property: INodeProperties) =>
					NodeHelpers.displayParameter(additionalFields, property, null, null, parameters);
				const added = properties.filter(({ name }) => name === 'additionalFields');
				return [
					namesOf(shown).includes('givenName'),
					namesOf(added.flatMap(entriesOf).filter(isShown).filter(isVisible)).includes('givenName'),
				];
			};
			expect(shownWith({})).toEqual([true, false]);
			expect(shownWith({ givenName: '' })).toEqual([true, false]);
			expect(shownWith({ givenName: 'Eva' })).toEqual([false, true]);
			expect(shownWith({ givenName: '={{ $json.first }}' })).toEqual([false, true]);
		},
	);

	test.each([
		['email', ['email', 'Email']],
		['identifier', ['matchValue', 'Identifier']],
	])('With Find By %s, Create or Update shows one parameter for its value', (matchBy, expected) => {
		const parameters = { resource: 'person', operation: 'upsert', options: { matchBy } };
		const shown = shownProperties(parameters as never)
			.filter(({ name, type }) => ['email', 'matchValue'].includes(name) && type !== 'hidden')
			.map(({ name, displayName }) => [name, displayName]);
		expect(shown).toEqual([expected]);
	});

	test('Switching between Create, Create or Update and Replace keeps the entered values', () => {
		const top = { email: 'eva@crm.example', familyName: 'Jansen', phone: '+31 6 12345678' };
		const owner = '/users/3f2a';
		const names = { givenName: 'Eva', jobTitle: 'Buyer' };
		// The editor keeps the values that this function returns.
		const switched = (values: INodeParameters, operation: string) => {
			const parameters = { ...values, resource: 'person', operation };
			const saved = { parameters, typeVersion: 1 } as unknown as INode;
			return NodeHelpers.getNodeParameters(
				properties,
				parameters,
				true,
				false,
				saved,
				description,
			)!;
		};
		const route = words('create upsert replace create replace upsert create');
		const given = { ...top, ...names, additionalFields: { owner } };
		expect(route.reduce(switched, given)).toMatchObject(given);
		const savedBelow = { ...top, additionalFields: { ...names, owner } };
		expect(route.reduce(switched, savedBelow)).toMatchObject(savedBelow);
		expect(switched(given, 'update')).not.toHaveProperty('email');
	});

	test('The node defines each parameter that often holds expressions, such as Filters, only once', () => {
		const once = words('additionalFields updateFields filters sort status title options');
		const timesOf = (name: string) => namesOf(properties).filter((one) => one === name).length;
		expect(once.map((name) => [name, timesOf(name)])).toEqual(once.map((name) => [name, 1]));
	});

	test.each(taking)(
		'The parameters of the operation %s %s offer exactly the writable fields of openapi.json',
		(resource, operation) => {
			const endpoint = asEndpoint(requestOf(resource, operation));
			expect(offered(resource, operation).sort()).toEqual(
				fieldsOfEndpoint(resource, endpoint).sort(),
			);
		},
	);

	test('Each endpoint with writable fields has an operation that offers these fields', () => {
		const offering = new Set(taking.map((place) => asEndpoint(requestOf(...place))));
		expect([...offering].sort()).toEqual(
			endpoints.filter((endpoint) => writableFields(endpoint).length > 0).sort(),
		);
	});

	test.each(places.filter((place) => !taking.includes(place)))(
		'The operation %s %s, which has no input modes, sends at most one field',
		(resource, operation) => {
			const endpoint = asEndpoint(requestOf(resource, operation));
			const names = offered(resource, operation);
			expect(names.length).toBeLessThan(2);
			expect(fieldsOfEndpoint(resource, endpoint)).toEqual(expect.arrayContaining(names));
		},
	);

	test.each(taking)(
		'The JSON input mode of the operation %s %s hides the field parameters',
		(resource, operation) => {
			const shown = shownFor(resource, operation, 'json');
			expect(sent(shown)).toEqual([]);
			expect(namesOf(shown)).toContain('jsonBody');
			expect(namesOf(shown)).not.toContain('clearFields');
			expect(namesOf(shownFor(resource, operation))).not.toContain('jsonBody');
		},
	);

	test.each(mapping)(
		'The columns input mode of the operation %s %s hides the field parameters',
		(resource, operation) => {
			const shown = shownFor(resource, operation, 'columns');
			const names = namesOf(shown);
			expect(sent(shown)).toEqual([]);
			expect(names).toContain('columns');
			expect(names.filter((name) => /^(?:jsonBody|match)/.test(name))).toEqual([]);
			expect(names.includes('clearFields')).toBe(operation === 'update');
			const options = namesOf(optionsOf(shown));
			expect(options.includes('replaceLists')).toBe(operation !== 'create');
			expect(options).not.toContain('matchBy');
			expect(namesOf(shownFor(resource, operation))).not.toContain('columns');
		},
	);

	test.each(all)('Get Many of %s offers every filter and order of openapi.json', (resource) => {
		const shown = shownFor(resource, 'getAll');
		const { filters, orders, collection } = contracts[resource];
		const { readFilters } = resources[resource].record;
		const entries = (parameter: string) =>
			namesOf(shown.filter(({ name }) => name === parameter).flatMap(entriesOf)).sort();
		expect(entries('filters')).toEqual(Object.keys({ ...filters, ...readFilters }).sort());
		expect(entries('sort')).toEqual(Object.keys(orders).sort());
		const queries = Object.values(filters).flatMap(({ query, takesSeveral }) =>
			takesSeveral ? [query, `${query}[]`] : [query],
		);
		expect([...queries, ...Object.values(orders)].sort()).toEqual(
			queryParameters(`GET ${collection}`)
				.filter((name) => !['page', 'itemsPerPage', 'view'].includes(name))
				.sort(),
		);
	});

	test.each(taking)(
		'The parameters of the operation %s %s offer every part of each object field',
		(resource, operation) => {
			const { fields } = contracts[resource];
			const parameters = shownFor(resource, operation)
				.flatMap((property) => [property, ...entriesOf(property)])
				.filter(({ name, routing }) => routing?.send?.type === 'body' && !isPart(resource, name));
			expect(parameters.length).toBeGreaterThan(0);
			for (const parameter of parameters) {
				const { kind, written } = fields[parameter.name];
				const parts = partsOfField(written);
				// Entries with one part are plain texts.
				if (kind !== 'object' || parts.length === 1) continue;
				expect([parameter.name, namesOf(entriesOf(parameter)).sort()]).toEqual([
					parameter.name,
					parts,
				]);
			}
		},
	);

	test.each(places)(
		'The parameter Output of %s %s offers the forms that the operation can give',
		(resource, operation) => {
			const { gives } = resources[resource].operations.find(({ value }) => value === operation)!;
			const shown = shownFor(resource, operation);
			// An operation that reads has its main choices at the top level.
			const isRead = requestOf(resource, operation).startsWith('GET ');
			const output = (isRead ? shown : optionsOf(shown)).filter(({ name }) => name === 'output');
			const queries = queryParameters(asEndpoint(requestOf(resource, operation)));
			const ofLists = queries.includes('view') ? ['count', 'identifiers'] : ['count'];
			expect(gives === 'list').toBe(operation === 'getAll');
			expect(output.flatMap(choicesOf).map(({ value }) => value)).toEqual(
				gives === 'nothing' || gives === 'other'
					? []
					: [...(gives === 'list' ? ofLists : []), ...words('raw selectedFields simplified')],
			);
		},
	);

	test.each(all)('Each default field of Selected Fields of %s is among its choices', (resource) => {
		const [fields] = shownFor(resource, 'get').filter(({ name }) => name === 'fields');
		const offeredNames = choicesOf(fields).map(({ value }) => value);
		expect((fields.default as string[]).length).toBeGreaterThan(1);
		expect(offeredNames).toEqual(expect.arrayContaining(fields.default as string[]));
	});

	test.each(updating)(
		'Clear Fields of the operation %s %s offers only fields that may be empty',
		(resource) => {
			const { fields } = contracts[resource];
			const cleared = shownFor(resource, 'update').filter(({ name }) => name === 'clearFields');
			const names = cleared.flatMap(choicesOf).map(({ value }) => String(value));
			const ofUpdate = Object.values(fields).filter(({ bodies }) => bodies.includes('update'));
			const mayBeEmpty = ofUpdate.some(({ emptiedBy }) => emptiedBy !== undefined);
			expect(cleared).toHaveLength(mayBeEmpty ? 1 : 0);
			expect(names.length > 0).toBe(mayBeEmpty);
			for (const name of names) {
				const { written, emptiedBy, isRequired } = fields[name];
				expect(offered(resource, 'update')).toContain(name);
				expect([name, written?.safeParse(emptiedBy).success]).toEqual([name, true]);
				expect([name, isRequired]).toEqual([name, false]);
			}
		},
	);
});

describe('the parameters of API Request', () => {
	const [send, ...others] = operationOptions('apiRequest');
	const shown = (method: string) =>
		namesOf(shownProperties({ resource: 'apiRequest', operation: 'send', method })).slice(2);

	test('API Request has one operation, with its own pagination function', () => {
		expect(others).toEqual([]);
		expect(send.routing?.send?.paginate).toBe(true);
		expect(typeof send.routing?.operations?.pagination).toBe('function');
	});

	test.each([
		['GET', 'method path queryParameters returnAll options'],
		['DELETE', 'method path queryParameters options'],
		['POST', 'method path queryParameters jsonBody options'],
		['PUT', 'method path queryParameters jsonBody options'],
		['PATCH', 'method path queryParameters jsonBody options'],
	])('API Request with the method %s shows only the parameters that it takes', (method, names) => {
		expect(shown(method)).toEqual(words(names));
	});

	test('API Request shows the parameter Limit if Return All is off', () => {
		const chosen = { resource: 'apiRequest', operation: 'send', method: 'GET', returnAll: false };
		expect(namesOf(shownProperties(chosen)).slice(-2)).toEqual(['limit', 'options']);
	});
});

describe('each parameter', () => {
	const paths = (found: Array<[string, INodeProperties]>) => found.map(([path]) => path);

	test('Each parameter has a description, and each text parameter an example and a placeholder', () => {
		expect(paths(eachWhere((one) => !one.description && one.type !== 'notice'))).toEqual([]);
		const given = eachWhere(({ type }) => ['string', 'json', 'dateTime'].includes(type));
		const texts = given.filter(([, { type }]) => type !== 'dateTime');
		expect(texts.length).toBeGreaterThan(20);
		expect(
			paths(given.filter(([, { description: text = '' }]) => !/\b(?:such as|e\.g\.) /.test(text))),
		).toEqual([]);
		expect(
			paths(texts.filter(([, { placeholder = '' }]) => !/^e\.g\. \S/.test(placeholder))),
		).toEqual([]);
	});

	test('Each locator of a record offers a searchable list first, and then the ID', () => {
		const locators = eachWhere(({ type }) => type === 'resourceLocator');
		expect(locators.length).toBeGreaterThan(8);
		for (const [, { modes = [], default: preset }] of locators) {
			expect(modes.slice(0, 2).map(({ name, type }) => `${name} ${type}`)).toEqual([
				'list list',
				'id string',
			]);
			expect(modes[0].typeOptions).toMatchObject({ searchable: true });
			expect(modes[1].placeholder).toMatch(/^e\.g\. /);
			expect(preset).toEqual({ mode: 'list', value: '' });
		}
	});

	test('Before a run, each locator refuses "More exist", an entry that is no record', () => {
		for (const [, locator] of eachWhere(({ type }) => type === 'resourceLocator')) {
			const plain = { ...locator, required: false, displayOptions: {} };
			const issuesOf = (value: string) => {
				const given = { __rl: true, mode: 'list', value };
				const saved = { parameters: {}, typeVersion: 1 } as unknown as INode;
				return NodeHelpers.getParameterIssues(plain, { [plain.name]: given }, '', saved, null);
			};
			const { parameters = {} } = issuesOf('<not a choice>');
			const mode = locator.modes?.[1].displayName;
			expect(parameters[plain.name]).toEqual([
				`${plain.displayName}: this entry of the list is a note. Choose another one, or ${mode}`,
			]);
			const chosen = ['', '1f0c', '/workspaces/5c1f/columns/12ab'];
			expect(chosen.map(issuesOf)).toEqual(chosen.map(() => ({})));
		}
	});

	test('Each collection of parameters starts empty or with blank entries', () => {
		for (const [path, property] of eachWhere(({ type }) => type === 'collection')) {
			const entries = entriesOf(property);
			// The first of several entries is a blank form. Until the user fills it in, it counts as a blank.
			const entry = Object.fromEntries(entries.map(({ name, default: value }) => [name, value]));
			const isList = property.typeOptions?.multipleValues === true;
			const open = path === 'additionalFields' ? { dueDate: '' } : {};
			expect(entry).toMatchObject(open);
			expect([path, property.default]).toEqual([path, isList ? entry : open]);
		}
	});

	test('Only columns and parameters that show or hide other parameters take no expression', () => {
		const fixed = eachWhere(({ noDataExpression }) => noDataExpression === true);
		const names = [...new Set(fixed.map(([, { name }]) => name))];
		expect(names.sort()).toEqual(['columns', 'inputMode', 'matchBy', 'operation', 'resource']);
	});

	test("Each operation's action text has no article, and begins like the operation's name", () => {
		for (const { action = '', name } of ['apiRequest', ...all].flatMap(operationOptions)) {
			expect(action).not.toMatch(/\b(?:a|an|the)\b/i);
			expect(words(action)[0]).toBe(words(name)[0]);
		}
	});
});
