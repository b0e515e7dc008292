import { EVENT_JUDGES } from './judgeEvents';
import type { Outcome } from './diary';
import { play } from './play';
import type { Schedule } from './schedule';
import type { Finding } from './stories';
import { stories } from './stories';

/** Plays a schedule, and returns the deviations of the trigger from README.md. */
export async function findings(schedule: Schedule): Promise<string[]> {
	const outcomes = await play(schedule);
	return outcomes.flatMap((outcome) => {
		const found = [...judgeExecutions(outcome), ...judgePolls(outcome), ...judgeRecords(outcome)];
		return found.map((finding) => told(outcome, finding));
	});
}

/** Describes a finding: the changes of the record, and the items that started the workflow. */
export function told(
	{ records, deliveries, polls }: Outcome,
	{ sentence, record, text }: Finding,
): string {
	const time = (at: number) => `+${((at - polls[0].from) / 60_000).toFixed(2)}min`;
	const versions = records.find(({ id }) => id === record)?.versions ?? [];
	const given = deliveries.filter(({ id }) => id === record).slice(0, 6);
	return [
		`${sentence}: ${record} ${text}`,
		...versions.map(({ at, fields }) => `  ${time(at)} is ${JSON.stringify(fields)}`),
		...given.map(({ at, json }) => `  ${time(at)} starts it: ${JSON.stringify(json)}`),
	].join('\n');
}

/** Compares the items that started the workflow with README.md. */
export function judgeRecords(outcome: Outcome): Finding[] {
	const { schedule, deliveries, records, wrongs } = outcome;
	const found: Finding[] = wrongs.map((text) => ({ sentence: 'begins anew', record: '', text }));
	const ids = new Set(records.map(({ id }) => id));
	for (const { event, id } of deliveries) {
		const own = (sentence: string) => found.push({ sentence, record: id, text: event });
		if (!schedule.events.includes(event)) own('only the chosen events');
		if (!ids.has(id)) own('only records of the list');
	}
	const judges = new Set(schedule.events.map((event) => EVENT_JUDGES[event]));
	for (const story of stories(outcome)) {
		for (const one of judges) {
			found.push(...one(outcome, story).map((finding) => ({ ...finding, record: story.id })));
		}
	}
	return found;
}

/** Checks when n8n has to save although nothing starts the workflow. */
export function judgeExecutions({ schedule, polls }: Outcome): Finding[] {
	const found: Finding[] = [];
	const executions = polls.filter(({ items }) => items !== null);
	const empty = executions.filter(({ items }) => items === 0).length;
	const days = (polls.at(-1)!.to - polls[0].from) / 86_400_000;
	const restarts = polls.filter(({ isFresh }) => isFresh).length;
	if (empty > Math.ceil(executions.length / 10) + Math.ceil(days) + restarts) {
		const text = `${empty} of ${executions.length} in ${days} days`;
		found.push({ sentence: 'one empty execution to ten, or one a day', record: 'poll 0', text });
	}
	let executed = -Infinity;
	for (const [index, { items, from }] of polls.entries()) {
		const own = (sentence: string, text: string) =>
			found.push({ sentence, record: `poll ${index}`, text });
		if (items === 0 && schedule.host === 'durableCursors')
			own('with durable cursors no empty executions', '');
		if (items === 0 && from - executed < 600_000) {
			own('empty executions after ten minutes', `after ${(from - executed) / 60_000} min`);
		}
		if (items !== null || index === 0) executed = from;
	}
	return found;
}

/** Checks the cost of polls, and how failures show. */
function judgePolls({ schedule, polls, isLater, isDamaged }: Outcome): Finding[] {
	const found: Finding[] = [];
	// A failure in the life before may end in this life of the trigger.
	let [hasFailed, wasRefused] = [isLater, isLater];
	// A failure with another message is a new failure.
	const failed = new Map<string | undefined, number>();
	for (const [index, poll] of polls.entries()) {
		const { requests, refused, tooMany, from, failure, isFresh } = poll;
		const own = (sentence: string, text: string) =>
			found.push({ sentence, record: `poll ${index}`, text });
		wasRefused ||= refused > 0;
		const saysDamage =
			failure?.startsWith('The saved state of this trigger cannot be read') === true;
		if (saysDamage !== (isDamaged && index === 1 && !isFresh)) own('begins anew', String(failure));
		if (saysDamage) continue;
		// A new process does not know earlier failures.
		if (isFresh) {
			failed.clear();
			hasFailed = false;
		}
		const isEnd = failure?.startsWith('The trigger reads again') === true;
		const sentence = `at most Max Requests per Check${refused > 0 ? ', while it fails' : ''}`;
		const before = polls[index - 1]?.from ?? from - schedule.intervalMinutes * 60_000;
		const minutesApart = Math.ceil((from - before) / 60_000);
		// A trigger that is behind also uses requests that other triggers leave free in the half for polls.
		const half = Math.max(10, 2 * schedule.maxRequests);
		// Publishing reads ten pages, and checks up to two records besides.
		const perMinute = Math.max(half, index === 0 ? 12 : 0);
		const most = schedule.isByInterval
			? perMinute * Math.max(1, minutesApart)
			: schedule.maxRequests;
		if (requests - tooMany > most) own(sentence, `${requests} requests`);
		if (failure && !wasRefused) own('when a poll fails', `failed without a reason: ${failure}`);
		// Items read before a failure start the workflow. The failure comes with the next poll.
		const isOfLast = index > 0 && requests === 0 && polls[index - 1].refused > 0;
		if (failure && refused === 0 && !hasFailed && !isOfLast)
			own('when a poll fails', `an end without a failure: ${failure}`);
		const minutes = (from - (failed.get(failure) ?? -Infinity)) / 60_000;
		if (failure && !isEnd && refused > 0 && hasFailed && minutes < 59 && refused === requests) {
			own('a failure once an hour', `again after ${minutes} min: ${failure}`);
		}
		// If a service fails from time to time, each time counts as a new failure.
		if (refused < requests) failed.clear();
		if (failure && !isEnd && (refused > 0 || isOfLast)) {
			failed.set(failure, from);
			hasFailed = true;
		} else if (failure) {
			failed.clear();
			[hasFailed, wasRefused] = [false, false];
		}
	}
	return found;
}
