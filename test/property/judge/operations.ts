import { FIELDS, type FieldKind } from './fields';

/** A row of the input: its cells by field name. */
export interface Row {
	/** Text that identifies the records that the row creates. */
	mark: string;
	/** Reference to the meant record. */
	target?: unknown;
	/** Value that Create or Update looks for. */
	match?: unknown;
	/** Values of required parameters. */
	required?: Record<string, unknown>;
	values: Record<string, unknown>;
}

/** Parameters of an operation of the node, and its effect on the service. */
export interface Operation {
	resource: string;
	operation: string;
	/** Resource of the record that `target` names. */
	target?: 'people' | 'tasks' | 'segments';
	targetParameter?: string;
	/** Parameter that holds the optional fields. */
	collection?: 'updateFields' | 'additionalFields' | 'filters' | undefined;
	/** Optional fields that are top-level parameters instead. */
	apart?: string[];
	/** Required parameters, and optional top-level ones, by kind. */
	required?: Record<string, FieldKind>;
	optional?: Record<string, FieldKind>;
	/** Field of a new record that holds the mark of its row. */
	mark?: string;
	does: 'create' | 'change' | 'add' | 'remove' | 'upsert' | 'list';
	/** Fields that rows may fill. */
	fields: Record<string, FieldKind>;
	/** Time field that the operation sets by itself, such as `archivedAt`. */
	sets?: string;
	/** For Create or Update: the way to find people. */
	matchBy?: 'email' | 'identifier';
}

type Drawn = Pick<Operation, 'does'> & Partial<Operation>;

const COLLECTIONS: Partial<Record<Operation['does'], Operation['collection']>> = {
	create: 'additionalFields',
	upsert: 'additionalFields',
	change: 'updateFields',
	list: 'filters',
};

const TARGETS: Record<string, Pick<Operation, 'target' | 'targetParameter'>> = {
	person: { target: 'people', targetParameter: 'personId' },
	task: { target: 'tasks', targetParameter: 'taskId' },
	segment: { target: 'segments', targetParameter: 'segmentId' },
};

/** Returns an operation by the node's names: "person upsert by e-mail" is Create or Update of a person. */
function named(name: string, { does, fields = {}, ...own }: Drawn): Operation {
	const [resource, operation] = name.split(' ');
	const isOfOne = ['change', 'add', 'remove'].includes(does);
	return {
		...{ resource, operation, does, fields },
		...(isOfOne && TARGETS[resource]),
		...(Object.keys(fields).length > 0 && { collection: COLLECTIONS[does] }),
		...own,
	};
}

const { person, task, segment, comment } = FIELDS;

const upsert = { does: 'upsert', optional: { familyName: 'text' }, fields: person } as const;

const DRAWN: Record<string, Drawn> = {
	'person create': {
		...{ does: 'create', fields: person },
		...{ required: { familyName: 'text' }, mark: 'additionalName' },
	},
	'person update': { does: 'change', fields: { familyName: 'text', ...person } },
	'person upsert by e-mail': { ...upsert, matchBy: 'email' },
	'person upsert by identifier': { ...upsert, matchBy: 'identifier' },
	'person addTags': { does: 'add', optional: { tags: 'tags' } },
	'person removeTags': { does: 'remove', optional: { tags: 'tags' } },
	'person addToSegments': { does: 'add', optional: { segments: 'segments' } },
	'person removeFromSegments': { does: 'remove', optional: { segments: 'segments' } },
	'person archive': { does: 'change', sets: 'archivedAt' },
	'person getAll': {
		does: 'list',
		fields: {
			...{ tagsId: 'tags', segmentsUuid: 'segments', ownerId: 'users', q: 'text' },
			...{ emailAddressesEmail: 'text', existsArchivedAt: 'whether', createdAtAfter: 'date' },
		},
	},
	'task create': {
		...{ does: 'create', fields: FIELDS['new task'] },
		...{ required: { title: 'text', status: 'column' }, mark: 'description' },
	},
	'task getAll': {
		does: 'list',
		fields: {
			...{ assignees: 'users', tags: 'tags', title: 'text', state: 'state' },
			...{ existsArchivedAt: 'whether', createdAtAfter: 'date' },
		},
	},
	'task update': { does: 'change', fields: { title: 'text', status: 'column', ...task } },
	'task move': { does: 'change', required: { status: 'column' } },
	'task complete': { does: 'change', sets: 'completedAt' },
	'comment create': {
		...{ does: 'create', required: { description: 'text' }, fields: comment },
		...{ apart: ['mentions'], ...TARGETS.task },
	},
	'segment create': {
		...{ does: 'create', required: { title: 'text' }, fields: segment },
		mark: 'icon',
	},
	'segment update': { does: 'change', fields: { title: 'text', icon: 'text', ...segment } },
};

export const OPERATIONS: Record<string, Operation> = Object.fromEntries(
	Object.entries(DRAWN).map(([name, drawn]) => [name, named(name, drawn)]),
);

/** Returns the expression for a cell of the row. It restores values that JSON cannot hold. */
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

/** Returns the node's parameters for some columns. Each field takes its cell. */
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
		...Object.fromEntries([...top, ...apart]),
		...(isTop && mark && { [mark]: cell('mark') }),
		...(operation.targetParameter && { [operation.targetParameter]: locator('target') }),
		...(operation.does === 'upsert' && {
			[operation.matchBy === 'identifier' ? 'matchValue' : 'email']: cell('match'),
		}),
		...(operation.collection && { [operation.collection]: collection }),
		...options,
		options: { matchBy: operation.matchBy, ...(options.options as object) },
	};
}
