import type { IDataObject } from 'n8n-workflow';
import type { TenantHabits } from './habits';
import type { Seen } from './ledger';

const second = (time: number) => Math.floor(time / 1000);

type Comparison = (one: Seen, other: Seen) => number;
const creationOf = ({ kept }: Seen) => (kept.isUndated ? 0 : second(kept.createdAt));
const byCreation: Comparison = (one, other) => creationOf(one) - creationOf(other);
const byChange: Comparison = (one, other) =>
	second(one.version.updatedAt) - second(other.version.updatedAt);
const byText =
	(textOf: (fields: IDataObject) => unknown): Comparison =>
	(...both) => {
		const [one, other] = both.map(({ version }) => String(textOf(version.fields ?? {})));
		return Number(one > other) - Number(one < other);
	};
const COMPARISONS: Record<TenantHabits['order'], Comparison> = {
	oldestFirst: byCreation,
	newestFirst: (one, other) => byCreation(other, one),
	changedFirst: (one, other) => byChange(other, one),
	changedLast: byChange,
	byTitle: byText(({ title, familyName }) => title ?? familyName),
	byPlace: (one, other) => one.kept.place - other.kept.place,
	byColumn: byText(({ status }) => status),
	none: () => 0,
};

/** Values that decide the order of a list. */
interface Ordering {
	habits: TenantHabits;
	random: () => number;
	/** Requested order by creation time: `asc` or `desc`. */
	direction: unknown;
}

/** Sorts the records of a list, as requested or as the habits say. */
export function inOrder(list: Seen[], { habits, random, direction }: Ordering): Seen[] {
	const { order, shufflesTies } = habits;
	const byTime = direction === 'desc' ? 'newestFirst' : 'oldestFirst';
	if (order === 'none' || shufflesTies) {
		const drawn = list.map((seen) => [random(), seen] as const);
		list = drawn.sort(([one], [other]) => one - other).map(([, seen]) => seen);
	}
	return list.sort(COMPARISONS[direction === undefined ? order : byTime]);
}
