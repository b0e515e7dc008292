/*
 * The compared part of an answer: its status, headers and body. Left out are values that differ each time (IDs,
 * version tags, the address), and values that the recorded application names or stores differently from the
 * interface.
 */
import type { Exchange } from './exchanges';

/** An answer from the recording or from the stand-in. */
export type Answer = Pick<Exchange['response'], 'status' | 'headers' | 'body' | 'text' | 'cutAt'>;

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

const HEADERS = ['content-type', 'allow', 'location'];

/** Fields of the recorded application. The interface has more. */
const FIELDS: Record<string, string[]> = {
	Person: [
		...['id', 'familyName', 'givenName', 'createdAt', 'updatedAt', 'archivedAt', 'jobTitle'],
		...['customerId', 'address', 'emailAddresses', 'phoneNumbers', 'tags', 'segments'],
	],
	Segment: ['id', 'title', 'icon', 'sequence'],
	Workspace: ['id', 'title', 'privacy', 'columns'],
	Column: ['id', 'title'],
	Tag: ['id', 'title'],
	Task: [
		...['id', 'title', 'isFlagged', 'createdAt', 'updatedAt', 'completedAt', 'dueDate'],
		...['status', 'people', 'workspace'],
	],
	Comment: ['id', 'createdAt', 'description'],
};

const TYPES: Record<string, string> = {
	people: 'Person',
	segments: 'Segment',
	workspaces: 'Workspace',
	tags: 'Tag',
	tasks: 'Task',
};

const GENID = /\/\.well-known\/genid\/[\da-f]{20}/g;
const UUID = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g;
/** Texts that the stand-in words itself: the reason for an unreadable body, and the names of violations. */
const OWN: Record<number, string[]> = { 400: ['detail', 'description'], 422: ['@id', 'type'] };

/** Longer texts were recorded as their first characters. */
const LONGEST = 10_000;

/** Replaces random IDs in a text, so that two runs are alike. */
function textForm(text: string, known: Set<string>): string {
	const shown = text.length > LONGEST ? `${text.slice(0, 5)}…` : text;
	return shown
		.replaceAll(GENID, '<genid>')
		.replaceAll(UUID, (id) => (known.has(id) ? id : '<id>'))
		.replaceAll('TaskComment', 'Comment');
}

/** Returns the form of the filter description. The filters themselves depend on the application. */
function searchForm(search: unknown): unknown {
	if (!isObject(search)) return search;
	const [first] = search.mapping as object[];
	return { ...search, template: 'template', mapping: [Object.keys(first)] };
}

function recordForm(record: Record<string, unknown>, type: string, known: Set<string>) {
	const named = Object.entries(record).filter(([name]) => name.startsWith('@'));
	const fields = Object.entries(record)
		.filter(([name]) => FIELDS[type].includes(name))
		.sort(([left], [right]) => (left < right ? -1 : 1));
	const form = (entries: Array<[string, unknown]>) =>
		entries.map(([name, value]) => [name, bodyForm(value, '', known)]);
	return Object.fromEntries([...form(named), ...form(fields)]) as Record<string, unknown>;
}

function bodyForm(value: unknown, path: string, known: Set<string>): unknown {
	if (typeof value === 'string') return textForm(value, known);
	if (Array.isArray(value)) return value.map((one) => bodyForm(one, path, known));
	if (!isObject(value)) return value;
	const said = textForm(String(value['@type'] ?? ''), known);
	const isProblem = 'status' in value && 'title' in value && 'detail' in value;
	const type = said in FIELDS ? said : TYPES[/^\/(\w+)/.exec(path)?.[1] ?? ''];
	if (!isProblem && type && 'id' in value) return recordForm(value, type, known);
	const own = ['code', ...((isProblem && OWN[Number(value.status)]) || [])];
	const entries = Object.entries(value)
		.filter(([name]) => !own.includes(name))
		.map(([name, field]) => [
			name,
			name === 'search' ? searchForm(field) : bodyForm(field, path, known),
		]);
	return Object.fromEntries(entries) as unknown;
}

/** Cuts a body to the recorded part. */
function cut(body: unknown, { response }: Exchange): unknown {
	const { members: count, search } = response.bodyCut ?? {};
	const shorten = (members: unknown[]) =>
		count === undefined
			? members
			: [members[0], `${body === response.body ? count : members.length} in all`];
	if (Array.isArray(body)) return shorten(body);
	if (!isObject(body) || !Array.isArray(body.member)) return body;
	const isDescribed = search && 'search' in body;
	return { ...body, member: shorten(body.member), ...(isDescribed && { search: 'cut' }) };
}

/** The compared parts of an answer. */
export interface Form {
	status: number;
	headers: Record<string, string>;
	/** The recorded part of the text, if the whole was too long. */
	text?: string;
	body?: unknown;
}

/** Returns the form of an answer to a recorded request. */
export function formOf(
	answer: Answer,
	exchange: Exchange,
	known: Set<string>,
	baseUrl = '{none}',
): Form {
	const { method, path } = exchange.request;
	const headers = HEADERS.filter((name) => answer.headers[name] !== undefined).map((name) => [
		name,
		textForm(answer.headers[name].replaceAll(baseUrl, '{base_url}'), known),
	]);
	const { cutAt } = exchange.response;
	const text = textForm(answer.text?.slice(0, cutAt) ?? '', known);
	return {
		status: answer.status,
		headers: Object.fromEntries(headers) as Record<string, string>,
		...(cutAt !== undefined && { text }),
		...(cutAt === undefined &&
			method !== 'HEAD' && { body: bodyForm(cut(answer.body, exchange), path, known) }),
	};
}
