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
 * How many requests the main example sends at most.
 * @param {Record<string, string>[]} rows of its file
 */
export function plannedRequests(rows) {
	const emails = rows.map((row) => (row['E-mail'] ?? '').trim().toLowerCase());
	const people = new Set(emails.filter((email) => USABLE_EMAIL.test(email)));
	const lookups = LOOKUPS + Math.ceil(people.size / PEOPLE_PER_LOOKUP);
	return lookups + people.size * REQUESTS_PER_PERSON;
}

/** A duration for people. */
export const describeDuration = (ms) => {
	const seconds = Math.round(ms / 1000);
	return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
};

/** How long so many requests take: the first 20 go out at once. */
export function durationOf(requests) {
	const minutes = Math.ceil((requests - REQUESTS_PER_MINUTE) / REQUESTS_PER_MINUTE);
	if (minutes <= 0) return 'a few seconds';
	if (minutes < 100) return `about ${minutes} min`;
	return `about ${Math.round(minutes / 60)} h`;
}

const isRefused = ({ status }) => status === 429;

/**
 * What the service saw, in figures.
 * @param {{ at: number, answeredAt?: number, method: string, path: string, status?: number, stored: boolean }[]} requests
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
		peopleWritten: count('POST', /^\/people$/) + count('PATCH', /^\/people\//),
		tasksCreated: count('POST', /^\/tasks$/),
		durationMs: Math.max(0, ...answered.map(({ answeredAt }) => answeredAt - first)),
	};
}

/**
 * Prints how far a run is, until it is stopped.
 * @param {object[]} requests those that the service saw, which grow
 * @param {{ planned: number, rowsDone: () => { done: number, total: number, detail?: string }, print: (line: string) => void, pace?: number }} options
 *   `pace`: requests that the service takes in a minute
 * @returns {() => void} stops it
 */
export function reportProgress(requests, options) {
	const { planned, rowsDone, print, pace = REQUESTS_PER_MINUTE } = options;
	const startedAt = Date.now();
	const bySpeed = (done, total) =>
		done > 0 ? ((Date.now() - startedAt) / done) * (total - done) : 0;
	// The service takes the next requests a minute after the last ones.
	const byLimit = () => {
		const left = planned - requests.filter((request) => !isRefused(request)).length;
		const last = requests.at(-1)?.at ?? startedAt;
		return last + Math.ceil(Math.max(0, left) / pace) * 60_000 - Date.now();
	};
	const report = () => {
		const { done, total, detail = '' } = rowsDone();
		const refused = requests.filter(isRefused).length;
		const wait = pace > REQUESTS_PER_MINUTE ? bySpeed(done, total) : byLimit();
		print(
			`  ${done} of ${total} rows done${detail}, ${requests.length} requests sent, ${refused} refused (429)${wait > 0 ? `, about ${describeDuration(wait)} left` : ''}`,
		);
	};
	const timer = setInterval(report, REPORT_EVERY_MS);
	return () => clearInterval(timer);
}
