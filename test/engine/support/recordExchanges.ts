/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- records the exchanges of tests */
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import type { Exchange, Switches } from '../../service';
import { DEFAULT_SWITCHES } from '../../service/switches';

/** Folder for the recorded exchanges of the suites. host/prism.test.mjs reads it. By default, nothing is written. */
const { RECORD_EXCHANGES: folder } = process.env;

let test = '';
let excused: Partial<Record<'requests' | 'answers', string>> = {};
beforeEach(() => {
	const { currentTestName, testPath = '' } = expect.getState();
	test = `${path.basename(testPath)}: ${currentTestName}`;
	excused = {};
});

/** Excuses the requests or answers of the running test: they differ from the interface on purpose, because of `reason`. */
export function excuse(side: 'requests' | 'answers', reason: string): void {
	excused[side] = reason;
}

/** Returns the names of the switches that differ from the defaults, except `faults`. */
const changedIn = (switches: Switches) =>
	Object.entries(DEFAULT_SWITCHES)
		.filter(
			([name, value]) => JSON.stringify(switches[name as keyof Switches]) !== JSON.stringify(value),
		)
		.map(([name]) => name)
		.filter((name) => name !== 'faults');

function write({ entry, text, answer }: Exchange, switches: Switches): void {
	const { method, rawUrl, headers, fault } = entry;
	const { status, headers: answerHeaders, body = '' } = answer;
	const exchange = {
		test,
		excused,
		request: { method, url: rawUrl, headers, body: text },
		answer: { status, headers: answerHeaders, body },
		fault,
		switches: changedIn(switches),
	};
	appendFileSync(path.join(folder!, `${process.pid}.jsonl`), `${JSON.stringify(exchange)}\n`);
}

/** Returns a function that records each exchange of a service; undefined without RECORD_EXCHANGES. */
export const recorder = (switches: () => Switches) =>
	folder === undefined ? undefined : (exchange: Exchange) => write(exchange, switches());
