import type { Finding, Story } from './findings';
import { hasTwins, isArchived, of } from './findings';
import type { Version } from './ledger';
import { changesIn, seenIn } from './looks';
import type { Outcome } from './play';
import { isIn } from './world';

const [ADDED, REMOVED] = ['personAddedToSegment', 'personRemovedFromSegment'];

/** "Comes into the chosen segment", "leaves it, or is deleted": each once, in turns. */
export function judgeSegment(outcome: Outcome, story: Story): Array<Omit<Finding, 'record'>> {
	const { world, plan } = outcome;
	const found: Array<Omit<Finding, 'record'>> = [];
	const isMember = (version: Version | undefined) =>
		Boolean(version?.fields && isIn(world.segment, version.fields));
	const isAway = (version: Version | undefined) =>
		Boolean(version?.fields && isArchived(version.fields));
	const versions = [story.before, ...story.after];
	let [joined, left] = [0, 0];
	for (const [index, version] of versions.entries()) {
		const was = versions[index - 1];
		if (index === 0) continue;
		// What happens to somebody who is archived may be seen once they are deleted.
		if (isAway(was) && !version?.fields && story.all.some(isMember)) left++;
		if (isMember(was) === isMember(version)) continue;
		if (isMember(version)) joined++;
		else left++;
	}
	// Who joined and was archived before anybody looked comes into sight once they are restored.
	if (isAway(story.before) && !plan.habits.showsArchived) {
		const unseen = story.all.filter(
			(version, index) =>
				version.at < story.since && isMember(version) && !isMember(story.all[index - 1]),
		).length;
		const given = outcome.deliveries.filter(
			({ id, at, event }) => id === story.id && at < story.since && event === ADDED,
		).length;
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
	const fits = versions.every((version) => !version?.fields || world.fits(version.fields));
	if (
		!versions.some((version) => version?.fields && world.fits(version.fields)) &&
		added + removed > 0
	) {
		own(story.final.fields ? 'filters' : 'filters, of who is deleted', 'does not fit');
	}
	if (
		!fits ||
		versions.some(isAway) ||
		hasTwins(versions.filter((version) => version !== undefined))
	)
		return found;
	const [from, to] = [isMember(story.before), isMember(story.final)];
	const net = Number(to) - Number(from);
	const hasBoth = plan.events.length === 2;
	if (story.isSettled) {
		const seen = seenIn(outcome, story).map(isMember);
		// Who is created comes from outside.
		if (!story.before) seen.unshift(false);
		const comes = changesIn(seen, (is) => is);
		const leaves = changesIn(seen, (is) => !is);
		if (plan.events.includes(ADDED) && added < comes)
			own('comes into the segment', `${added} of ${comes} times added`);
		if (plan.events.includes(REMOVED) && removed < leaves)
			own('leaves the segment', `${removed} of ${leaves} times removed`);
		if (hasBoth && added - removed !== net)
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
}
