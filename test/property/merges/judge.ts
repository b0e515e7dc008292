import { type DrawnMerge, NAMES, STRANGER } from './drawn';
import type { PlayedMerge, Step, Stored } from './play';

/** Returns a form that all spellings of an address share. The rule is that of this test, and not that of the node. */
function emailForm(email: string | null): string {
	return String(email).toLowerCase();
}
function phoneForm(phone: string | null): string {
	return String(phone).replace(/\D/g, '').slice(-8);
}

function entriesOf({ emailAddresses, phoneNumbers, tags }: Stored): string[] {
	return [
		...emailAddresses.map(({ email }) => `mail ${emailForm(email)}`),
		...phoneNumbers.map(({ phoneNumber }) => `number ${phoneForm(phoneNumber)}`),
		...tags.map((tag) => `tag ${tag}`),
	];
}

function identitiesOf(person: Stored): string[] {
	const values = entriesOf(person).filter((entry) => !entry.startsWith('tag'));
	return [...values, ...(person.networkId ? [`network ${person.networkId}`] : [])];
}

const isStranger = ({ familyName }: Stored) => familyName === NAMES[STRANGER]!.familyName;
/** Returns whether a person has a given name and a family name. Only two such names can contradict each other. */
const isWhole = ({ givenName, familyName }: Stored) => Boolean(givenName && familyName);
const contradict = (one: Stored, other: Stored) =>
	isWhole(one) && isWhole(other) && isStranger(one) !== isStranger(other);

const lacked = (kept: Stored, other: Stored) => {
	const has = new Set(entriesOf(kept));
	return entriesOf(other).filter((entry) => !has.has(entry));
};

/** Returns what a merge has done wrong, one sentence each. */
export function findings(drawn: DrawnMerge, played: PlayedMerge): string[] {
	const { ids, start, steps, errors, made } = played;
	const [keptId = ''] = ids;
	const from = drawn.from.map((position) => ids[position]!).filter((id) => id !== keptId);
	const found: string[] = [];
	const idIn = ({ path }: Step) => path.split('/').at(-1)!;
	const lastRead = (id: string, before: number) =>
		steps
			.slice(0, before)
			.reverse()
			.find((step) => step.method === 'GET' && idIn(step) === id && step.status === 200)
			?.before.get(id);
	const writes = steps
		.map((step, at) => ({ step, at }))
		.filter(({ step }) => step.method !== 'GET');
	const firstOfRun = (run: number) => writes.find(({ step }) => step.run === run);

	for (const { step } of writes) {
		const id = idIn(step);
		const names = Object.keys(step.body).join();
		if (id !== keptId && !from.includes(id)) found.push(`Somebody else was written: ${id}`);
		if (id !== keptId && names !== 'archivedAt') found.push(`${id} was written: ${names}`);
		if (id === keptId && 'archivedAt' in step.body) found.push('The kept person was archived');
	}

	for (const { step, at } of writes.filter(({ step: one }) => idIn(one) !== keptId)) {
		const id = idIn(step);
		const kept = lastRead(keptId, at);
		const other = lastRead(id, at);
		if (!kept || !other) {
			found.push(`${id} was archived without a read`);
			continue;
		}
		if (kept.archivedAt) found.push('Somebody was archived although nobody was left');
		const missing = lacked(kept, other);
		if (missing.length > 0) found.push(`Archived before the kept person showed ${missing.join()}`);
		const first = firstOfRun(step.run)!;
		const [one, two] = [lastRead(keptId, first.at), lastRead(id, first.at)];
		// The first run may already have given the kept person the values of the others. So only the people before the first
		// run show whether the rules allowed the merge.
		if (step.run > 0 || !one || !two) continue;
		if (two.archivedAt) found.push(`${id} was archived at the time of the merge`);
		const shares = identitiesOf(two).some((value) => identitiesOf(one).includes(value));
		if (drawn.mustShare && !shares) found.push(`${id} shares nothing with the kept person`);
		if (!drawn.mayDiffer && contradict(one, two)) found.push(`${id} has quite another name`);
	}

	const removed = made.some(({ what, who }) => what === 'noEmail' && who === 0);
	const archivedByOthers = made.some(({ what, who }) => what === 'archive' && who === 0);
	for (const [run, error] of errors.entries()) {
		if (error !== undefined) continue;
		const own = steps.filter((step) => step.run <= run);
		const { after } = own.at(-1)!;
		for (const id of from) {
			// Colleagues may change a person after the archiving, which is no part of the merge. So `other` is the person right
			// after the archiving. If the run did not archive the person, `other` is the person as the node last read it.
			const archivings = own.filter(
				(step) => step.method === 'PATCH' && idIn(step) === id && step.after.get(id)?.archivedAt,
			);
			const archived = archivings.at(-1)?.after.get(id);
			const other = (archived ?? lastRead(id, own.length) ?? after.get(id))!;
			if (!other.archivedAt) found.push(`${id} is active after run ${run}`);
			const missing = lacked(after.get(keptId)!, other);
			if (!removed && missing.length > 0) found.push(`Lost in run ${run}: ${missing.join()}`);
		}
		const isActive = !after.get(keptId)!.archivedAt;
		if (!isActive && !archivedByOthers) found.push(`Nobody is active after run ${run}`);
	}
	const kept = (steps.at(-1)?.after ?? start).get(keptId)!;
	for (const [run, error] of errors.entries()) {
		if (!error?.includes('Nothing was written')) continue;
		const own = writes.filter(({ step }) => step.run === run);
		if (own.length > 0) found.push(`A refused run wrote: ${error}`);
	}
	const [main, now] = [start.get(keptId)!, kept].map((one) => one.emailAddresses[0]?.email);
	if (main && !removed && main !== now) found.push(`The main address is ${now}, not ${main}`);
	const isCalm = made.length + drawn.faults.length === 0 && drawn.cancelAfterMs === undefined;
	const inFirst = steps.filter(({ run }) => run === 0).length;
	const isMostly = drawn.limit < 20 ? Infinity : 2 * from.length + 3;
	if (isCalm && errors[0] === undefined && inFirst > isMostly) found.push(`${inFirst} requests`);
	if (isCalm && errors[0] === undefined) {
		if (errors[1] !== undefined) found.push(`The second run failed: ${errors[1]}`);
		if (writes.some(({ step }) => step.run === 1)) found.push('The second run wrote again');
	}
	return found;
}
