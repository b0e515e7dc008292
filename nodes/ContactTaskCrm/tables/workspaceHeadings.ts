import * as aliases from './aliases';
import { plainName, plainNames } from './plainName';

/*
 * Finds the heading of the workspace of a task. Two workspaces may have a column with the same title, so the title of
 * the workspace has to decide.
 */

const WORKSPACES = plainNames(aliases.WORKSPACE);

/**
 * Returns a list with the heading of the workspace. The list is empty unless the row gives both workspace and column by
 * title. An IRI of a column already names its workspace.
 *
 * @param column heading of the task's column
 * @param textOf returns the text under a heading; empty for a blank
 */
export function workspaceFor(
	column: string,
	headings: readonly string[],
	textOf: (heading: string) => string,
): string[] {
	const isTitle = (heading: string) => /^[^/]+$/.test(textOf(heading));
	const isGiven = (heading: string) => WORKSPACES.includes(plainName(heading)) && isTitle(heading);
	return isTitle(column) ? headings.filter(isGiven).slice(0, 1) : [];
}
