import type { IDataObject } from 'n8n-workflow';
import type { Outcome, Played } from './play';

/** Values of `preview` that announce a write. */
const WRITES = ['create', 'update', 'send'];

/** Expected result of a row by its preview. */
const RESULTS: Record<string, string> = {
	create: 'created',
	update: 'updated',
	unchanged: 'unchanged',
};

/** Returns the differences between the previews and the run. */
export function judge({ previewed, done, methods, writes, error }: Played, rows: number): string[] {
	if (error !== undefined) return [`ended with "${error}"`];
	const sent = methods.filter((method) => method !== 'GET');
	// A refused write does not count. Without a read, only the answer to a write shows whether the record exists.
	const taken = writes.filter(({ status }) => status < 400).length;
	const expected = previewed.filter(
		({ preview }, row) => WRITES.includes(String(preview)) || isIdle(done[row]),
	).length;
	const wrongs = Array.from({ length: rows }, (_, row) =>
		wrongsOf(previewed[row], done[row]).map((wrong) => `row ${row}: ${wrong}`),
	).flat();
	return [
		...sent.map((method) => `the preview sent ${method}`),
		...wrongs,
		...(taken === expected ? [] : [`${taken} writes, and not ${expected}`]),
	];
}

function wrongsOf(said: IDataObject | undefined, is: Outcome | undefined): string[] {
	if (!said || !is) return [`${said ? 'done' : 'previewed'} without a word`];
	const { preview } = said;
	const { json, isError } = is;
	// `send` is the preview of a request such as Export. Only the service knows its result.
	if (preview === 'send') return [];
	if (isError || preview === 'refused') {
		const { details } = json as { details?: IDataObject };
		const { code: ended, howToGoOn: advice } = details ?? {};
		const refusal = { code: ended, reason: withoutIds(json.error), howToGoOn: advice };
		const { code, reason, howToGoOn } = said;
		return differences({ code, reason: withoutIds(reason), howToGoOn }, refusal);
	}
	const result = isIdle(is) && preview === 'unchanged' ? 'updated' : RESULTS[String(preview)];
	const wrongs = differences({ result }, { result: json.result });
	if (said.id !== null) wrongs.push(...differences({ id: said.id }, { id: json.id }));
	if (json.changes)
		wrongs.push(...differences({ changes: said.changes }, { changes: json.changes }));
	return wrongs;
}

/** Returns whether the run wrote without a read. The record may already have had the values, so the write was idle. */
const isIdle = (is: Outcome | undefined) =>
	is?.json.result === 'updated' && is.json.changes === undefined;

/** Leaves out `completedAt`, because the preview and the run set it to different present times. */
const withoutTimes = (value: object) =>
	JSON.stringify(value).replaceAll(/"completedAt":\{[^}]*\}/g, '');

/** Leaves out IDs, because a person that the run creates has no ID in the preview. */
const withoutIds = (reason: unknown) =>
	String(reason)
		.replaceAll(/\((?:[\da-f-]{36}|created by an earlier item)\)/g, '(…)')
		.split(/(?:: |, )/)
		.sort();

function differences(said: object, is: object): string[] {
	const [one, other] = [said, is].map(withoutTimes);
	return one === other ? [] : [`said ${one}, and is ${other}`];
}
