import type { Finding, Story } from './findings';
import { hasTwins, isArchived, of, published, seconds, wasHidden } from './findings';
import type { Version } from './ledger';
import { changesIn, seenIn } from './looks';
import type { Outcome } from './play';

type Found = Omit<Finding, 'record'>;
type Judge = (outcome: Outcome, story: Story) => Found[];

/** "A person/task/comment/entry is created": once, and none that was there before. */
export const judgeCreated =
	(event: string): Judge =>
	(outcome, story) => {
		const { world, rounds } = outcome;
		const given = of(event, story);
		const [first] = story.all;
		const { from, to } = published(outcome);
		const ever = outcome.deliveries.filter((one) => one.event === event && one.id === story.id);
		const fits = story.all.map(({ fields }) => fields !== null && world.fits(fields));
		const found: Found[] = [];
		if (ever.length > 1 && given.length > 0) {
			found.push({
				sentence: 'each starts the workflow once',
				text: `${event} ${ever.length} times`,
			});
		}
		if (given.length > 0 && first.second < from) {
			found.push({ sentence: 'what was there before does not start it', text: event });
		}
		// Once somebody newer has met the filters, nobody from before them is new, unless all are read.
		const hasNewer = (end: number) =>
			[...world.ledger.records.values()].some(
				([one, ...others]) =>
					one.second > first.second &&
					[one, ...others].some(
						({ at, fields }) => at <= end && fields && world.fits(fields) && !isArchived(fields),
					),
			);
		const isLate =
			event === 'personCreated' &&
			!outcome.plan.events.includes('personUpdated') &&
			rounds.some(({ to: end }) => {
				const until = story.all.filter(({ at }) => at <= end);
				return (
					until.length > 0 &&
					!until.some((_, index) => fits[index]) &&
					given[0]?.at > end &&
					hasNewer(end)
				);
			});
		if (isLate) {
			found.push({ sentence: 'who meets the filters after somebody newer did', text: event });
		}
		const isDue = first.second > to && fits.every(Boolean) && !wasHidden(story);
		if (isDue && ever.length === 0) {
			found.push({
				sentence: 'starts when it is created',
				text: `no ${event} for ${first.second}`,
			});
		}
		return found;
	};

/** "Gets a new `updatedAt`; gives `previousUpdatedAt`"; several changes between two looks are one. */
export const judgeUpdated =
	(event: string): Judge =>
	(outcome, story) => {
		const { world, plan } = outcome;
		const given = of(event, story);
		const { from, to } = published(outcome);
		const found: Found[] = [];
		const own = (sentence: string, text: string) =>
			found.push({ sentence, text: `${event}: ${text}` });
		// Who was hidden, or did not fit, was not read.
		const isRead = ({ fields }: Version) =>
			fields && world.fits(fields) && (plan.habits.showsArchived || !isArchived(fields));
		let last = story.isKnown && isRead(story.before!) ? story.before!.second : -1;
		for (const { json } of given) {
			const second = seconds(json.updatedAt)!;
			const previous = seconds(json.previousUpdatedAt);
			const changed = story.all.slice(1).filter((version) => version.second === second);
			if (changed.length === 0) own('gets a new updatedAt', `${second} is none of its changes`);
			if (second === story.all[0].second) own('gets a new updatedAt', `${second} is its creation`);
			if (second < from)
				own('what was there before does not start it', `${second} is before ${from}`);
			if (second <= last) own('each starts the workflow once', `${second} after ${last}`);
			if (previous !== null && !story.all.some((version) => version.second === previous)) {
				own('gives previousUpdatedAt', `${previous} never was`);
			}
			if (previous !== null && previous >= second)
				own('gives previousUpdatedAt', `${previous} is ${second}`);
			if (previous !== null && previous < last)
				own('gives previousUpdatedAt', `${previous}, not ${last}`);
			if (!changed.some(({ fields }) => fields && world.fits(fields))) {
				own('filters', `does not fit at ${second}`);
			}
			last = second;
		}
		const old = Math.max(to, (story.before ?? story.all[0]).second);
		for (const version of seenIn(outcome, story)) {
			const { second } = version;
			const isGiven = given.some(({ json }) => seconds(json.updatedAt) === second);
			if (second > old && isRead(version) && !isGiven) {
				own('starts when it gets a new updatedAt', `none for ${second}, ${given.length} others`);
			}
		}
		return found;
	};

