/** Mark the scan in which a record was last seen, and set the records of a saved memory apart. */
const SCAN_MARKS = '!$%&()*+,/:;<=>|';
/** By character code, whether it is a mark: there may be two million characters to go through. */
const IS_MARK = Array.from({ length: 128 }, (_, code) =>
	SCAN_MARKS.includes(String.fromCharCode(code)),
);

/** Scans that their marks tell from each other. */
export const MARKS = SCAN_MARKS.length;

/** The mark of a scan, by its number. */
export function markOf(scan: number): string {
	return SCAN_MARKS.charAt(scan % SCAN_MARKS.length);
}

/** Changes are collected up to this many before the whole is copied. */
const MOST_RECENT = 2_000;

/**
 * What is remembered of each record, by its key: one letter for the scan it was last seen in, and what
 * the events compare. Is never changed: `with` gives another one, which shares most of it, since
 * there may be 100,000 records and a page changes 30.
 */
export class Memory {
	private constructor(
		private readonly base: ReadonlyMap<string, string>,
		private readonly recent: ReadonlyMap<string, string | undefined>,
		readonly size: number,
	) {}

	static readonly empty = new Memory(new Map(), new Map(), 0);

	/** @param keyLength length of every key; undefined where all but the last letter is the key */
	static fromText(text: string, keyLength: number | undefined): Memory {
		const base = new Map<string, string>();
		for (let start = 0, end = 1; start < text.length; start = end++) {
			while (end < text.length && !IS_MARK[text.charCodeAt(end)]) end++;
			const valueAt = keyLength === undefined ? end - 1 : start + 1 + keyLength;
			base.set(text.slice(start + 1, valueAt), text.charAt(start) + text.slice(valueAt, end));
		}
		return new Memory(base, new Map(), base.size);
	}

	/** All of it as one text, the mark before the key of each record. */
	get text(): string {
		const parts: string[] = [];
		this.forEach((value, key) => parts.push(value.charAt(0), key, value.slice(1)));
		return parts.join('');
	}

	get(key: string): string | undefined {
		return this.recent.has(key) ? this.recent.get(key) : this.base.get(key);
	}

	/** @param changes by key, what is to be remembered; undefined where it is to be forgotten */
	with(changes: ReadonlyMap<string, string | undefined>): Memory {
		if (changes.size === 0) return this;
		let { size } = this;
		for (const [key, value] of changes) {
			size += Number(value !== undefined) - Number(this.get(key) !== undefined);
		}
		const recent = new Map([...this.recent, ...changes]);
		if (recent.size <= MOST_RECENT) return new Memory(this.base, recent, size);
		const base = new Map(this.base);
		for (const [key, value] of recent) {
			if (value === undefined) base.delete(key);
			else base.set(key, value);
		}
		return new Memory(base, new Map(), size);
	}

	forEach(visit: (value: string, key: string) => void): void {
		this.base.forEach((value, key) => {
			if (!this.recent.has(key)) visit(value, key);
		});
		this.recent.forEach((value, key) => {
			if (value !== undefined) visit(value, key);
		});
	}
}
