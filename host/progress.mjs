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
const REPORT_EVERY_MS = 15_000;

/**
 * Returns about how many requests the main example sends.
 * @param {Record<string, string>[]} rows of its file
 */
export function plannedRequests(rows) {
	const emails = rows.map((row) => (row['E-mail'] ?? '').trim().toLowerCase());
	const people = new Set(emails.filter((email) => USABLE_EMAIL.test(email)));
	const lookups = LOOKUPS + Math.ceil(people.size / PEOPLE_PER_LOOKUP);
	return lookups + people.size * REQUESTS_PER_PERSON;
}

/** Returns a duration as text: "40 s", "2 min 5 s". */
export const describeDuration = (ms) => {
	const seconds = Math.round(ms / 1000);
	return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
};

/** Returns the time for a number of requests as text. The first 20 go out at once. */
export function durationOf(requests) {
	const minutes = Math.ceil((requests - REQUESTS_PER_MINUTE) / REQUESTS_PER_MINUTE);
	if (minutes <= 0) return 'a few seconds';
	if (minutes < 100) return `about ${minutes} min`;
	if (minutes < 48 * 60) return `about ${Math.round(minutes / 60)} h`;
	const halfDays = Math.round(minutes / 60 / 12);
	return `about ${Math.floor(halfDays / 2)}${halfDays % 2 === 1 ? '½' : ''} days`;
}

/**
 * Returns a number with its noun: "1 row", "2 rows".
 * @param {number} number
 * @param {string} noun
 */
export const count = (number, noun) => `${number} ${noun}${number === 1 ? '' : 's'}`;

/**
 * How far a run is.
 * @typedef {object} Progress
 * @property {string} text
 * @property {number} [done] of the total, if the time left follows from the speed so far
 * @property {number} [total]
 */

/**
 * Says how far an import is.
 * @param {{ total: number, people?: number }} rows `people`: undefined until the rows are read
 * @param {object[]} requests
 * @param {number} planned
 * @returns {Progress}
 */
export function progressOfImport({ total, people }, requests, planned) {
	const { peopleWritten, tasksCreated } = summarize(requests);
	const sent = `${requests.length} of ${Math.max(planned, requests.length)} requests`;
	if (people === undefined) return { text: `${count(total, 'row')} read, ${sent}` };
	const part = (done) => (done < people ? `${done} of ${people}` : people);
	const [person, task] = people === 1 ? ['person', 'task'] : ['people', 'tasks'];
	return {
		text: `${part(peopleWritten)} ${person} written, ${part(tasksCreated)} ${task}, ${sent}`,
	};
}

const isRefused = ({ status }) => status === 429;

/**
 * Returns the figures of the requests that reached the service.
 * @param {{ at: number, answeredAt?: number, method: string, path: string, status?: number, stored: boolean }[]} requests
 */
export function summarize(requests) {
	const answered = requests.filter(({ answeredAt }) => answeredAt !== undefined);
	const stored = (method, path) =>
		requests.filter((request) => {
			return request.stored && request.method === method && path.test(request.path);
		}).length;
	const first = requests[0]?.at ?? 0;
	return {
		requests: requests.length,
		answered: answered.filter((request) => !isRefused(request)).length,
		refused: requests.filter(isRefused).length,
		peopleWritten: stored('POST', /^\/people$/) + stored('PATCH', /^\/people\//),
		tasksCreated: stored('POST', /^\/tasks$/),
		durationMs: Math.max(0, ...answered.map(({ answeredAt }) => answeredAt - first)),
	};
}

/**
 * Prints how far a run is each 15 s if something changed, until it is stopped.
 * @param {object[]} requests a growing list of the requests that the service saw
 * @param {object} options
 * @param {number} options.planned requests of the whole run, about
 * @param {() => Progress} options.progress
 * @param {(line: string) => void} options.print
 * @param {boolean} [options.isLimited] whether the service takes 20 requests a minute
 * @returns {() => void} stops it
 */
export function reportProgress(requests, { planned, progress, print, isLimited = true }) {
	const startedAt = Date.now();
	const bySpeed = ({ done, total }) =>
		done > 0 ? ((Date.now() - startedAt) / done) * (total - done) : 0;
	// The service takes the next requests a minute after the last ones.
	const byLimit = () => {
		const left = planned - requests.filter((request) => !isRefused(request)).length;
		const last = requests.at(-1)?.at ?? startedAt;
		return last + Math.ceil(Math.max(0, left) / REQUESTS_PER_MINUTE) * 60_000 - Date.now();
	};
	let printed = '';
	const report = () => {
		const now = progress();
		const { text } = now;
		if (text === printed) return;
		printed = text;
		const wait = isLimited ? byLimit() : bySpeed(now);
		print(`  ${text}${wait > 0 ? `, ${describeDuration(wait)} left` : ''}`);
	};
	const timer = setInterval(report, REPORT_EVERY_MS);
	return () => clearInterval(timer);
}
