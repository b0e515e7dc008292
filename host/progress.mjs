import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { contactsFile } from './examples.mjs';
import { requestsOf } from './service.mjs';

const REQUESTS_PER_MINUTE = 20;
/**
 * Requests of the main example to look up a segment and a workspace, and to learn how the service treats several
 * values.
 */
const LOOKUPS = 4;
/** People per lookup request, for the main example. */
const PEOPLE_PER_LOOKUP = 30;
/** Requests of the main example for each person: write the person with its segment, and create the task. */
const REQUESTS_PER_PERSON = 2;
const USABLE_EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** Returns the most requests of the main example, from the rows of its file. */
export async function plannedRequests() {
	const rows = parse(await readFile(contactsFile), { columns: true, bom: true });
	const emails = rows.map((row) => row['E-mail'].trim().toLowerCase());
	const people = new Set(emails.filter((email) => USABLE_EMAIL.test(email)));
	const lookups = LOOKUPS + Math.ceil(people.size / PEOPLE_PER_LOOKUP);
	return lookups + people.size * REQUESTS_PER_PERSON;
}

const minutes = (ms) => {
	const seconds = Math.round(ms / 1000);
	return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
};

const isRefused = ({ status }) => status === 429;

/**
 * Returns figures of the requests to the service.
 * @param {Awaited<ReturnType<typeof requestsOf>>} requests
 */
export function summarize(requests) {
	const answered = requests.filter(({ answeredAt }) => answeredAt !== undefined);
	const count = (method, path) =>
		requests.filter((request) => {
			return request.stored && request.method === method && path.test(request.path);
		}).length;
	const first = requests[0]?.at ?? 0;
	return {
		requests: requests.length,
		answered: answered.filter((request) => !isRefused(request)).length,
		refused: requests.filter(isRefused).length,
		failed: requests.filter(({ status }) => status >= 400 && status !== 429).length,
		peopleCreated: count('POST', /^\/people$/),
		peopleWritten: count('PATCH', /^\/people\//),
		tasksCreated: count('POST', /^\/tasks$/),
		durationMs: Math.max(0, ...answered.map(({ answeredAt }) => answeredAt - first)),
	};
}

/**
 * Prints the progress of a run until it is stopped.
 * @param {import('./service.mjs').Service} service
 * @param {number} planned
 * @returns {() => void} stops it
 */
export function reportProgress(service, planned) {
	const report = async () => {
		const { answered, refused } = summarize(await requestsOf(service));
		const left = Math.max(0, planned - answered);
		const wait = Math.ceil(left / REQUESTS_PER_MINUTE);
		console.log(
			`  ${answered} of about ${planned} requests answered, ${refused} refused (429), about ${wait} min left`,
		);
	};
	const timer = setInterval(() => void report().catch(() => undefined), 15_000);
	return () => clearInterval(timer);
}

/**
 * Describes the figures of a run.
 * @param {ReturnType<typeof summarize>} summary
 */
export function describeRun(summary) {
	return [
		`  people created      ${summary.peopleCreated}`,
		`  changes to people   ${summary.peopleWritten}`,
		`  tasks created       ${summary.tasksCreated}`,
		`  requests            ${summary.requests}`,
		`  refused (429)       ${summary.refused}`,
		`  other refusals      ${summary.failed}`,
		`  time                ${minutes(summary.durationMs)}`,
	].join('\n');
}
