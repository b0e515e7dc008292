import type { contracts } from '../schema';
import type { Resource } from '../ui/resource';
import { comment } from './comment';
import { history } from './history';
import { person } from './person';
import { segment } from './segment';
import { task } from './task';
import { workspace } from './workspace';

/** The resources of the node, by their values of the Resource parameter. */
export const resources: Readonly<Record<keyof typeof contracts, Resource>> = {
	comment,
	history,
	person,
	segment,
	task,
	workspace,
};
