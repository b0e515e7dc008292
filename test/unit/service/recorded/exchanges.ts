/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- a test that never runs inside n8n */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A request and its answer. test/service/recorded/README.md describes the form. */
export interface Exchange {
	name: string;
	/** Whether the answer depends on the application, and not on the framework. */
	app?: boolean;
	request: {
		method: string;
		path: string;
		headers: Record<string, string>;
		body?: unknown;
		bodyText?: string;
	};
	response: {
		status: number;
		headers: Record<string, string>;
		body?: unknown;
		text?: string | undefined;
		/** Number of recorded characters, if the text was cut. */
		cutAt?: number;
		/**
		 * Shortened parts: the number of members if only the first is kept, and the description of the filters
		 * (`search`), because it is always the same.
		 */
		bodyCut?: { members?: number; search?: true };
	};
}

/**
 * The files in the order of their requests. `variant-uuid-ids` comes from another application, so the stand-in does
 * not follow it.
 */
export const FILES = [
	'collections-and-paging',
	'filters',
	'single-records',
	'create',
	'merge-patch',
	'replace',
	'comments',
	'problems',
	'content-negotiation',
	'odd-requests',
] as const;

const FOLDER = join(__dirname, '../../../service/recorded');

/** Returns the exchanges of a file. */
export const exchangesOf = (file: string) =>
	JSON.parse(readFileSync(join(FOLDER, `${file}.json`), 'utf8')) as Exchange[];
