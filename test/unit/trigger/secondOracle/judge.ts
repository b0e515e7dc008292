import type { Finding } from './findings';
import { stories } from './findings';
import { judgeCreated, judgeField, judgeUpdated } from './judgeRecords';
import { judgeSegment } from './judgeSegment';
import type { Outcome } from './play';

const JUDGES = {
	personCreated: judgeCreated('personCreated'),
	personUpdated: judgeUpdated('personUpdated'),
	personAddedToSegment: judgeSegment,
	personRemovedFromSegment: judgeSegment,
	taskCreated: judgeCreated('taskCreated'),
	taskUpdated: judgeUpdated('taskUpdated'),
	taskMoved: judgeField('taskMoved', 'status', 'previousStatus'),
	taskCompleted: judgeField('taskCompleted', 'completedAt', 'previousCompletedAt'),
	commentAdded: judgeCreated('commentAdded'),
	historyAdded: judgeCreated('historyAdded'),
};

/** Holds what happened against what README.md says. */
export function judge(outcome: Outcome): Finding[] {
	const { plan, deliveries, world } = outcome;
	const found: Finding[] = judgePolls(outcome);
	for (const { event, id } of deliveries) {
		const own = (sentence: string) => found.push({ sentence, record: id, text: event });
		if (!plan.events.includes(event)) own('only the chosen events');
		if (!world.ledger.records.has(id)) own('only records of the list');
	}
	const judges = new Set(plan.events.map((event) => JUDGES[event as keyof typeof JUDGES]));
	for (const story of stories(outcome)) {
		for (const one of judges) {
			found.push(...one(outcome, story).map((finding) => ({ ...finding, record: story.id })));
		}
	}
	return found;
}

/** What a poll costs, how a failure shows, and when n8n is made to save. */
function judgePolls({ plan, polls }: Outcome): Finding[] {
	const found: Finding[] = [];
	const executions = polls.filter(({ items }) => items !== null);
	const empty = executions.filter(({ items }) => items === 0).length;
	const days = (polls.at(-1)!.to - polls[0].from) / 86_400_000;
	const restarts = polls.filter(({ isFresh }) => isFresh).length;
	if (empty > Math.ceil(executions.length / 10) + Math.ceil(days) + restarts) {
		const text = `${empty} of ${executions.length} in ${days} days`;
		found.push({ sentence: 'one empty execution to ten, or one a day', record: 'poll 0', text });
	}
	let [executed, hasFailed, wasRefused] = [-Infinity, false, false];
	// What fails otherwise than before is another failure.
	const failed = new Map<string | undefined, number>();
	for (const [
		index,
		{ requests, refused, tooMany, from, to, items, failure, isFresh },
	] of polls.entries()) {
		const own = (sentence: string, text: string) =>
			found.push({ sentence, record: `poll ${index}`, text });
		wasRefused ||= refused > 0;
		// Another process knows nothing of what was thrown before.
		if (isFresh) {
			failed.clear();
			hasFailed = false;
		}
		const isEnd = failure?.startsWith('The trigger reads again') === true;
		const sentence = `at most Max Requests per Poll${refused > 0 ? ', while it fails' : ''}`;
		if (requests - tooMany > plan.maxRequests) own(sentence, `${requests} requests`);
		if (failure && !wasRefused) own('when a poll fails', `failed without a reason: ${failure}`);
		// What was read before a failure starts the workflow; the failure comes with the next poll.
		const isOfLast = index > 0 && requests === 0 && polls[index - 1].refused > 0;
		if (failure && refused === 0 && !hasFailed && !isOfLast)
			own('when a poll fails', `an end without a failure: ${failure}`);
		const minutes = (from - (failed.get(failure) ?? -Infinity)) / 60_000;
		if (failure && !isEnd && refused > 0 && hasFailed && minutes < 59) {
			if (refused === requests)
				own('a failure once an hour', `again after ${minutes} min: ${failure}`);
		}
		if (items === 0 && plan.host === 'durableCursors')
			own('with durable cursors no empty executions', '');
		if (items === 0 && from - executed < 600_000) {
			own('empty executions after ten minutes', `after ${(from - executed) / 60_000} min`);
		}
		// A service that fails now and then begins to fail anew each time.
		if (refused < requests) failed.clear();
		if (failure && !isEnd && (refused > 0 || isOfLast)) {
			failed.set(failure, from);
			hasFailed = true;
		} else if (failure) {
			failed.clear();
			[hasFailed, wasRefused] = [false, false];
		}
		if (items !== null || index === 0) executed = to;
	}
	return found;
}
