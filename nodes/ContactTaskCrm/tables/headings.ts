import * as aliases from './aliases';
import { FULL_NAMES } from './fullNameHeadings';
import { groupOf, isBilled, ofOnePerson, ownHeadings } from './otherPeople';
import { labelsBeside, plainName, plainNames, remembering } from './plainName';
import * as postal from './postalHeadings';
import { workspaceFor } from './workspaceHeadings';
import type { RecordContract } from '../schema/record';
import { type TableColumn, tableColumnsOf } from '../schema/tableColumns';
import type { Taken } from './cell';
import { isInfix, isSalutation } from '../values/fullName';

type Kind = keyof typeof aliases.KIND_WORDS;

/** A column of the CRM that a plain name may mean. A plain name is a name or heading in the form of `plainName`. */
interface Meaning {
	column: TableColumn;
	/** Rank of the plain name among the names of the column. The lowest rank is the best match. */
	rank: number;
	/** Whether the heading gives an additional value, and not the main one: "E-mail 2". */
	isFurther: boolean;
	/** Headings or columns. The meaning applies only if the row has one of them. Undefined if it always applies. */
	beside: readonly string[] | undefined;
	/** Text that the cell has to hold for this meaning. Absent if any text will do. */
	cell?: aliases.KindOfCell | undefined;
}

/** A possible meaning of a heading in one row. */
interface Fit extends Meaning {
	heading: string;
	/**
	 * Rank of the word for a kind, such as 1 for "work" and 2 for "home". The word stands in the heading, or in the cell
	 * under `labelHeading`. Absent without such a word. The node sorts the values of a list by this rank.
	 */
	kind?: number;
	/** Heading of the cell that tells the kind of this phone number: "Phone 1 - Label". */
	labelHeading?: string;
	/** Group of the word for a person in the heading. Absent without such a word. */
	group?: string | undefined;
}

const KINDS = Object.keys(aliases.KIND_WORDS) as Kind[];
const KIND_OF = new Map(
	KINDS.flatMap((kind) =>
		plainNames(aliases.KIND_WORDS[kind]).map((word) => [word, kind] as const),
	),
);
/** The names of `aliases.ts` as `plainName` returns them, made once for all instances of `Headings`. */
const ALSO_CALLED = new Map(
	Object.entries(aliases.ALSO_CALLED).map(([name, names]) => [name, plainNames(names)]),
);
const MEANT_BESIDE = aliases.MEANT_BESIDE.map(([names, name, beside]) => ({
	names: plainNames(names),
	meaning: { name, beside: beside.split(', ') },
}));
const MEANT_BY_CELL = aliases.MEANT_BY_CELL.map(([names, name, cell]) => ({
	names: plainNames(names),
	// `firstRank` is high, because a heading with only one meaning matches better.
	meaning: { name, cell, firstRank: 500 },
}));
/** Column for a full name, which the CRM lacks. `take` returns it only if no heading gives the family name. */
const FULL_NAME: TableColumn = {
	...{ name: 'fullName', label: 'Name', field: 'familyName', kind: 'text' },
	...{ isPart: false, isList: false, isRequired: false },
};
const IS_OF_KIND: Record<aliases.KindOfCell, (value: string) => boolean> = {
	salutation: isSalutation,
	infix: isInfix,
	'no salutation': (value) => !isSalutation(value),
	'no infix': (value) => !isInfix(value),
};
const NAMES = ['givenName', 'familyName', FULL_NAME.name];
const ADDRESS = ['street', 'postalCode', 'city', 'country'];
const OF_KINDS = ['email', 'phone', 'mobile', 'fax'];
const PHONES: Partial<Record<Kind, string>> = {
	work: 'workPhone',
	home: 'homePhone',
	mobile: 'mobile',
	fax: 'fax',
};
/** Addition to the rank of a heading with a word for a kind: "Phone" matches better than "Home Phone". */
const WITH_KIND = 1_000;
/** Addition to the rank of "Voornaam contactpersoon", so that "Voornaam" matches better. */
const WITH_NOUN_BEHIND = 400;

