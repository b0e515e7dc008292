import type { IDataObject } from 'n8n-workflow';
import type { Person } from '../../service/records';
import { type Drawn, type Row, TRUTHS } from './drawn';

/** What a run did: its items, and the people before and after. */
export interface Played {
	items: IDataObject[];
	before: Person[];
	after: Person[];
	/** Number of writes of a second run of the same file. */
	writesAgain: number;
}

const emailsOf = ({ emailAddresses }: Person) =>
	emailAddresses.map(({ email }) => (email ?? '').trim().toLowerCase());
const isActive = ({ archivedAt }: Person) => archivedAt === null;
const BLANK = ['NULL', '-', '#N/A', ''];

/** Returns the broken promises of a run. */
export function findings(drawn: Drawn, played: Played): string[] {
	return [
		...addressesOfOthers(played),
		...renamed(drawn, played),
		...doubled(drawn, played),
		...lost(drawn, played),
		...repeated(drawn, played),
	];
}

/** No person gets an address that another active person had. */
function addressesOfOthers({ before, after }: Played): string[] {
	return after.flatMap((person) => {
		const held = before.find(({ id }) => id === person.id);
		const added = emailsOf(person).filter((email) => !(held && emailsOf(held).includes(email)));
		return added.flatMap((email) => {
			const owner = before.find(
				(other) => other.id !== person.id && isActive(other) && emailsOf(other).includes(email),
			);
			const second = after.find(
				(other) =>
					other.id !== person.id &&
					isActive(other) &&
					isActive(person) &&
					emailsOf(other).includes(email) &&
					!(before.find(({ id }) => id === other.id)?.emailAddresses ?? []).some(
						(entry) => entry.email === email,
					),
			);
			return owner || second ? [`${person.id} got ${email} of ${(owner ?? second)!.id}`] : [];
		});
	});
}

/**
 * Nobody gets another family name, and a given name changes only if the first address of the row is the person's. A row
 * with half a name contradicts nobody, so its first address decides.
 */
function renamed({ rows, whenNameDiffers }: Drawn, { before, after }: Played): string[] {
	if (whenNameDiffers === 'update') return [];
	return before.flatMap((person) => {
		const now = after.find(({ id }) => id === person.id)!;
		const held = [...emailsOf(person), ...emailsOf(now)];
		const byFirst = rows.filter(({ emails: [first = ''] }) => held.includes(first));
		if (byFirst.some(({ hasGivenName }) => !hasGivenName)) return [];
		if (now.familyName !== person.familyName) return [`${person.id} is now ${now.familyName}`];
		return now.givenName === person.givenName || byFirst
			? []
			: [`${person.id} is ${now.givenName}`];
	});
}

/**
 * A person is created only if no active person of this name had one of the addresses of the row. An earlier row may have
 * renamed that person by the first address.
 */
function doubled({ rows }: Drawn, { items, before, after }: Played): string[] {
	const isRenamed = ({ id, givenName }: Person) =>
		after.find((person) => person.id === id)?.givenName !== givenName;
	return rows.flatMap((row, index) => {
		if (items[index]?.result !== 'created') return [];
		const { givenName, familyName } = TRUTHS[row.truth]!;
		const known = before.find(
			(person) =>
				isActive(person) &&
				!isRenamed(person) &&
				person.givenName === givenName &&
				person.familyName === familyName &&
				emailsOf(person).some((email) => row.emails.includes(email)),
		);
		return known ? [`row ${index} doubles ${known.id}`] : [];
	});
}

/** Each value of a row is stored, or named in a note or an error. */
function lost({ rows }: Drawn, { items, after }: Played): string[] {
	return rows.flatMap((row, index) => {
		const item = items[index] ?? {};
		if (item.error !== undefined) return [];
		const person = after.find(({ id }) => id === item.id);
		if (!person) return [`row ${index} has no person`];
		const said = String(item.note ?? '').toLowerCase();
		const emails = row.emails.filter(
			(email) => !emailsOf(person).includes(email) && !said.includes(email),
		);
		return [
			...emails.map((email) => `row ${index} lost ${email}`),
			...(isJobTitleLost(row, person, rows.slice(index + 1)) ? [`row ${index} lost its job`] : []),
		];
	});
}

function isJobTitleLost({ jobTitle }: Row, person: Person, later: readonly Row[]): boolean {
	if (BLANK.includes(jobTitle)) return false;
	return person.jobTitle !== jobTitle && !later.some((row) => row.jobTitle === person.jobTitle);
}

/** If no two rows name one person or share an address, a second run of the file writes nothing. */
function repeated({ rows }: Drawn, { writesAgain }: Played): string[] {
	const emails = rows.flatMap((row) => row.emails);
	const isPlain =
		rows.every(({ hasGivenName }) => hasGivenName) &&
		new Set(rows.map(({ truth }) => truth)).size === rows.length &&
		new Set(emails).size === emails.length;
	return isPlain && writesAgain > 0 ? [`the second run wrote ${writesAgain} times`] : [];
}
