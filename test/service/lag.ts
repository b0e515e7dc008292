import type { Store } from './store';

/** Keeps the people of a store before each write, for reads that lag behind writes. */
export class Lag {
	private readonly past: Array<{ until: number; people: Store['people'] }> = [];

	/** Keeps the people immediately before a write. */
	beforeWrite({ people }: Store, now: number): void {
		this.past.push({ until: now, people: new Map(people) });
	}

	/** Returns the store for a read that lags by this number of milliseconds. */
	seen(store: Store, now: number, lagMs: number): Store {
		const then = this.past.find(({ until }) => until > now - lagMs);
		if (!then) return store;
		const view = Object.assign(
			Object.create(Object.getPrototypeOf(store) as object),
			store,
		) as Store;
		return Object.assign(view, { people: then.people });
	}
}
