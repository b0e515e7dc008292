import type { contracts } from '../schema';
import type { PlainResource, Resource } from '../ui/operations';
import { apiRequest } from './apiRequest';
import { comment } from './comment';
import { history } from './history';
import { person } from './person';
import { segment } from './segment';
import { task } from './task';
import { workspace } from './workspace';

/** Resources with records: all but API Request. */
export const resources: Readonly<Record<keyof typeof contracts, Resource>> = {
	comment,
	history,
	person,
	segment,
	task,
	workspace,
};

/** All resources, sorted by name. */
export const allResources: readonly PlainResource[] = [apiRequest, ...Object.values(resources)];
