import type { IDataObject } from 'n8n-workflow';
import type { Outcome, Played } from './play';

/** What a row said beforehand that was going to be sent. */
const WRITES = ['create', 'update', 'send'];

/** What a row is to give, by what its preview said. */
const RESULTS: Record<string, string> = {
	create: 'created',
	update: 'updated',
	unchanged: 'unchanged',
};

/** What a preview said that the run did not do, or did otherwise. */
export function judge({ previewed, done, methods, writes, error }: Played, rows: number): string[] {
	if (error !== undefined) return [`ended with "${error}"`];
	const sent = methods.filter((method) => method !== 'GET');
	// Of whom does not exist, only the answer to a write tells.
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
	// What a request comes to of which nobody knows what it does, only the service can say.
	if (preview === 'send') return [];
	if (isError || preview === 'refused') {
		const { details } = json as { details?: IDataObject };
		const refusal = { reason: withoutIds(json.error), howToGoOn: details?.howToGoOn };
		const { reason, howToGoOn } = said;
		return differences({ reason: withoutIds(reason), howToGoOn }, refusal);
	}
	const result = isIdle(is) && preview === 'unchanged' ? 'updated' : RESULTS[String(preview)];
	const wrongs = differences({ result }, { result: json.result });
	if (said.id !== null) wrongs.push(...differences({ id: said.id }, { id: json.id }));
	if (json.changes)
		wrongs.push(...differences({ changes: said.changes }, { changes: json.changes }));
	return wrongs;
}

/** Whether the run wrote without a read of the record, which may have held the same already. */
const isIdle = (is: Outcome | undefined) =>
	is?.json.result === 'updated' && is.json.changes === undefined;

/** A time that is set to the present one is another one in the run. */
const withoutTimes = (value: object) =>
	JSON.stringify(value).replaceAll(/"completedAt":\{[^}]*\}/g, '');

/** Who is created has an ID afterwards alone. */
const withoutIds = (reason: unknown) =>
	String(reason)
		.replaceAll(/\((?:[\da-f-]{36}|created by an earlier item)\)/g, '(…)')
		.split(/(?:: |, )/)
		.sort();

function differences(said: object, is: object): string[] {
	const [one, other] = [said, is].map(withoutTimes);
	return one === other ? [] : [`said ${one}, and is ${other}`];
}
