import type { Explanation } from '../../../nodes/ContactTaskCrm/util/failures';
import { explain } from '../../../nodes/ContactTaskCrm/http/explain';
import { ServiceError } from '../../../nodes/ContactTaskCrm/util/failures';
import { causeText, networkAdvice } from '../../../nodes/ContactTaskCrm/http/networkErrors';
import type { ApiRequest, Outcome } from '../../../nodes/ContactTaskCrm/http/request';

const SUBJECT = { noun: 'person', id: '1f0c' };
/** Words that messages avoid, unless they quote the service. */
const UNWANTED = /\b(error|problem|failure|mistake)/i;

const API_KEY = 'KeyOfMany_9f1';

type Method = ApiRequest['method'];

const answer = (status: number, body: unknown = '', headers = {}): Outcome => ({
	kind: 'response',
	status,
	headers,
	body,
});
const networkError = (code: string, message = 'it was so'): Outcome => ({
	kind: 'networkError',
	code,
	message,
});

function explained(
	outcome: Outcome,
	method: Method = 'GET',
	subject: object = {},
	{ tries = 1, path = '/people/7' } = {},
) {
	const request = { method, path, subject: { ...SUBJECT, ...subject } };
	return explain(outcome, request, { baseUrl: 'https://crm.example.com', apiKey: API_KEY, tries });
}

const allOf = ({ message, advice }: Explanation) => `${message}\n${advice}`;

const BODIES = [
	{ message: 'It says so.' },
	{ title: 'An error occurred', detail: 'It says so.', status: 1 },
	{ title: 'It says so.', detail: null, status: 1 },
	{ '@id': '/errors/1', '@type': 'Error', description: 'It says so.' },
	{ 'hydra:title': 'An error occurred', 'hydra:description': 'It says so.' },
	{ detail: '  ', message: '', title: 'It says so.' },
	'It\n\tsays   so.',
];

const STATUSES = [400, 401, 403, 404, 409, 415, 422, 500, 503];

it.each(BODIES)('The explanation of a refusal repeats the words of the service: %j', (body) => {
	for (const status of STATUSES) {
		for (const method of ['GET', 'POST', 'PUT', 'PATCH'] as const) {
			const explanation = explained(answer(status, body), method);
			expect(allOf(explanation)).toContain('It says so');
			expect(allOf(explanation)).not.toMatch(UNWANTED);
			expect(explanation.httpCode).toBe(String(status));
		}
	}
});

const MUTE = ['\n <!DOCTYPE html><h1>Oops</h1>', '', null, 7, ['Oops'], { code: 'Oops' }];

