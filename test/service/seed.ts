import { addPeople } from './seed/people';
import { seedRandom } from './seed/random';
import { addTasks } from './seed/tasks';
import { addTenant } from './seed/tenant';
import { Store } from './store';

export interface SeedOptions {
	/** Default 60. */
	people?: number;
	/** Number of tasks and deals together; default 80. */
	tasks?: number;
	/** Default 5. */
	segments?: number;
}

/** Seeded stores by their options. To copy one takes a tenth of the time of seeding. */
const seeded = new Map<string, Store>();

/** Fills an empty store with a realistic tenant. It is the same in every run. */
export function seedTenant(store: Store, options: SeedOptions = {}): void {
	const key = JSON.stringify(options);
	const known = seeded.get(key) ?? newTenant(options);
	seeded.set(key, known);
	store.copyFrom(known);
}

function newTenant({ people = 60, tasks = 80, segments }: SeedOptions): Store {
	const store = new Store();
	seedRandom(1);
	addTenant(store, segments);
	addPeople(store, people);
	addTasks(store, tasks);
	return store;
}
