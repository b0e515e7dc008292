import type {
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
	INodeTypeDescription,
} from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';
import { allResources } from '../../nodes/ContactTaskCrm/resources';

/** A parameter in the form that saved workflows depend on. */
export interface Parameter {
	/** Its place: "person create", or "trigger people". */
	place: string;
	/** Its name after those of its collections: `additionalFields.jobTitle`. */
	path: string;
	type: string;
	/** Default as JSON. n8n does not save this value. */
	default: string;
	/** Possible values, if they are fixed. */
	values: string[];
}

const COLUMNS = ['parameter', 'type', 'default', 'values', 'where'];

function entriesOf({ type, options = [] }: INodeProperties): INodeProperties[] {
	if (type === 'collection') return options as INodeProperties[];
	if (type !== 'fixedCollection') return [];
	return (options as INodePropertyCollection[]).flatMap(({ name, values }) =>
		values.map((value) => ({ ...value, name: `${name}.${value.name}` })),
	);
}

function valuesOf({ type, options = [], modes = [] }: INodeProperties): string[] {
	if (type === 'resourceLocator') return modes.map(({ name }) => name);
	if (type !== 'options' && type !== 'multiOptions') return [];
	return (options as INodePropertyOptions[]).map(({ value }) => String(value));
}

function typeOf({ type, typeOptions }: INodeProperties): string {
	return typeOptions?.multipleValues === true ? `${type}, several` : type;
}

function within(property: INodeProperties, place: string, path = ''): Parameter[] {
	const own = `${path}${property.name}`;
	return [
		{
			place,
			path: own,
			type: typeOf(property),
			default: JSON.stringify(property.default),
			values: valuesOf(property),
		},
		...entriesOf(property).flatMap((entry) => within(entry, place, `${own}.`)),
	];
}

/** Returns whether a parameter can be visible in a place. Ignores its conditions on other parameters. */
function canBeShown(property: INodeProperties, place: Record<string, string>): boolean {
	const { show = {} } = property.displayOptions ?? {};
	const ofPlace = Object.entries(show).filter(([name]) =>
		['resource', 'operation', '/resource', '/operation', 'watch'].includes(name),
	);
	const displayOptions = { show: Object.fromEntries(ofPlace) };
	return NodeHelpers.displayParameter(place, { ...property, displayOptions }, null, null, place);
}

/** Returns a collection with only some of its entries, and their defaults. */
function shownPart(collection: INodeProperties, options: INodeProperties[]): INodeProperties {
	const names = options.map(({ name }) => name);
	const preset = Object.entries(collection.default as object);
	const shown = preset.filter(([name]) => names.includes(name));
	return { ...collection, options, default: Object.fromEntries(shown) as never };
}

/** Returns the visible parameters in a place, including the entries of collections. */
function shownIn(
	{ properties }: INodeTypeDescription,
	place: Record<string, string>,
	name: string,
): Parameter[] {
	return properties
		.filter((property) => canBeShown(property, place))
		.map((property) =>
			property.type === 'collection'
				? shownPart(
						property,
						entriesOf(property).filter((entry) => canBeShown(entry, place)),
					)
				: property,
		)
		.flatMap((property) => within(property, name));
}

/** Returns the parameters of the action node, by operation. */
export function actionParameters(node: INodeTypeDescription): Parameter[] {
	return allResources.flatMap(({ value: resource, operations }) =>
		[...operations]
			.sort((one, other) => one.name.localeCompare(other.name, 'en'))
			.flatMap(({ value: operation }) =>
				shownIn(node, { resource, operation }, `${resource} ${operation}`).filter(
					({ path }) => path !== 'resource',
				),
			),
	);
}

/** Returns the parameters of the trigger, by list. */
export function triggerParameters(node: INodeTypeDescription): Parameter[] {
	const [watch] = node.properties.filter(({ name }) => name === 'watch');
	return valuesOf(watch).flatMap((list) => shownIn(node, { watch: list }, `trigger ${list}`));
}

/** Returns parameters as table rows. Equal parameters in several places share a row. */
export function tableOf(parameters: readonly Parameter[]): string {
	const rows = new Map<string, { places: string[]; cells: string[] }>();
	for (const { place, path, type, default: preset, values } of parameters) {
		const shown = values.map((value) => `\`${value}\``).join(' ');
		const cells = [`\`${path}\``, type, `\`${preset.replace(/\|/g, '\\|')}\``, shown];
		const key = cells.join(' | ');
		const row = rows.get(key) ?? { places: [], cells };
		rows.set(key, row);
		if (!row.places.includes(place)) row.places.push(place);
	}
	const lines = [...rows.values()].map(({ places, cells }) => [...cells, placesText(places)]);
	return [COLUMNS, COLUMNS.map(() => '---'), ...lines]
		.map((cells) => `| ${cells.join(' | ')} |`)
		.join('\n');
}

/** Returns places as text: "person create, update · task get". */
function placesText(places: string[]): string {
	const byResource = new Map<string, string[]>();
	for (const place of places) {
		const [resource, operation] = place.split(' ');
		byResource.set(resource, [...(byResource.get(resource) ?? []), operation]);
	}
	return [...byResource]
		.map(([resource, operations]) => `${resource} ${operations.join(', ')}`)
		.join(' · ');
}

/** Reads the parameters from a table of `tableOf`. */
export function parametersIn(document: string): Parameter[] {
	return document
		.split('\n')
		.filter((line) => /^\| .* \|$/.test(line) && line.includes('`'))
		.flatMap((line) => {
			const cells = line.split(/(?<!\\)\|/).slice(1, -1);
			const [path, type, preset, values, places] = cells.map((cell) => cell.trim());
			const plain = (text: string) => text.replace(/`/g, '').replace(/\\\|/g, '|');
			return places.split(' · ').flatMap((group) => {
				const [resource, ...operations] = group.split(/,? +/);
				return operations.map((operation) => ({
					place: `${resource} ${operation}`,
					path: plain(path),
					type,
					default: plain(preset),
					values: values === '' ? [] : values.split(' ').map(plain),
				}));
			});
		});
}
