import type { IDataObject } from 'n8n-workflow';
import type { Version } from './ledger';
import type { Outcome } from './diary';
import { FILTERED_FIELDS } from './schedule';
import type { Finding, Story } from './stories';
import {
	changesIn,
	hasLooked,
	hasTwins,
	isCreatedAhead,
	isArchived,
	isListed,
	isUntold,
	of,
	plain,
	published,
	second,
	secondIn,
	seenIn,
} from './stories';
import { isIn } from './world';

type Found = Omit<Finding, 'record'>;
type Judge = (outcome: Outcome, story: Story) => Found[];

/** "A person/task/comment/entry is created": once, in time, and no earlier record. */
const judgeCreated =
	(event: string): Judge =>
	(outcome, story) => {
		const { world, rounds, records, schedule } = outcome;
		const given = of(event, story);
		const ever = story.ever.filter((one) => one.event === event);
		const { created, stored, isUndated, all, since, isSettled } = story;
		const { from, to } = published(outcome);
		const fits = all.map(({ fields }) => fields !== null && world.fits(fields));
		const found: Found[] = [];
		const own = (sentence: string, text: string) => found.push({ sentence, text });
		if (ever.length > 1 && given.length > 0) {
			own('each starts the workflow once', `${event} ${ever.length} times`);
		}
		// A replica that lags shows earlier changes later.
		const lag = schedule.habits.lagMs / 1000;
		const wasThere = stored < from - lag;
		// A replica that lags still shows a record that was deleted just before publishing.
		const isDeleted = all.some(({ at, fields }) => !fields && second(at) >= from - lag);
		// If a creation time ahead passes before the trigger has read the whole list, the record looks new.
		const pages = records.length / schedule.habits.mostPerPage;
		const looksNew = created >= from && pages > outcome.requestsPerPoll;
		const isShown = all.every((version) => isListed(outcome, version));
		// Without a creation time, or with one ahead, nothing tells a new person from one who comes into the list.
		const cameIn = (isUndated || isCreatedAhead(story)) && !(isShown && fits.every(Boolean));
		if (given.length > 0 && wasThere && !isDeleted && !looksNew && !cameIn)
			own('what was there before does not start it', event);
		// After a newer record has met the filters, older ones do not count as new, unless the whole list is read.
		const hasNewer = (end: number) =>
			records.some(
				({ createdAt, versions }) =>
					second(createdAt) > created &&
					createdAt <= end &&
					versions.some(
						({ at, fields }) => at <= end && fields && world.fits(fields) && !isArchived(fields),
					),
			);
		const isByTime = event === 'personCreated' && schedule.events.length === 1;
		// After a kill, the trigger continues from the mark that n8n had saved, which may be older.
		const isKilled = schedule.lives.some(({ rounds: all }) =>
			all.some(({ restarts }) => restarts.some(({ how }) => how === 'kill')),
		);
		const isLate =
			isByTime &&
			!isKilled &&
			!isUndated &&
			!schedule.habits.ignoresTime &&
			given.length > 0 &&
			rounds.some(({ to: end }) => {
				const until = all.filter(({ at }) => at <= end);
				const isUnmet = until.length > 0 && !until.some((_, index) => fits[index]);
				return isUnmet && given[0].at > end && hasNewer(end);
			});
		if (isLate) own('who meets the filters after somebody newer did', event);
		// If a record has a creation time ahead or none, only its absence in the first reading shows that it is new.
		// After a kill, n8n may have forgotten that.
		// Person Created alone reads the whole list only after the list has shown somebody without a creation time.
		const before = rounds[rounds.findIndex((round) => round.from === since) - 1];
		const showsUndated = records.some(({ isUndated: isAnother, versions }) => {
			const version = versions.filter(({ at }) => at <= (before?.from ?? -Infinity)).at(-1);
			return isAnother && version && isListed(outcome, version) && world.fits(version.fields!);
		});
		const isUnread = !isSettled || (isByTime && isUndated && !showsUndated);
		const isUntimed = isUnread || stored < second(since) || (isByTime && isKilled);
		const isUnknown = (isCreatedAhead(story) || isUndated) && isUntimed;
		if (created <= to || isUnknown || !fits.every(Boolean) || !isShown) return found;
		if (ever.length === 0) own('starts when it is created', `no ${event} for ${created}`);
		else if (hasLooked(outcome, all[0].at, ever[0].at) && given.length > 0)
			own('starts in time', `${event} only ${(ever[0].at - all[0].at) / 60_000} minutes later`);
		return found;
	};