/** "Stands in another column; gives `previousStatus`", "`completedAt` is set, or set again". */
export const judgeField =
	(event: string, field: string, previousField: string): Judge =>
	(outcome, story) => {
		const { world, plan } = outcome;
		const given = of(event, story);
		const found: Found[] = [];
		const own = (sentence: string, text: string) =>
			found.push({ sentence, text: `${event}: ${text}` });
		const values = story.all.map(({ fields }) => fields?.[field]);
		const isMove = event === 'taskMoved';
		// Seconds are all that tells changes apart, and the last of a second may be read late.
		const isTwin = hasTwins(story.all);
		const known = story.isKnown && !isTwin ? story.before!.fields?.[field] : undefined;
		let last = known;
		for (const { json } of given) {
			const [value, previous] = [json[field], json[previousField]];
			const of = story.all.filter(({ second }) => second === seconds(json.updatedAt));
			if (value === null || value === undefined) own('completedAt is set', 'it is not');
			if (!values.includes(value)) own(`gives ${field}`, `${value} never was`);
			if (value === previous) own(`gives ${previousField}`, `${value} as before`);
			if (!isMove && given.filter(({ json: other }) => other[field] === value).length > 1)
				own('each starts the workflow once', `${value} twice`);
			if (!isMove && value === last) own('each starts the workflow once', `${value} again`);
			if (previous !== null && !values.includes(previous))
				own(`gives ${previousField}`, `${previous} never was`);
			const isChain = isMove && plan.filter === 'none' && last !== undefined && !isTwin;
			if (isChain && previous !== last) own(`gives ${previousField}`, `${previous}, not ${last}`);
			if (!of.some(({ fields }) => fields && world.fits(fields)))
				own('filters', `${value} does not fit`);
			last = value;
		}
		// A task that was not read before its move, or that n8n forgot, has not moved.
		const wasForgotten = outcome.forgot.some(
			({ from, to }) => from < story.since && to >= story.since,
		);
		const changes = story.after.filter(({ fields }, index) => {
			const was = index === 0 ? story.before?.fields : story.after[index - 1].fields;
			return fields && fields[field] !== was?.[field] && (isMove || fields[field] !== null);
		});
		if (given.length > changes.length) {
			own('each starts the workflow once', `${given.length} times, ${changes.length} changes`);
		}
		const seen = seenIn(outcome, story).filter(({ fields: it }) => it);
		const wasSeen = changesIn(
			seen.map(({ fields: it }) => it![field]),
			(it) => isMove || it !== null,
		);
		if (
			story.isKnown &&
			plan.filter === 'none' &&
			!isTwin &&
			!wasForgotten &&
			given.length < wasSeen
		) {
			own(`starts when ${field} changes`, `${given.length} of ${wasSeen} times`);
		}
		const { fields } = story.final;
		const value = fields?.[field];
		if (!fields || !world.fits(fields) || isTwin || value === null || last === value) return found;
		const wasSet = changes.at(-1);
		const isDue = isMove
			? (story.isKnown && !wasForgotten) || given.length > 0
			: wasSet !== undefined &&
				wasSet.second > published(outcome).to &&
				wasSet !== story.all[0] &&
				story.all
					.slice(story.all.indexOf(wasSet))
					.every((one) => one.fields && world.fits(one.fields));
		if (isDue) own(`starts when ${field} changes`, `none for ${value}, ${given.length} before`);
		return found;
	};