it.each<[unknown]>([...MUTE, { detail: { x: 'Oops' }, message: 7 }].map((body) => [body]))(
	'If the body %j holds no message, the error still gives cause and advice',
	(body) => {
		for (const status of STATUSES) {
			const explanation = explained(answer(status, body));
			expect(allOf(explanation)).not.toMatch(/oops|undefined|null|\[object|<|: *$|\. *$/im);
			expect(explanation.message.length).toBeGreaterThan(20);
			expect(explanation.advice.length).toBeGreaterThan(20);
			expect(allOf(explanation)).not.toMatch(UNWANTED);
		}
	},
);

const CANNOT_BE_REACHED = 'The service at https://crm.example.com cannot be reached';
const CANNOT_BE_READ = 'The answer of the service cannot be read';
const MAY_HAVE = 'so the person may have been';
const LOOK_FOR = /(^|\. )Look for the person before you run this item again(\.|$)/;
const RUN_AGAIN =
	/(^|\. )Run this item again: to (update|replace) the person twice does no harm(\.|$)/;

it.each([
	['GET 401', 'The service did not accept the API key', /^Open the credential and check API Key/],
	['GET 403', 'The API key has no permission to read this person', /Ask an administrator/],
	['DELETE 403', 'The API key has no permission to delete this person', /Ask an administrator/],
	['OPTIONS 403', 'The API key has no permission to use this person', /Ask an administrator/],
	['GET 404', 'The person "1f0c" does not exist', /^Check the ID/],
	['GET 407', 'A proxy between this n8n and the service asks for a sign-in', /administrator/],
	['GET 500', 'The service could not read the person (HTTP 500)', /Try again later, or check/],
	['PATCH 425', 'The service could not update the person (HTTP 425)', /Try again later, or check/],
	['POST 500', `The service answered with HTTP 500, ${MAY_HAVE} created`, LOOK_FOR],
	['DELETE 500', `The service answered with HTTP 500, ${MAY_HAVE} deleted`, LOOK_FOR],
	['PUT 500', `The service answered with HTTP 500, ${MAY_HAVE} replaced`, RUN_AGAIN],
	['PATCH 408', `The service answered with HTTP 408, ${MAY_HAVE} updated`, RUN_AGAIN],
	['GET 302', 'The service redirects to another address, which is not followed', /a sign-in page/i],
	['GET 200', `${CANNOT_BE_READ} (HTTP 200)`, /^Check the Base URL.*The answer was empty$/],
	['POST 201', `${CANNOT_BE_READ} (HTTP 201), ${MAY_HAVE} created`, LOOK_FOR],
	['POST ECONNREFUSED', CANNOT_BE_REACHED, /^Check the Base URL.*\(ECONNREFUSED\)$/],
	[
		'POST ENOTFOUND',
		CANNOT_BE_REACHED,
		/Cause: the host cannot be found or reached \(ENOTFOUND\)$/,
	],
	['PATCH CERT_HAS_EXPIRED', CANNOT_BE_REACHED, /\(CERT_HAS_EXPIRED\)$/],
	['GET ECONNRESET', 'The service did not answer', /^Try again later.*\(ECONNRESET\)$/],
	['POST ECONNRESET', `The service did not answer, ${MAY_HAVE} created`, LOOK_FOR],
	['POST ETIMEDOUT', `The service did not answer, ${MAY_HAVE} created`, LOOK_FOR],
	['DELETE ETIMEDOUT', `The service did not answer, ${MAY_HAVE} deleted`, LOOK_FOR],
	['PATCH ECONNRESET', `The service did not answer, ${MAY_HAVE} updated`, RUN_AGAIN],
	['PUT ECONNRESET', `The service did not answer, ${MAY_HAVE} replaced`, RUN_AGAIN],
	['GET HPE_INVALID_CONSTANT', CANNOT_BE_READ, /does not speak HTTPS/],
	['PATCH HPE_INVALID_CONSTANT', `${CANNOT_BE_READ}, ${MAY_HAVE} updated`, RUN_AGAIN],
	['POST ', 'n8n did not send the request: it was so', /^Nothing was sent to the service/],
])(
	'The explanation of a failed request gives the cause and advice: %s',
	(tried, message, advice) => {
		const [method, result] = tried.split(' ');
		const outcome = /\d/.test(result) ? answer(Number(result)) : networkError(result);
		const explanation = explained(outcome, method as Method);
		expect(explanation.message).toBe(message);
		expect(explanation.advice).toMatch(advice);
		expect(explanation.advice).not.toContain('tried');
		expect(allOf(explanation)).not.toMatch(UNWANTED);
	},
);

it.each<[Method, number, object, string]>([
	['POST', 403, { verb: 'export' }, 'The API key has no permission to export this person'],
	['POST', 403, { noun: 'task' }, 'The API key has no permission to create this task'],
	['GET', 404, { named: { noun: 'task', id: '7' } }, 'The task "7" does not exist'],
	['GET', 404, { id: undefined }, 'The service has no such person'],
])(
	'The explanation of a refused %s (HTTP %d, for %j) says "%s"',
	(method, status, subject, message) => {
		expect(explained(answer(status), method, subject).message).toBe(message);
	},
);

it.each<[Method, object, string]>([
	['PATCH', {}, 'updated the person'],
	['PUT', {}, 'replaced the person'],
	['POST', { noun: 'task', verb: 'export' }, 'exported the task'],
])('If only an earlier %s may have taken effect, the message says so', (...row) => {
	const [method, subject, done] = row;
	const request = { method, path: '/people/7', subject: { ...SUBJECT, ...subject } };
	const known = { baseUrl: 'https://crm.example.com', apiKey: API_KEY, tries: 2 };
	const { message, code } = explain(answer(425), request, { ...known, isUncertain: true });
	expect(message).toMatch(new RegExp(` \\(HTTP 425\\), but an earlier try may have ${done}$`));
	expect(code).toBe('uncertain');
});

it.each<[unknown, string]>([
	[[1], 'a list'],
	['Welcome', 'text'],
	[' <p>Welcome', 'a web page'],
	['', 'empty'],
	[null, 'empty'],
	[7, 'a number'],
	[true, 'a boolean'],
	[{}, 'an object'],
	[{ id: 'secret', title: 'x' }, 'an object of "id", "title"'],
])('The advice on an unreadable answer describes the body %j as %s', (body, outline) => {
	expect(explained(answer(200, body)).advice).toMatch(new RegExp(`The answer was ${outline}$`));
});

const ROUTING = 'https://tools.ietf.org/html/rfc2616#section-10';

it.each([
	[404, { detail: 'Not Found', type: ROUTING }],
	[405, { detail: 'Method Not Allowed', type: ROUTING }],
	[404, { detail: 'No route found for "POST /people/7"' }],
])(
	"The node explains HTTP %d of the service's router as a missing endpoint: %j",
	(status, body) => {
		const { message } = explained(answer(status, { title: 'An error occurred', ...body }), 'POST');
		expect(message).toBe('The service has no endpoint "POST /people/7"');
	},
);

it.each<[number, unknown, string]>([
	[404, '<html>Not Found</html>', 'The service has no endpoint "POST /people"'],
	[405, '', 'The service has no endpoint "POST /people"'],
	[404, { message: 'No such column' }, 'The service has no such person'],
])('For a create with HTTP %d and the body %j, the error says "%s"', (status, body, message) => {
	const subject = { id: undefined };
	const explanation = explained(answer(status, body), 'POST', subject, { path: '/people' });
	expect(explanation.message).toContain(message);
});

it("The advice names the number of attempts, the redirect target, or the package's removal", () => {
	expect(explained(answer(503), 'GET', {}, { tries: 6 }).advice).toMatch(/It was tried 6 times$/);
	const moved = answer(302, '', { location: 'https://new.example.com/login?key=1' });
	expect(explained(moved).advice).toMatch(/It was redirected to https:\/\/new\.example\.com$/);
	const gone = networkError('', 'Unrecognized credential type: contactTaskCrmApi');
	expect(explained(gone).advice).toMatch(/was uninstalled while it ran/);
});

it('The node cuts a long message between words, or between characters without blanks', () => {
	const messageOf = (detail: string) => explained(answer(400, { detail })).message;
	expect(messageOf(`${'word '.repeat(99)}antidisestablishment`)).toMatch(/ word …$/);
	expect(messageOf('\u{1F600}'.repeat(1_000))).toMatch(/: (\u{1F600}){250}…$/u);
});

it('Explanations hold no part of the API key, even in cut or changed text', () => {
	const before = (length: number) => 'x'.repeat(length - 3);
	for (const outcome of [
		answer(400, { detail: before(500) + API_KEY }),
		answer(200, '<p>', { 'content-type': before(50) + API_KEY }),
		answer(200, { [before(40) + API_KEY]: 1 }),
		answer(302, '', { location: `https://${API_KEY}.example.com/` }),
		answer(422, { violations: [{ propertyPath: API_KEY, message: before(500) + API_KEY }] }),
	]) {
		const explanation = explained(outcome);
		expect(JSON.stringify(explanation)).not.toMatch(/key|of ?many/i);
	}
});

describe('violations of a 422', () => {
	const violated = (violations: unknown, status = 422) =>
		explained(answer(status, { violations, detail: 'In short.' }), 'PATCH');

	it("The explanation of a 422 lists all violations, and names the first's parameter", () => {
		const all = ['familyName', 'title'].map((propertyPath) => ({ propertyPath, message: 'No.' }));
		expect(violated(all)).toMatchObject({
			message: 'The service did not accept the person: Family Name: No (and 1 more)',
			advice: 'Correct and run again: Family Name: No; Title: No',
			parameter: 'Family Name',
		});
	});

	it.each<[unknown, string]>([
		[[{ propertyPath: 'title', message: 'Too long' }], 'Title: Too long'],
		[{ 3: { propertyPath: 'title', message: 'Too long' } }, 'Title: Too long'],
		[[{ message: 'Not unique.' }], 'Not unique'],
		[[{ propertyPath: '', message: 'Not unique.' }], 'Not unique'],
		[[{ propertyPath: 'title' }], 'Title: not accepted'],
		[[null], 'not accepted'],
	])(
		'The explanation of a 422 shows violations in unusual or incomplete forms: %j',
		(violations, shown) => {
			const { message, advice } = violated(violations);
			expect(message).toBe(`The service did not accept the person: ${shown}`);
			expect(advice).toBe('Correct the value and run again');
		},
	);
});

it.each([
	...['CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'EAI_AGAIN', 'ECONNABORTED', 'EPIPE'],
	...['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'ETIMEDOUT'],
	...['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_TLS_CERT_ALTNAME_INVALID'],
	...['HPE_INVALID_CONSTANT', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'SELF_SIGNED_CERT_IN_CHAIN'],
])('The node explains the network error %s in words, and gives advice', (code) => {
	const cause = causeText({ code, message: 'write EPROTO 00A8:error:0A00010B:SSL routines' });
	expect(cause).toMatch(new RegExp(`^[a-z][A-Za-z0-9 ]{10,} \\(${code}\\)$`));
	expect(networkAdvice(code)).toMatch(/^(Check the Base URL|Try again later)/);
	expect(causeText({ code: 'ENEW', message: 'something new' })).toBe('something new (ENEW)');
});

it('A ServiceError has the status, and says whether the request may have taken effect', () => {
	const missing = new ServiceError(explained(answer(404)));
	expect(missing).toMatchObject({ status: 404, mayHaveTakenEffect: false });
	const unknown = new ServiceError(explained(networkError('ECONNRESET'), 'POST'));
	expect(unknown).toMatchObject({ status: undefined, mayHaveTakenEffect: true });
});