/** "Gets a new `updatedAt`; gives `previousUpdatedAt`". Several changes between two readings are one. */
const judgeUpdated =
	(event: string): Judge =>
	(outcome, story) => {
		const { world } = outcome;
		const given = of(event, story);
		const { from, to } = published(outcome);
		const found: Found[] = [];
		const own = (sentence: string, text: string) =>
			found.push({ sentence, text: `${event}: ${text}` });
		// The trigger does not read hidden people, or people who do not match.
		const isRead = (version: Version) =>
			version.fields && world.fits(version.fields) && isListed(outcome, version);
		// Times may lie ahead, so the order of changes may differ from the order of their times.
		const timeOf = (version: Version) => second(version.updatedAt);
		const times: Array<number | null> = story.all.map(timeOf);
		const place = (at: number | null) => times.lastIndexOf(at);
		const wasRead = story.isKnown && isRead(story.before!);
		let last = wasRead ? timeOf(story.before!) : null;
		// Without a creation time, nothing tells a new person from one who comes into a filtered list.
		const isAmbiguous = story.isUndated && outcome.schedule.filter !== 'none';
		for (const { json } of given) {
			const at = secondIn(json.updatedAt);
			const previous = secondIn(json.previousUpdatedAt);
			const changed = story.all.slice(1).filter((version) => timeOf(version) === at);
			if (isAmbiguous && timeOf(story.all[0]) === at) continue;
			if (changed.length === 0) own('gets a new updatedAt', `${at} is none of its changes`);
			if (timeOf(story.all[0]) === at) own('gets a new updatedAt', `${at} is its creation`);
			if (changed.every((version) => second(version.at) < from))
				own('what was there before does not start it', `${at} is before ${from}`);
			if (place(at) <= place(last)) own('each starts the workflow once', `${at} after ${last}`);
			if (previous !== null) {
				if (place(previous) < 0) own('gives previousUpdatedAt', `${previous} never was`);
				if (place(previous) >= place(at)) own('gives previousUpdatedAt', `${previous} is ${at}`);
				if (place(previous) < place(last))
					own('gives previousUpdatedAt', `${previous}, not ${last}`);
			}
			if (!changed.some(({ fields }) => fields && world.fits(fields)))
				own('filters', `does not fit at ${at}`);
			last = at;
		}
		const old = place(timeOf(story.before ?? story.all[0]));
		// At first sight of a person without a creation time, the change counts as the creation.
		if (isUntold(story) || (story.isUndated && !wasRead && !isAmbiguous)) return found;
		for (const version of seenIn(outcome, story)) {
			const at = timeOf(version);
			const isGiven = given.some(({ json }) => secondIn(json.updatedAt) === at);
			if (place(at) > old && second(version.at) > to && isRead(version) && !isGiven) {
				own('starts when it gets a new updatedAt', `none for ${at}, ${given.length} others`);
			}
		}
		return found;
	};

/** Returns the value of the event's field from an item, and its value before. */
type Told = (json: IDataObject) => { value: unknown; previous: unknown };

/**
 * "Stands in another column; gives `previousStatus`", "`completedAt` is set, or set again", "one of the Watched
 * Fields is another; gives `changes`".
 *
 * @param isMove whether each change of the field is an event. If not, only a new value is one, and no empty value
 */
