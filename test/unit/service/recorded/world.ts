import type { Person, Segment, Task, Workspace } from '../../../service';
import type { ServiceState } from '../../../service/answer';
import { blankOf } from '../../../service/contract';
import { blankPerson } from '../../../service/resources/people';
import { blankTask } from '../../../service/resources/tasks';
import { uuidOf } from '../../../service/store';
import type { Exchange } from './exchanges';

/** A record in the form of an answer. */
type Shown = Record<string, unknown> & { '@type': string; id: string };

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null;

function* shownIn(value: unknown): Generator<Shown> {
	if (!isObject(value)) return;
	if (typeof value.id === 'string' && typeof value['@type'] === 'string') yield value as Shown;
	for (const child of Object.values(value)) yield* shownIn(child);
}

/** Returns the records of the recorded application from its answers. The last version of each counts. */
function recordsIn(exchanges: Exchange[], type: string): Map<number, Shown> {
	const records = new Map<number, Shown>();
	for (const { response } of exchanges) {
		for (const record of shownIn(response.body)) {
			const name = String(record.familyName ?? record.title);
			const number = Number(/ (\d{3})$/.exec(name)?.[1]);
			if (record['@type'] === type && number > 0) records.set(number, record);
		}
	}
	return records;
}

/** Removes the parts of a record that exist only in answers. */
function held(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(held);
	if (!isObject(value)) return value;
	const entries = Object.entries(value).filter(([name]) => !name.startsWith('@'));
	return Object.fromEntries(entries.map(([name, field]) => [name, held(field)]));
}

/** IDs of records that requests use, but no list shows. */
const NAMED: Record<string, string> = {
	'people/4': '01a2030d-52e3-7c2c-89e0-d9f34c96d3e6',
	'segments/2': '01a2030d-5505-741f-8d94-81419ed0fc10',
	'tags/2': '01a2030d-5aa2-746f-be95-a5fb2e45a8cd',
};

/** The column of all tasks. */
const STATUS =
	'/workspaces/01a2030d-5158-7d30-a785-a227a678cb79/columns/01a2030d-5169-726f-93da-80001140f59b';

const START = '2026-11-22T11:38:5';

/** Returns the creation time of a record. The first thirty are older. */
const madeAt = (number: number) => `${START}${number <= 30 ? 4 : 7}+00:00`;

const three = (number: number) => String(number).padStart(3, '0');
const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const idIn = (iri: unknown) => String(iri).split('/').at(-1) ?? '';

/**
 * Puts the records of the recorded application into the stand-in. Each kind has the recorded number, and records from
 * answers have the shown fields.
 */
export function populate({ store }: ServiceState, count: number, exchanges: Exchange[]): void {
	const [owner] = store.users.keys();
	const tables = [store.people, store.workspaces, store.segments, store.tasks, store.tags];
	for (const table of tables) table.clear();
	const shown = (type: string) => recordsIn(exchanges, type);
	const [tags, segments, workspaces] = ['Tag', 'Segment', 'Workspace'].map(shown);
	const [people, tasks] = ['Person', 'Task'].map(shown);
	const idOf = (kind: string, records: Map<number, Shown>, number: number) =>
		records.get(number)?.id ?? NAMED[`${kind}/${number}`] ?? uuidOf(`recorded/${kind}/${number}`);
	for (const number of range(count)) {
		const id = idOf('tags', tags, number);
		store.tags.set(id, { id, title: `Tag ${three(number)}` });
		const segment = { title: `Segment ${three(number)}`, icon: 'star', sequence: number };
		const segmentId = idOf('segments', segments, number);
		store.segments.set(segmentId, { ...segment, id: segmentId } as Segment);
		addWorkspace(number);
		addPerson(number);
	}
	for (const number of range(count)) addTask(number);

	function addWorkspace(number: number) {
		const id = idOf('workspaces', workspaces, number);
		const iris = (workspaces.get(number)?.columns ?? []) as string[];
		const columns = iris.map((iri, sequence) => ({
			id: idIn(iri),
			title: ['To do', 'Done'][sequence],
			sequence,
		}));
		const own = { id, title: `Workspace ${three(number)}`, privacy: 'public', columns };
		store.addWorkspace({
			...blankOf('Workspace'),
			...own,
			...{ description: null, owner: `/users/${owner}`, createdAt: madeAt(number), users: [] },
		} as unknown as Workspace);
	}

	function addPerson(number: number) {
		const id = idOf('people', people, number);
		const generic = {
			familyName: `Person ${three(number)}`,
			// The fourth person has only a family name.
			emailAddresses: number === 4 ? [] : [{ email: `p${three(number)}@x.example` }],
		};
		const blank = blankPerson(id, madeAt(number));
		const { address, ...fields } = held(people.get(number) ?? generic) as Partial<Person>;
		store.people.set(id, { ...blank, ...fields, address: { ...blank.address, ...address } });
	}

	function addTask(number: number) {
		const id = idOf('tasks', tasks, number);
		const blank = blankTask(store, STATUS, madeAt(number), id);
		const own = { title: `Task ${three(number)}`, ...(held(tasks.get(number) ?? {}) as object) };
		store.addTask({ ...blank, ...own } as Task);
	}
}
