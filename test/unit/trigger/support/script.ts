import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { TenantHabits } from './habits';
import type { TriggerSetup } from './openTenant';
import { openTenant, OpenTrigger } from './openTenant';
import { MINUTE_MS, WATCHED } from './schedule';
import { byId } from './world';

/** Returns a tenant with some records of each kind. */
export function furnished(habits: Partial<TenantHabits> = {}) {
	const tenant = openTenant(habits);
	const segment = tenant.create('/segments', { title: 'Newsletter' });
	const inIt = { segments: [`/segments/${segment}`] };
	const member = tenant.create('/people', { ...inIt, tags: ['/tags/1'] });
	const other = tenant.create('/people', { ...inIt, tags: ['/tags/2'] });
	const person = tenant.create('/people', { familyName: 'Visser' });
	const workspace = tenant.create('/workspaces', { title: 'Sales' });
	const column = (name: string) => `/workspaces/${workspace}/columns/${name}`;
	const task = tenant.create('/tasks', { title: 'Call', status: column('a') });
	const comment = tenant.create(`/tasks/${task}/comments`, { description: 'Done' });
	const many = (path: string, count: number, fields: IDataObject = {}, apartMs = 0) =>
		Array.from({ length: count }, (_, index) => {
			tenant.passTo(tenant.now + apartMs);
			return tenant.create(path, { title: `Task ${String(index).padStart(3, '0')}`, ...fields });
		});
	const change = (path: string, id: string, fields: IDataObject) => () =>
		tenant.change(path, id, fields);
	return { tenant, segment, inIt, member, other, person, column, task, comment, many, change };
}

export type Furnished = ReturnType<typeof furnished>;

/** The changes before each poll, counted from 0; the expected items; and the expected failures. */
export type Course = [
	acts: Record<number, (trigger: OpenTrigger) => unknown>,
	items: IDataObject[],
	failures?: Array<RegExp | string>,
];

interface Options {
	habits?: Partial<TenantHabits>;
	setup?: TriggerSetup;
	/** Number of polls; default 20. */
	polls?: number;
	/** Minutes between two polls. */
	apart?: number;
	/** Most seconds of a poll. */
	seconds?: number;
}

export interface Script extends Options {
	/** The changes, and after a colon the items that start the workflow, or the failures. */
	name: string;
	parameters: (on: Furnished) => INodeParameters;
	/** Prepares the records, and returns the course. */
	play: (on: Furnished) => Course;
}

export const script = (
	name: string,
	parameters: Script['parameters'],
	play: Script['play'],
	options: Options = {},
): Script => ({ name, parameters, play, ...options });

/** Plays a script, and compares the items and failures with it. */
export async function expectScript(given: Script): Promise<void> {
	const { habits, setup, parameters, play, polls, apart = 1, seconds = Infinity } = given;
	const on = furnished(habits);
	const [acts, expected, expectedFailures = []] = play(on);
	const { trigger, items, failures, longestMs, poll } = follow(on, parameters(on), setup);
	await poll(polls ?? 20, apart * MINUTE_MS, (count) => acts[count]?.(trigger));
	expect(failures).toEqual(
		expectedFailures.map((words) => expect.stringMatching(words) as unknown as string),
	);
	expect(items).toMatchObject(expected);
	expect(longestMs()).toBeLessThanOrEqual(seconds * 1000);
}

/** Returns a trigger with polls at intervals, its items with their times, and its failures. */
export function follow(
	{ tenant }: Furnished,
	parameters: INodeParameters,
	setup: TriggerSetup = {},
) {
	tenant.passTo(tenant.now + MINUTE_MS);
	const trigger = new OpenTrigger(tenant, { output: 'raw', ...parameters }, setup);
	const items: IDataObject[] = [];
	const found: Array<{ at: number; item: IDataObject }> = [];
	const failures: string[] = [];
	let [endedAt, longest] = [tenant.now, 0];
	/** @param act changes before each poll, counted from 0 */
	const poll = async (
		polls = 1,
		apartMs = MINUTE_MS,
		act: (poll: number) => unknown = () => {},
	) => {
		for (let count = 0; count < polls; count++) {
			const at = Math.max(endedAt + apartMs, tenant.now);
			// Nothing tells two changes within one second apart.
			tenant.passTo(at - 2000);
			act(count);
			const end = await trigger.poll(at);
			items.push(...(end.items ?? []));
			for (const item of end.items ?? []) found.push({ at: tenant.now, item });
			if (end.failure) failures.push(end.failure.message);
			endedAt = tenant.now;
			longest = Math.max(longest, endedAt - at);
			tenant.passTo(endedAt + 2000);
		}
	};
	const ids = () => items.map(({ id }) => id);
	return { trigger, items, found, failures, ids, longestMs: () => longest, poll };
}

/** Returns the list of an event, and the parameters of a trigger on it. */
export function watchedOf(
	event: string,
	on: Furnished,
): [path: string, parameters: INodeParameters] {
	const [watch] = Object.entries(WATCHED).find(([, events]) =>
		events.some((one) => one === event),
	)!;
	const isOfTask = watch === 'comments' || watch === 'history';
	const path = isOfTask ? `/tasks/${on.task}/${watch}` : watch === 'tasks' ? '/tasks' : '/people';
	const which = isOfTask ? { taskId: byId(on.task) } : {};
	return [
		path,
		{ watch, ...which, ...(watch === 'segment' ? { segmentId: byId(on.segment) } : {}) },
	];
}

/** Returns the parameters of a trigger on one or several events of a list. */
export const watching =
	(named: string | readonly string[], others: INodeParameters = {}) =>
	(on: Furnished): INodeParameters => {
		const events = [named].flat() as string[];
		return { ...watchedOf(events[0], on)[1], events, ...others };
	};