const judgeField =
	(event: string, field: string, toldIn: Told, isMove = true): Judge =>
	(outcome, story) => {
		const { world, schedule } = outcome;
		// The service may write a time in another form.
		const isTime = ['completedAt', 'dueDate'].includes(field);
		const asKept = (value: unknown) => (isTime ? secondIn(value) : plain(outcome, value) || null);
		const valueIn = (fields: Version['fields']): unknown => fields && asKept(fields[field]);
		const given = of(event, story).map(({ json }) => {
			const { value, previous } = toldIn(json);
			return {
				at: secondIn(json.updatedAt),
				value: asKept(value),
				previous: asKept(previous),
			};
		});
		const found: Found[] = [];
		const own = (sentence: string, text: string) =>
			found.push({ sentence, text: `${event}: ${text}` });
		const values = story.all.map(({ fields }) => valueIn(fields));
		// Only seconds tell changes apart, and the last change of a second may be read late.
		const isTwin = hasTwins(story.all);
		// The list does not show people who do not meet the filters.
		const { before } = story;
		const wasShown =
			before &&
			isListed(outcome, before) &&
			(schedule.watch === 'tasks' || world.fits(before.fields!));
		const isKnown = story.isKnown && wasShown === true;
		const known = isKnown && !isTwin ? valueIn(before.fields) : undefined;
		const isWhole = schedule.filter === 'none' && !isTwin;
		let last = known;
		for (const { at, value, previous } of given) {
			const ofThen = story.all.filter(({ updatedAt }) => second(updatedAt) === at);
			if (!isMove && value === null) own('completedAt is set', 'it is not');
			if (!values.includes(value)) own(`gives ${field}`, `${String(value)} never was`);
			if (value === previous) own(`gives what ${field} was`, `${String(value)} as before`);
			if (!isMove && given.filter((other) => other.value === value).length > 1)
				own('each starts the workflow once', `${String(value)} twice`);
			if (!isMove && value === last) own('each starts the workflow once', `${String(value)} again`);
			if (previous !== null && !values.includes(previous))
				own(`gives what ${field} was`, `${String(previous)} never was`);
			if (isMove && isWhole && last !== undefined && previous !== last)
				own(`gives what ${field} was`, `${String(previous)}, not ${String(last)}`);
			if (!ofThen.some(({ fields }) => fields && world.fits(fields)))
				own('filters', `${String(value)} does not fit`);
			last = value;
		}
		// A task has not moved if the trigger did not read it before the move, or if n8n forgot that.
		const wasForgotten = outcome.forgot.some(
			({ from, to }) => from < story.since && to >= story.since,
		);
		const changes = story.after.filter(({ fields }, index) => {
			const was = index === 0 ? story.before : story.after[index - 1];
			const value = valueIn(fields);
			return fields && value !== (was && valueIn(was.fields)) && (isMove || value !== null);
		});
		// A replica that lags may show the last change of a second in the next round. Changes of a person who was hidden
		// afterwards become visible when the list shows the person again.
		const most = changes.length + (before && !wasShown ? 1 : 0);
		if (given.length > most && !isTwin && !mayComeBack(outcome, story, field)) {
			own('each starts the workflow once', `${given.length} times, ${changes.length} changes`);
		}
		const seen = seenIn(outcome, story).filter(({ fields }) => fields);
		const wasSeen = changesIn(
			seen.map(({ fields }) => valueIn(fields)),
			(value) => isMove || value !== null,
		);
		if (isKnown && isWhole && !wasForgotten && given.length < wasSeen) {
			own(`starts when ${field} changes`, `${given.length} of ${wasSeen} times`);
		}
		const { fields } = story.final;
		const value = valueIn(fields);
		if (!fields || !world.fits(fields) || !isListed(outcome, story.final)) return found;
		if (isTwin || value === null || last === value || isUntold(story)) return found;
		// A change of a record that did not meet the filters is not reported later. Exception: a move,
		// unless the trigger filters by another field than workspace or column.
		const isOfPlace =
			field === 'status' && ['none', 'workspace', 'column'].includes(schedule.filter);
		const isWithin = [before, ...story.after].every((one) => one?.fields && world.fits(one.fields));
		const wasSet = changes.at(-1);
		const isDue = isMove
			? comesIn(outcome, story, field) ||
				(((isKnown && !wasForgotten) || given.length > 0) && (isOfPlace || isWithin))
			: wasSet !== undefined &&
				second(wasSet.at) > published(outcome).to &&
				// A change in the second of publishing may or may not count.
				Number(value) > published(outcome).to &&
				wasSet !== story.all[0] &&
				story.all
					.slice(story.all.indexOf(wasSet))
					.every((one) => one.fields && world.fits(one.fields));
		if (isDue) own(`starts when ${field} changes`, `none for ${String(value)}`);
		return found;
	};

/**
 * Returns whether the trigger must tell that a record came into the list, because it did not meet a filter by the watched
 * field before. The trigger must know the list, and the creation time must lie behind. If the record has met the filter earlier, n8n must not have forgotten that
 * it left, and only a service that shows totals or keeps the requested order proves that it left.
 */
function comesIn({ schedule, world, forgot }: Outcome, story: Story, field: string): boolean {
	const { before, isKnown, all, after } = story;
	const { filter, watch, habits } = schedule;
	if (FILTERED_FIELDS[filter] !== field || !isKnown || !before?.fields) return false;
	if (world.fits(before.fields) || isArchived(before.fields) || isCreatedAhead(story)) return false;
	const earlier = all.slice(0, all.length - after.length);
	if (!earlier.some(({ fields }) => fields && world.fits(fields))) return true;
	return forgot.length === 0 && (watch === 'tasks' || habits.hasTotals || !habits.ignoresTime);
}