/** Matches a heading with the number 1, such as "E-mail 1". */
const WITH_ONE = /(?:^|\D)1(?!\d)/;

/** Decides which columns of a kind of record the headings of a table mean. */
export class Headings {
	/** Pattern for each `plainName` that may mean a column. The first use compiles this pattern. */
	private pattern?: RegExp;

	/** Returns the meanings of a heading, and the words for a kind around its name; undefined without a meaning. */
	private readonly parsed = remembering((heading) => {
		const plain = plainName(heading);
		this.pattern ??= new RegExp(this.patternOf(() => true));
		const isWhole = this.pattern.test(plain);
		const { groups } = this.pattern.exec(isWhole ? plain : plain.replace(/#/g, '')) ?? {};
		if (!groups) return undefined;
		const { noun, before, base = '', after, behind } = groups;
		// "Task Content" is a name in `ALSO_CALLED`, and not the noun "Task" in front of the name "Content".
		const whole = this.meanings.has(plain) ? plain : groups.whole;
		const isPlain = !behind || this.meanings.has(plain);
		const group = groupOf(noun ?? behind ?? plain);
		const found = this.meanings.get(whole ?? base) ?? [];
		return { isWhole, isPlain, before, after, meanings: found.map((one) => ({ ...one, group })) };
	});

	private readonly meanings = new Map<string, readonly Meaning[]>();

	/** The columns of the record. For people, also the column for a full name. */
	private readonly all: readonly TableColumn[];

	private readonly hasAddress: boolean;

	constructor(
		private readonly fields: RecordContract['fields'],
		readonly columns: readonly TableColumn[] = tableColumnsOf(fields),
	) {
		this.all = 'familyName' in fields ? [...columns, FULL_NAME] : columns;
		for (const { names, meaning } of MEANT_BY_CELL) this.add(names, meaning);
		this.hasAddress = columns.some(({ name }) => name === 'street');
		for (const { name, label } of columns) {
			if (this.hasAddress && ADDRESS.includes(name)) continue;
			const others = ALSO_CALLED.get(name) ?? [];
			const own = [name, label].map(plainName).filter((plain) => !others.includes(plain));
			this.add(own, { name });
			this.add(others, { name, firstRank: 2 });
		}
		for (const { names, meaning } of MEANT_BESIDE) this.add(names, meaning);
		this.add(FULL_NAMES, { name: FULL_NAME.name });
	}

	/** Returns the source of a pattern for each `plainName` that means a column, whatever the other headings are. */
	certainPattern(): string {
		const pattern = this.patternOf(({ beside }) => !beside);
		return this.hasAddress ? `${pattern}|${postal.certainAddressPattern()}` : pattern;
	}

	/** Returns the source of a pattern for each `plainName` that certainly means a list, such as "tags" and "email". */
	listPattern(): string {
		return this.patternOf(
			({ beside, column: { field } }) => !beside && !!this.fields[field]?.isList,
		);
	}

	/**
	 * Returns whether a name of `aliases.ts` means a column, whatever the other headings are. This test is fast, because
	 * it compiles no pattern.
	 */
	meansColumn(name: string): boolean {
		return this.meanings.get(plainName(name))?.some(({ beside }) => !beside) ?? false;
	}

	/** Returns whether a heading may mean a column. */
	isKnown(heading: string): boolean {
		if (this.hasAddress && postal.isOfAddress(heading)) return true;
		return this.fitsOf(heading, () => '').length > 0;
	}

	/** Returns the headings of the row's own person. `isFilled` returns whether the cell under a heading has a value. */
	ownOf(headings: readonly string[], isFilled: (heading: string) => boolean): string[] {
		const columnsOf = (plain: string) =>
			this.meanings.get(plain)?.map(({ column }) => column) ?? [];
		return ownHeadings(headings, {
			isKnown: (plain) => this.meanings.has(plain),
			isName: (plain) => columnsOf(plain).some(({ name }) => NAMES.includes(name)),
			isFilled,
		});
	}

	/**
	 * Decides which headings of a row give the columns their values.
	 *
	 * @param valueOf returns the text that a column takes from the cell under a heading; empty for a blank
	 */
	take(
		headings: readonly string[],
		valueOf: (heading: string, column?: TableColumn) => string,
	): Taken[] {
		const isFilled = (heading: string) =>
			this.fitsOf(heading, valueOf).some(({ column }) => valueOf(heading, column) !== '');
		const own = this.ownOf(headings, isFilled);
		// In a row of an order, only headings of cells with a value count. Otherwise, a blank cell under "Email" would
		// keep "Email (Billing)" from giving the address of the customer.
		const meant = own.some(isBilled) ? own.filter(isFilled) : own;
		const fits = ofOnePerson(this.fitsIn(headings, meant, valueOf), valueOf);
		const taken = this.all.flatMap((column) => {
			const ofColumn = fits.filter((fit) => fit.column === column);
			return ofColumn.length > 0 ? this.takenBy(column, ofColumn) : [];
		});
		taken.push(...postal.takePostalAddress(this.columns, own, valueOf));
		const status = taken.find(({ column }) => column.name === 'status');
		if (status) {
			const textOf = (heading: string) => valueOf(heading, status.column);
			status.inFront = workspaceFor(status.best[0] ?? '', own, textOf);
		}
		const hasFamilyName = taken.some(({ column }) => column.name === 'familyName');
		return hasFamilyName ? taken.filter(({ column }) => column !== FULL_NAME) : taken;
	}

	/** Adds names of a column. Skips a name with an earlier meaning, unless `beside` or `cell` tells both apart. */
	private add(
		names: readonly string[],
		own: Partial<Meaning> & { name: string; firstRank?: number },
	): void {
		const { name, firstRank = 0, isFurther = false, beside, cell } = own;
		const column = this.all.find((one) => one.name === name);
		if (!column) return;
		names.forEach((plain, index) => {
			const others = this.meanings.get(plain) ?? [];
			if (others.some((other) => !other.beside && !(cell && other.cell))) return;
			const meaning = { column, rank: firstRank + index, isFurther, beside, cell };
			this.meanings.set(plain, [...others, meaning]);
		});
	}

	/** Returns the source of a pattern for each `plainName` with at least one meaning that passes `counts`. */
	private patternOf(counts: (meaning: Meaning) => boolean): string {
		const isOfPeople = 'familyName' in this.fields;
		const [nouns, nounsBehind] = isOfPeople
			? [aliases.OF_PERSON, aliases.BEHIND_PERSON]
			: [aliases.OF_TASK, ''];
		const meant = [...this.meanings].filter(([, meanings]) => meanings.some(counts));
		const ofKinds = meant.filter(([, [first]]) => first && OF_KINDS.includes(first.column.name));
		// Columns of tasks take no words for a kind. `bases` is then "(?!)", which matches nothing. An empty pattern would
		// match the empty text.
		const [names, bases] = [meant, ofKinds].map(
			(own) => own.map(([name]) => name).join('|') || '(?!)',
		);
		const kinds = [...KIND_OF.keys()].join('|');
		const noun = `(?<noun>${plainNames(nouns).join('|')})?`;
		const behind = `(?<behind>${plainNames(nounsBehind).join('|')})?`;
		return `^${noun}(?:(?<whole>${names})|(?<before>${kinds})?(?<base>${bases})(?<after>${kinds})?)${behind}$`;
	}

	/** Returns the meanings of a heading in one row. The cell under "Phone 1 - Label" tells the kind of a number. */
	private fitsOf(heading: string, valueOf: (heading: string) => string): Fit[] {
		const parsed = this.parsed(heading);
		if (!parsed) return [];
		const { isWhole, isPlain, before, after, meanings } = parsed;
		return meanings.flatMap((meaning): Fit[] => {
			const { column } = meaning;
			const rank = meaning.rank + (isPlain ? 0 : WITH_NOUN_BEHIND);
			if (!isWhole && !this.takesEntries(column)) return [];
			const isPhone = column.name === 'phone';
			const labelHeading = isPhone ? labelsBeside(heading).find(valueOf) : undefined;
			const word = before ?? after ?? (labelHeading && plainName(valueOf(labelHeading)));
			const kind = KIND_OF.get(word ?? '');
			const isFurther = meaning.isFurther || !isWhole;
			const isOwnName = rank === 0 && heading === column.name;
			if (!kind) return [{ ...meaning, heading, isFurther, rank: isOwnName ? -1 : rank }];
			const ranks = { rank: rank + WITH_KIND, kind: 1 + KINDS.indexOf(kind) };
			const fit = { ...meaning, heading, ...ranks, ...(labelHeading && { labelHeading }) };
			const typed = this.columns.find(({ name }) => isPhone && name === PHONES[kind]);
			return [{ ...fit, column: typed ?? column, isFurther: isFurther || !typed }];
		});
	}

	/**
	 * Returns the meanings of headings that apply to this row. The cell must have a value, and one of the kind that the
	 * meaning demands (`Meaning.cell`), such as a salutation. A meaning with `beside` applies only beside one of those
	 * headings or columns, and only if no other heading means its column without `beside`.
	 *
	 * @param own headings about the person of the row, and not about another person, such as an assistant
	 */
	private fitsIn(
		headings: readonly string[],
		own: readonly string[],
		valueOf: (heading: string, column?: TableColumn) => string,
	): Fit[] {
		const possible = own.flatMap((heading) => this.fitsOf(heading, valueOf));
		const certain = possible.filter(({ beside }) => !beside);
		const meant = new Set(certain.map(({ column }) => column.name));
		const here = new Set([...meant, ...headings.map(plainName)]);
		const isMeant = ({ beside, column }: Fit) =>
			!meant.has(column.name) && beside?.some((one) => here.has(one) || here.has(plainName(one)));
		return [...certain, ...possible.filter(isMeant)].filter((fit) =>
			isUsable(fit, valueOf(fit.heading, fit.column)),
		);
	}

	/** Splits the headings of one column: the best ones, further ones, and those that match less well. */
	private takenBy(column: TableColumn, fits: readonly Fit[]): Taken[] {
		const all = fits.filter(({ isFurther }) => !isFurther);
		// Beside "Telefoon", both "Telefoon 1" and "Telefoon 2" give further entries of the list.
		const plain = all.filter(({ heading }) => !WITH_ONE.test(heading));
		const main = plain.length > 0 && this.takesEntries(column) ? plain : all;
		const lowest = Math.min(...main.map(({ rank }) => rank));
		const headings = (of: readonly Fit[]) => of.map(({ heading }) => heading);
		const further = fits.filter((fit) => !main.includes(fit));
		further.sort(({ kind: one = 1 }, { kind: other = 1 }) => one - other);
		const deciding = fits.flatMap(({ labelHeading = [] }) => labelHeading);
		// If the column takes entries, each heading gives one entry: first `main` in the order of the row, then `further`.
		if (this.takesEntries(column)) {
			const [first, ...others] = headings(main);
			const best = first === undefined ? [] : [first];
			return [{ column, best, further: [...others, ...headings(further)], beaten: [], deciding }];
		}
		return [
			{
				column,
				best: headings(main.filter((fit) => fit.rank === lowest)),
				further: headings(further),
				beaten: headings(main.filter((fit) => fit.rank > lowest)),
				deciding,
			},
		];
	}

	/** Returns whether each heading of a column gives one entry of a list field, such as an e-mail address. */
	private takesEntries({ field, part }: TableColumn): boolean {
		return part !== undefined && this.fields[field]?.isList === true;
	}
}

function isUsable({ cell }: Meaning, value: string): boolean {
	return value !== '' && (!cell || IS_OF_KIND[cell](value));
}
