import { addPeople } from './seed/people';
import { seedRandom } from './seed/random';
import { addTasks } from './seed/tasks';
import { addTenant } from './seed/tenant';
import type { Store } from './store';

export interface SeedOptions {
	/** Default 60. */
	people?: number;
	/** Tasks and deals together; default 80. */
	tasks?: number;
	/** Default 5. */
	segments?: number;
	/** The same number gives the same tenant; default 1. */
	random?: number;
}

/** Fills an empty store with a realistic tenant, the same in every run. */
export function seedTenant(store: Store, options: SeedOptions = {}): void {
	const { people = 60, tasks = 80, segments, random = 1 } = options;
	seedRandom(random);
	addTenant(store, segments);
	addPeople(store, people);
	addTasks(store, tasks);
}