/**
 * Returns whether a record may look as if it came into the list again, because the list did not show it for some time: the
 * record was archived, or the list showed only a part of its records.
 */
function mayComeBack({ schedule, shortages }: Outcome, { all }: Story, field: string): boolean {
	if (FILTERED_FIELDS[schedule.filter] !== field || schedule.watch === 'tasks') return false;
	const hidesArchived = !schedule.habits.showsArchived;
	const wasHidden = all.some(({ fields }) => fields && isArchived(fields)) && hidesArchived;
	return wasHidden || shortages.length > 0;
}

const previously =
	(field: string, previousField: string): Told =>
	(json) => ({ value: json[field], previous: json[previousField] });

/**
 * Checks an update of the only watched field. For a list, the value before, with the added and without the removed
 * entries, must give the new value.
 */
const judgeWatched =
	(event: string): Judge =>
	(outcome, story) => {
		const { watchedField = '' } = outcome.schedule;
		const changeIn = ({ changes }: IDataObject) => (changes as IDataObject)[watchedField];
		const found = judgeField(event, watchedField, (json) => {
			const { from, to } = changeIn(json) as IDataObject;
			return { value: to, previous: from };
		})(outcome, story);
		for (const { json } of of(event, story)) {
			const { from, to, added, removed } = changeIn(json) as Record<string, unknown[]>;
			if (!Array.isArray(to)) continue;
			const made = [...(from ?? []).filter((one) => !removed.includes(one)), ...added].sort();
			if (String(made) !== String([...to].sort()))
				found.push({ sentence: 'added and removed', text: JSON.stringify(changeIn(json)) });
		}
		return found;
	};

/** "The due date has come": once for each date, not for earlier dates, and not for completed or archived tasks. */
const judgeDue: Judge = (outcome, story) => {
	const { world, rounds, schedule } = outcome;
	const { from, to } = published(outcome);
	const found: Found[] = [];
	const own = (sentence: string, text: string) =>
		found.push({ sentence, text: `taskDue: ${text}` });
	// Times with a zone have no fractions of a second.
	const dueIn = (fields: Version['fields']) =>
		second(Date.parse(String(fields?.dueDate))) * 1000 - schedule.beforeDue * 60_000;
	/** Whether the time before the due date had begun when the trigger was published, but the date was set later. */
	const isSetSince = (due: number) =>
		second(due + schedule.beforeDue * 60_000) >= from &&
		!story.all.some(({ at, fields }) => second(at) < from && dueIn(fields) === due);
	for (const { at, json } of of('taskDue', story)) {
		const due = dueIn(json);
		if (!(due <= at)) own('the due date has come', `${String(json.dueDate)} had not`);
		if (second(due) < from && !isSetSince(due))
			own('what was due before publishing', String(json.dueDate));
		if (json.completedAt || json.archivedAt) own('nothing that is completed or archived', 'it was');
		if (!story.all.some(({ fields }) => dueIn(fields) === due))
			own('the due date has come', 'whose?');
		const told = story.ever.filter((one) => one.event === 'taskDue' && dueIn(one.json) === due);
		const dates = story.all.map(({ fields }) => dueIn(fields));
		const times = dates.filter((one, index) => one === due && dates[index - 1] !== due).length;
		if (told.length > times) own('once for each date', `${told.length} times, not ${times}`);
	}
	const { fields } = story.final;
	if (!fields || fields.completedAt || isArchived(fields)) return found;
	const due = dueIn(fields);
	const end =
		rounds[story.deliveries[0]?.round ?? rounds.findIndex((one) => one.from === story.since)].to;
	const fits = story.all.every((one) => one.fields && world.fits(one.fields));
	const hasCome = due > (to + 1) * 1000 && due < end - schedule.habits.lagMs;
	const isTold = story.ever.some((one) => dueIn(one.json) === due && one.event === 'taskDue');
	if (hasCome && fits && !isTold && hasLooked(outcome, Math.max(due, story.final.at), end)) {
		own('the due date has come', `none for ${String(fields.dueDate)}`);
	}
	return found;
};

const judgeUpdates =
	(event: string): Judge =>
	(outcome, story) => {
		const isWatched = outcome.schedule.watchedField !== undefined;
		return (isWatched ? judgeWatched : judgeUpdated)(event)(outcome, story);
	};

