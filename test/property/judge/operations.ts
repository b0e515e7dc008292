import { FIELDS, type FieldKind } from './fields';

/** A row of the input: what stands in its cells, by the names of fields. */
export interface Row {
	/** Tells the records that come of a row from all others. */
	mark: string;
	/** What names the record that is meant. */
	target?: unknown;
	/** What Create or Update looks for. */
	match?: unknown;
	/** The values of required parameters. */
	required?: Record<string, unknown>;
	values: Record<string, unknown>;
}

/** How an operation of the node is set up, and what it does to the service. */
export interface Operation {
	resource: string;
	operation: string;
	/** The resource whose record `target` names. */
	target?: 'people' | 'tasks' | 'segments';
	targetParameter?: string;
	/** The collection that holds optional fields. */
	collection?: 'updateFields' | 'additionalFields' | 'filters';
	/** Fields that stand at the top instead. */
	apart?: string[];
	/** Required parameters, and optional top-level ones, by kind. */
	required?: Record<string, FieldKind>;
	optional?: Record<string, FieldKind>;
	/** The field of a new record that takes the mark of its row. */
	mark?: string;
	does: 'create' | 'change' | 'add' | 'remove' | 'upsert' | 'list';
	/** Fields that rows may fill. */
	fields: Record<string, FieldKind>;
	/** The time that it sets without being told which. */
	sets?: string;
	fixed?: Record<string, unknown>;
}

const person = { resource: 'person', target: 'people', targetParameter: 'personId' } as const;
const task = { resource: 'task', target: 'tasks', targetParameter: 'taskId' } as const;
const segment = {
	resource: 'segment',
	target: 'segments',
	targetParameter: 'segmentId',
} as const;
const nothing = {};

export const OPERATIONS: Record<string, Operation> = {
	'person create': {
		resource: 'person',
		operation: 'create',
		does: 'create',
		collection: 'additionalFields',
		required: { familyName: 'text' },
		mark: 'additionalName',
		fields: FIELDS.person,
	},
	'person update': {
		...person,
		operation: 'update',
		does: 'change',
		collection: 'updateFields',
		fields: { familyName: 'text', ...FIELDS.person },
	},
	'person upsert by e-mail': {
		resource: 'person',
		operation: 'upsert',
		does: 'upsert',
		collection: 'additionalFields',
		optional: { familyName: 'text' },
		fields: FIELDS.person,
		fixed: { matchBy: 'email' },
	},
	'person upsert by identifier': {
		resource: 'person',
		operation: 'upsert',
		does: 'upsert',
		collection: 'additionalFields',
		optional: { familyName: 'text' },
		fields: FIELDS.person,
		fixed: { matchBy: 'identifier' },
	},
	'person addTags': {
		...person,
		operation: 'addTags',
		does: 'add',
		optional: { tags: 'tags' },
		fields: nothing,
	},
	'person removeTags': {
		...person,
		operation: 'removeTags',
		does: 'remove',
		optional: { tags: 'tags' },
		fields: nothing,
	},
	'person addToSegments': {
		...person,
		operation: 'addToSegments',
		does: 'add',
		optional: { segments: 'segments' },
		fields: nothing,
	},
	'person removeFromSegments': {
		...person,
		operation: 'removeFromSegments',
		does: 'remove',
		optional: { segments: 'segments' },
		fields: nothing,
	},
	'person archive': {
		...person,
		operation: 'archive',
		does: 'change',
		sets: 'archivedAt',
		fields: nothing,
	},
	'person getAll': {
		resource: 'person',
		operation: 'getAll',
		does: 'list',
		collection: 'filters',
		fields: {
			tagsId: 'tags',
			segmentsUuid: 'segments',
			ownerId: 'users',
			emailAddressesEmail: 'text',
			existsArchivedAt: 'boolean',
			createdAtAfter: 'date',
			q: 'text',
		},
	},
	'task create': {
		resource: 'task',
		operation: 'create',
		does: 'create',
		collection: 'additionalFields',
		required: { title: 'text', status: 'column' },
		mark: 'description',
		fields: FIELDS['new task'],
	},
	'task update': {
		...task,
		operation: 'update',
		does: 'change',
		collection: 'updateFields',
		fields: { title: 'text', status: 'column', ...FIELDS.task },
	},
	'task move': {
		...task,
		operation: 'move',
		does: 'change',
		required: { status: 'column' },
		fields: nothing,
	},
	'task complete': {
		...task,
		operation: 'complete',
		does: 'change',
		sets: 'completedAt',
		fields: nothing,
	},
	'comment create': {
		resource: 'comment',
		operation: 'create',
		target: 'tasks',
		targetParameter: 'taskId',
		does: 'create',
		collection: 'additionalFields',
		required: { description: 'text' },
		fields: FIELDS.comment,
		apart: ['mentions'],
	},
	'segment create': {
		resource: 'segment',
		operation: 'create',
		does: 'create',
		collection: 'additionalFields',
		required: { title: 'text' },
		mark: 'icon',
		fields: FIELDS.segment,
	},
	'segment update': {
		...segment,
		operation: 'update',
		does: 'change',
		collection: 'updateFields',
		fields: { title: 'text', icon: 'text', ...FIELDS.segment },
	},
};

/** A cell of the row, in the forms that JSON has no word for too. */
function cell(path: string): string {
	const at = `$json.${path}`;
	return `={{ ${at} === '@NaN' ? NaN : ${at} === '@Infinity' ? Infinity : ${at} }}`;
}

const locator = (path: string) => ({ __rl: true, mode: 'id', value: cell(path) });

function optionalField(kind: FieldKind, path: string): unknown {
	if (kind === 'column') return locator(path);
	if (kind === 'emails') return [0, 1].map((at) => cell(`${path}[${at}]`));
	if (kind === 'phones') {
		return [0, 1].map((at) => ({ phoneNumber: cell(`${path}[${at}]`), phoneType: 'work' }));
	}
	return cell(path);
}

/** The parameters of the node for some columns, each field taking its cell. */
export function parametersOf(
	operation: Operation,
	columns: string[],
	options: Record<string, unknown>,
): Record<string, unknown> {
	const collection: Record<string, unknown> = {};
	const address: Record<string, unknown> = {};
	for (const name of columns) {
		const [outer, part] = name.split('.');
		if (part) address[part] = cell(`values['${name}']`);
		else collection[outer] = optionalField(operation.fields[name], `values.${outer}`);
	}
	if (Object.keys(address).length > 0) collection.address = address;
	const top = Object.entries({ ...operation.required, ...operation.optional }).map(
		([name, kind]) => [
			name,
			kind === 'column' ? locator(`required.${name}`) : cell(`required.${name}`),
		],
	);
	const apart = (operation.apart ?? []).flatMap((name) => {
		const given = collection[name];
		delete collection[name];
		return given === undefined ? [] : [[name, given] as const];
	});
	const { mark } = operation;
	const isTop = mark === 'icon';
	if (mark && !isTop) collection[mark] = cell('mark');
	return {
		resource: operation.resource,
		operation: operation.operation,
		...operation.fixed,
		...Object.fromEntries([...top, ...apart]),
		...(isTop && mark && { [mark]: cell('mark') }),
		...(operation.targetParameter && { [operation.targetParameter]: locator('target') }),
		...(operation.does === 'upsert' && { matchValue: cell('match') }),
		...(operation.collection && { [operation.collection]: collection }),
		...options,
	};
}
