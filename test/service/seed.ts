import { addPeople } from './seed/people';
import { seedRandom } from './seed/random';
import { addTasks } from './seed/tasks';
import { addTenant } from './seed/tenant';
import type { Store } from './store';

export interface SeedOptions {
	/** Default 60. */
	people?: number;
	/** Number of tasks and deals together; default 80. */
	tasks?: number;
	/** Default 5. */
	segments?: number;
}

/** Fills an empty store with a realistic tenant. It is the same in every run. */
export function seedTenant(store: Store, options: SeedOptions = {}): void {
	const { people = 60, tasks = 80, segments } = options;
	seedRandom(1);
	addTenant(store, segments);
	addPeople(store, people);
	addTasks(store, tasks);
}