const [ADDED, REMOVED] = ['personAddedToSegment', 'personRemovedFromSegment'];

/** "Comes into the chosen segment", "leaves it, or is deleted": each once, alternating. */
const judgeSegment: Judge = (outcome, story) => {
	const { world, schedule } = outcome;
	const found: Found[] = [];
	const isMember = (version: Version | undefined) =>
		Boolean(version?.fields && isIn(world.segment, version.fields));
	const isAway = (version: Version | undefined) =>
		Boolean(version?.fields && isArchived(version.fields));
	const versions = [story.before, ...story.after];
	let [joined, left] = [0, 0];
	for (const [index, version] of versions.entries()) {
		const was = versions[index - 1];
		if (index === 0) continue;
		// Changes of an archived person may become visible when the person is deleted.
		if (isAway(was) && !version?.fields && story.all.some(isMember)) left++;
		if (isMember(was) === isMember(version)) continue;
		if (isMember(version)) joined++;
		else left++;
	}
	// A person who joined and was archived before the next reading becomes visible after being restored.
	if (isAway(story.before) && !schedule.habits.showsArchived) {
		const unseen = story.all.filter(
			(version, index) =>
				version.at < story.since && isMember(version) && !isMember(story.all[index - 1]),
		).length;
		const given = story.ever.filter(({ at, event }) => at < story.since && event === ADDED).length;
		joined += Math.max(0, unseen - given);
	}
	const [added, removed] = [of(ADDED, story).length, of(REMOVED, story).length];
	const own = (sentence: string, text: string) => {
		const turns = story.deliveries.map(({ event }) => (event === ADDED ? '+' : '-')).join('');
		found.push({ sentence, text: `${text} (${turns || 'none'}; joined ${joined}, left ${left})` });
	};
	const whose = versions.some(isAway) ? ', of who is archived' : '';
	if (added > joined) own(`comes into the segment, once${whose}`, `${added} times added`);
	if (removed > left) own(`leaves the segment, once${whose}`, `${removed} times removed`);
	const fitting = versions.filter((version) => version?.fields && world.fits(version.fields));
	if (fitting.length === 0 && added + removed > 0) {
		own(story.final.fields ? 'filters' : 'filters, of who is deleted', 'does not fit');
	}
	const fits = versions.every((version) => !version?.fields || world.fits(version.fields));
	const isTwin = hasTwins(versions.filter((version) => version !== undefined));
	if (!fits || versions.some(isAway) || isTwin) return found;
	const [from, to] = [isMember(story.before), isMember(story.final)];
	const hasBoth = schedule.events.length === 2;
	if (story.isSettled) {
		const seen = seenIn(outcome, story).map(isMember);
		// A new person comes from outside the segment.
		if (!story.before) seen.unshift(false);
		const comes = changesIn(seen, (is) => is);
		const leaves = changesIn(seen, (is) => !is);
		if (schedule.events.includes(ADDED) && added < comes)
			own('comes into the segment', `${added} of ${comes} times added`);
		if (schedule.events.includes(REMOVED) && removed < leaves)
			own('leaves the segment', `${removed} of ${leaves} times removed`);
		if (hasBoth && added - removed !== Number(to) - Number(from))
			own('comes and leaves', `ends as ${to ? 'a member' : 'none'}`);
	}
	if (!hasBoth) return found;
	for (const [index, { event }] of story.deliveries.entries()) {
		if (index > 0 && story.deliveries[index - 1].event === event)
			own('each once', `${event} twice in turn`);
	}
	const last = story.deliveries.at(-1);
	if (last && (last.event === ADDED) !== to)
		own('comes and leaves', `${last.event}, but it ends otherwise`);
	return found;
};

/** Judges of each event, from the sentences of README.md. */
export const EVENT_JUDGES: Record<string, Judge> = {
	personCreated: judgeCreated('personCreated'),
	personUpdated: judgeUpdates('personUpdated'),
	personAddedToSegment: judgeSegment,
	personRemovedFromSegment: judgeSegment,
	taskCreated: judgeCreated('taskCreated'),
	taskUpdated: judgeUpdates('taskUpdated'),
	taskMoved: judgeField('taskMoved', 'status', previously('status', 'previousStatus')),
	taskDue: judgeDue,
	taskCompleted: judgeField(
		'taskCompleted',
		'completedAt',
		previously('completedAt', 'previousCompletedAt'),
		false,
	),
	commentAdded: judgeCreated('commentAdded'),
	historyAdded: judgeCreated('historyAdded'),
};
