/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- a test, which never runs inside n8n */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One request and its answer, as test/service/recorded/README.md describes them. */
export interface Exchange {
	name: string;
	/** The application decides, not the framework. */
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
		text?: string;
		/** How much of the text is there. */
		cutAt?: number;
		/**
		 * What was shortened: of so many members the first alone stands there, and the description of
		 * the filters (`search`), which is always the same.
		 */
		bodyCut?: { members?: number; search?: true };
	};
}

/**
 * The files in the order in which their requests were sent; `variant-uuid-ids` is of another
 * application, which the stand-in is not.
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

/** The exchanges of a file. */
export const exchangesOf = (file: string) =>
	JSON.parse(readFileSync(join(FOLDER, `${file}.json`), 'utf8')) as Exchange[];
