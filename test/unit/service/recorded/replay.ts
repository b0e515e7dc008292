import { createState, DEFAULT_API_KEY } from '../../../service';
import type { ServiceState } from '../../../service/answer';
import { seedTenant } from '../../../service/seed';
import { answerWithoutSockets } from '../../../service/withoutSockets';
import { exchangesOf, FILES, type Exchange } from './exchanges';
import { formOf, type Answer, type Form } from './form';
import { populate } from './world';

/** A request with both forms of its answer. */
export interface Replayed {
	/** Names of its file and exchange. */
	name: string;
	recorded: Form;
	own: Form;
}

/** Returns the places with a difference. A different order of members counts as well. */
function placesOf(recorded: unknown, own: unknown, place: string): string[] {
	if (JSON.stringify(recorded) === JSON.stringify(own)) return [];
	const both = [recorded, own];
	const areObjects = both.every((value) => typeof value === 'object' && !Array.isArray(value));
	if (!areObjects || recorded === null || own === null) return [place];
	const [left, right] = both as Array<Record<string, unknown>>;
	const names = [...new Set([...Object.keys(left), ...Object.keys(right)])];
	const places = names.flatMap((name) => {
		const isInBoth = name in left && name in right;
		return isInBoth && left[name] === right[name]
			? []
			: placesOf(left[name] ?? ABSENT, right[name] ?? ABSENT, `${place}.${name}`);
	});
	return places.length > 0 ? places : [`order of ${place}`];
}

const ABSENT = { absent: true };

/** Returns the differences of the stand-in: its status, or the places in its answer. */
export function differing({ recorded, own }: Replayed): string[] {
	if (recorded.status !== own.status) return [`status ${own.status}`];
	return [
		...placesOf(recorded.headers, own.headers, 'headers'),
		...placesOf(recorded.text, own.text, 'text'),
		...placesOf(recorded.body, own.body, 'body'),
	]
		.map((place) => place.split('.').slice(0, 2).join('.'))
		.filter((place, index, all) => all.indexOf(place) === index);
}

/** Returns whether the stand-in refuses the request, in JSON. */
export const isRefusal = ({ own }: Replayed) => own.status >= 400 && own.body !== undefined;

const COUNT = 70;

/** Restores a sent path and text that were too long for the recording. */
const whole = (text: string) =>
	text
		.replace(/y+… \(6,000 times y\)/, 'y'.repeat(6_000))
		.replace('é × 100000', 'é'.repeat(100_000));

/** Returns whether an exchange was sent in a later run. That run changed nothing in the other exchanges. */
const isLater = ({ name }: Exchange) =>
	/^(then: a segment|a person in it|the (people of the )?segment(,| replaced))/.test(name);

/** Returns all exchanges that the stand-in can repeat, in their original order. */
function askable(): Array<{ file: string; exchange: Exchange }> {
	const all = FILES.flatMap((file) => exchangesOf(file).map((exchange) => ({ file, exchange })));
	const later = all.filter(({ exchange }) => isLater(exchange));
	return [...all.filter(({ exchange }) => !isLater(exchange)), ...later];
}

const HOST = 'crm.example';

function ask(state: ServiceState, request: Exchange['request']): Answer {
	const { method, path, body, bodyText } = request;
	const text = bodyText ?? (body === undefined ? '' : JSON.stringify(body));
	const headers = { ...request.headers, host: HOST, 'x-api-key': DEFAULT_API_KEY };
	const { answer } = answerWithoutSockets(state, { method, url: path, headers, text });
	const answered = answer.headers as Record<string, string>;
	const isJson = /json/.test(answered['content-type'] ?? '');
	return {
		...{ status: answer.status, headers: answered, text: answer.body },
		...(isJson && { body: JSON.parse(answer.body ?? '') as unknown }),
	};
}

interface Timed {
	createdAt: string;
	updatedAt: string;
}

/** Changes that leave `updatedAt` as it is. The replay makes each a second later, so that a new time would show. */
const UNTIMED = [
	...['the same once more, nothing changes', 'empty object', 'a list', 'unknown field', 'id'],
	...['list of embedded objects is replaced', 'the same list once more', 'empty list'],
	...['embedded object with the @id of the last answer', 'after a violation nothing is stored'],
	...['empty address', 'null for the address'],
];

/** Returns the time of a request, if its answer shows it. */
function timeOf({ name, request, response }: Exchange): number | undefined {
	const { updatedAt, createdAt } = (response.body ?? {}) as Partial<Timed>;
	const time = updatedAt ?? (request.method === 'POST' ? createdAt : undefined);
	if (!time || request.method === 'GET') return undefined;
	return Date.parse(time) + (UNTIMED.includes(name) ? 1_000 : 0);
}

/** Pairs of IDs that mean the same record. Other records have equal IDs on both sides. */
type Renamed = Array<[recorded: string, own: string]>;

const named = (text: string, renamed: Renamed) =>
	renamed.reduce((seen, [recorded, own]) => seen.replaceAll(recorded, own), text);

function remember(renamed: Renamed, recorded: Answer, own: Answer): void {
	const ids = [recorded, own].map(({ body }) => (body as { id?: string } | undefined)?.id);
	const [before, now] = ids;
	if (recorded.status === 201 && own.status === 201 && before && now) renamed.push([before, now]);
}

/** Removes records that only the stand-in created, so that later lists have the recorded number of records. */
function takeBack({ store }: ServiceState, { body }: Answer): void {
	const { id } = body as { id: string };
	for (const table of [store.people, store.segments, store.tasks]) table.delete(id);
	for (const comments of store.comments.values()) {
		const at = comments.findIndex((comment) => comment.id === id);
		if (at >= 0) comments.splice(at, 1);
	}
}

const uuidsIn = ({ store }: ServiceState) => {
	const { people, tags, segments, workspaces, tasks } = store;
	const keys = [people, tags, segments, workspaces, tasks].flatMap(
		(table: Map<string, unknown>) => [...table.keys()],
	);
	const columns = [...workspaces.values()].flatMap((one) => one.columns.map(({ id }) => id));
	return new Set([...keys, ...columns]);
};

/** Sends every recorded request to a stand-in with the records of the recorded application. */
export function replay(): Replayed[] {
	let now = Date.parse('2026-11-22T11:39:00Z');
	const state = createState({
		clock: () => now,
		// Switches that follow the recorded application where the interface leaves a choice.
		switches: { rateLimit: { mode: 'off' }, columns: 'iris', tags: 200, columnRecords: 200 },
	});
	seedTenant(state.store, { people: 0, tasks: 0, segments: 0 });
	const states = [...exchangesOf('collections-and-paging'), ...exchangesOf('filters')];
	const full = states.filter(({ name }) => !/list of (0|1|30|31)$/.test(name));
	populate(state, COUNT, full);
	const known = uuidsIn(state);
	const renamed: Renamed = [];
	return askable().map(({ file, exchange }) => {
		const size = /^\w+ list of (\d+)$/.exec(exchange.name)?.[1];
		if (size) populate(state, Number(size), Number(size) < COUNT ? [exchange] : full);
		now = timeOf(exchange) ?? now;
		const sent = named(whole(JSON.stringify(exchange.request)), renamed);
		const own = ask(state, JSON.parse(sent) as Exchange['request']);
		remember(renamed, exchange.response, own);
		if (own.status === 201 && exchange.response.status >= 400) takeBack(state, own);
		return {
			name: `${file}: ${exchange.name}`,
			recorded: formOf(exchange.response, exchange, known),
			own: formOf(own, exchange, known, `http://${HOST}`),
		};
	});
}
