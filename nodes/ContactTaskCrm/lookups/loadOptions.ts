import type { IDataObject, ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import { iriOf, valueOf } from '../transport/iri';
import { titleLabel } from './labels';
import { readPage } from './read';

type LoadOptions = (this: ILoadOptionsFunctions) => Promise<INodePropertyOptions[]>;

/** The interface has no endpoint for users: they are known from the workspaces they belong to. */
const getOwners: LoadOptions = async function () {
	const { records } = await readPage(this, '/workspaces');
	return optionsOf(
		records.flatMap((workspace) => [workspace.owner, ...listed(workspace.users)]),
		'/users',
	);
};

/** The interface has no endpoint for tags: they are known from the people who carry them. */
const getTags: LoadOptions = async function () {
	const { records } = await readPage(this, '/people');
	return optionsOf(
		records.flatMap((person) => listed(person.tags)),
		'/tags',
	);
};

const getSegments: LoadOptions = async function () {
	const { records } = await readPage(this, '/segments');
	return optionsOf(records, '/segments');
};

function listed(value: unknown): unknown[] {
	return Array.isArray(value) ? value : [];
}

/** One option for each record, by its IRI: with its name where it came embedded, else with its id. */
function optionsOf(references: unknown[], collection: string): INodePropertyOptions[] {
	const labels = new Map<string, string>();
	for (const reference of references) {
		const iri = valueOf(iriOf(reference, collection));
		if (iri === undefined) continue;
		const record = (typeof reference === 'object' ? reference : {}) as IDataObject;
		const label = titleLabel({ title: record.title ?? record.name ?? record.fullName });
		if (label !== '' || !labels.has(iri)) labels.set(iri, label);
	}
	return [...labels]
		.map(([iri, label]) => ({ name: label || iri.slice(iri.lastIndexOf('/') + 1), value: iri }))
		.sort((one, other) => one.name.localeCompare(other.name));
}

export const loadOptions = { getOwners, getSegments, getTags };
