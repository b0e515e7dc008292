import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodePropertyOptions,
	NodeApiError,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { listOf } from '../common/lists';
import { CREDENTIAL } from '../transport/send';
import type { Sighting } from './known';
import { optionsOf } from './known';
import { titleLabel } from './labels';
import { readLookupPage, readUndocumented } from './read';

type LoadOptions = (this: ILoadOptionsFunctions) => Promise<INodePropertyOptions[]>;

/** The interface has no endpoint for users: they are known from what they own and work on. */
const getOwners: LoadOptions = async function () {
	const users = await readUndocumented(this, '/users');
	const { records: workspaces } = await readLookupPage(this, '/workspaces');
	const { records: people } = await readLookupPage(this, '/people');
	const { records: tasks } = await readLookupPage(this, '/tasks');
	const sightings: Sighting[] = [
		...users.map((reference) => ({ reference, as: '' })),
		...workspaces.map((workspace) => ({
			reference: workspace.owner,
			as: `owner of ${titleLabel(workspace)}`,
		})),
		...workspaces.flatMap((workspace) =>
			listed(workspace.users).map((reference) => ({
				reference,
				as: `member of ${titleLabel(workspace)}`,
			})),
		),
		...people.map(({ owner }) => ({ reference: owner, countedAs: 'people' as const })),
		...tasks.flatMap(({ assignees }) =>
			listed(assignees).map((reference) => ({ reference, countedAs: 'tasks' as const })),
		),
		...tasks.flatMap(({ author, observers }) =>
			[author, ...listed(observers)].map((reference) => ({ reference, as: '' })),
		),
	];
	return optionsOf(sightings, '/users', 'user');
};

/** The interface has no endpoint for tags: they are known from the people and tasks that carry them. */
const getTags: LoadOptions = async function () {
	const tags = await readUndocumented(this, '/tags');
	const { records: people } = await readLookupPage(this, '/people');
	const { records: tasks } = await readLookupPage(this, '/tasks');
	const carried = (records: IDataObject[], countedAs: 'people' | 'tasks'): Sighting[] =>
		records.flatMap((record) => listed(record.tags).map((reference) => ({ reference, countedAs })));
	return optionsOf(
		[
			...tags.map((reference) => ({ reference, as: '' })),
			...carried(people, 'people'),
			...carried(tasks, 'tasks'),
		],
		'/tags',
		'tag',
	);
};

const getSegments: LoadOptions = async function () {
	const { records } = await readLookupPage(this, '/segments');
	return optionsOf(
		records.map((reference) => ({ reference, as: '' })),
		'/segments',
		'segment',
	);
};

function listed(value: unknown): unknown[] {
	return listOf(value) ?? [];
}

/**
 * A list as the editor of n8n needs it. It asks once before it has chosen the credential of a new
 * node, and an error then stays in view after the list has come; and it shows an error of the API as
 * "[object Object]".
 */
function forDropDown(load: LoadOptions): LoadOptions {
	return async function () {
		if (this.getNode().credentials?.[CREDENTIAL] === undefined) return [];
		try {
			return await load.call(this);
		} catch (error) {
			const { message, description } = error as NodeApiError;
			throw new NodeOperationError(
				this.getNode(),
				[message, description].filter(Boolean).join('. '),
			);
		}
	};
}

export const loadOptions = {
	getOwners: forDropDown(getOwners),
	getSegments: forDropDown(getSegments),
	getTags: forDropDown(getTags),
};
