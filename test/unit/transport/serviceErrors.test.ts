import type { Outcome, ServiceRequest } from '../../../nodes/ContactTaskCrm/transport/http';
import { explain, ServiceError } from '../../../nodes/ContactTaskCrm/transport/serviceErrors';

const BASE = 'https://crm.example.com';
const SUBJECT = { noun: 'person', id: '1f0c' };
/** Words that people should not have to read where nobody but the service says them. */
const UNWANTED = /\b(error|problem|failure|mistake)/i;

type Method = ServiceRequest['method'];

const answer = (status: number, body: unknown, headers = {}): Outcome => ({
	kind: 'response',
	status,
	headers,
	body,
});
const networkError = (code: string, message = ''): Outcome => ({
	kind: 'networkError',
	code,
	message,
});
const explained = (
	outcome: Outcome,
	method: Method = 'GET',
	subject: object = SUBJECT,
	tries = 1,
) =>
	explain(outcome, {
		request: { method, path: '/people/1f0c' },
		subject: { ...SUBJECT, ...subject },
		baseUrl: BASE,
		tries,
	});
const allOf = ({ message, advice }: ReturnType<typeof explain>) => `${message}\n${advice}`;

const BODIES: Array<[string, unknown]> = [
	['a plain message', { message: 'It says so.' }],
	[
		'a problem',
		{ type: '/errors/1', title: 'An error occurred', detail: 'It says so.', status: 1 },
	],
	['a title alone', { title: 'It says so.', detail: null, status: 1 }],
	['a JSON-LD form', { '@id': '/errors/1', '@type': 'Error', description: 'It says so.' }],
	['a hydra form', { 'hydra:title': 'An error occurred', 'hydra:description': 'It says so.' }],
	['blank fields before', { detail: '  ', message: '', title: 'It says so.' }],
	['text', 'It\n\tsays   so.'],
];
const STATUSES = [400, 401, 403, 404, 409, 415, 422, 500, 503];

describe.each(STATUSES)('an answer of %d', (status) => {
	it.each(BODIES)('carries what the service said in %s', (_, body) => {
		for (const method of ['GET', 'POST', 'PUT', 'PATCH'] as const) {
			const explanation = explained(answer(status, body), method);
			expect(allOf(explanation)).toContain('It says so');
			expect(allOf(explanation)).not.toContain('An error occurred');
			expect(explanation.httpCode).toBe(String(status));
			expect(allOf(explanation)).not.toMatch(UNWANTED);
		}
	});

	it.each<[string, unknown]>([
		['a page of HTML', '\n <!DOCTYPE html><h1>Oops</h1>'],
		['nothing', ''],
		['null', null],
		['a number', 7],
		['a list', ['Oops']],
		['other fields', { code: 'Oops' }],
		['fields that are no text', { detail: { x: 'Oops' }, message: 7 }],
	])('says what happened and how to go on without %s', (_, body) => {
		const explanation = explained(answer(status, body));
		expect(allOf(explanation)).not.toMatch(/oops|undefined|null|\[object|<|: *$|\. *$/im);
		expect(explanation.message.length).toBeGreaterThan(20);
		expect(explanation.advice.length).toBeGreaterThan(20);
		expect(allOf(explanation)).not.toMatch(UNWANTED);
	});
});

describe('what is said about', () => {
	it('401 points to the credential', () => {
		const { message, advice } = explained(answer(401, ''));
		expect(message).toBe('The service did not accept the API key');
		expect(advice).toMatch(/^Open the credential and check API Key and Base URL/);
	});

	it.each<[Method, string]>([
		['GET', 'read'],
		['POST', 'create'],
		['PUT', 'replace'],
		['PATCH', 'update'],
		['DELETE', 'use'],
	])('403 to %s names what the key may not do: %s', (method, verb) => {
		const { message, advice } = explained(answer(403, ''), method);
		expect(message).toBe(`The API key has no permission to ${verb} this person`);
		expect(advice).toMatch(/Ask an administrator/);
	});

	it('what the method does not tell is named by its own word', () => {
		const subject = { noun: 'task', verb: 'export' };
		expect(explained(answer(403, ''), 'POST', subject).message).toBe(
			'The API key has no permission to export this task',
		);
		expect(explained(answer(500, ''), 'POST', subject).message).toMatch(
			/could not export the task/,
		);
	});

	it('404 names the record and its id, where it has one', () => {
		expect(explained(answer(404, '')).message).toBe('The person "1f0c" does not exist');
		expect(explained(answer(404, ''), 'GET', { id: undefined }).message).toBe(
			'The service has no such person',
		);
	});

	it('500 to POST warns that it may have taken effect', () => {
		expect(explained(answer(500, ''), 'POST').advice).toMatch(
			/^Whether it took effect is not known: look for the person/,
		);
		expect(explained(answer(500, ''), 'PUT').advice).toMatch(/Try again later$/);
	});

	it.each<[string | undefined, string]>([
		['https://new.example.com/login?key=1', 'https://new.example.com'],
		['/login', 'another path of the same host'],
		[undefined, 'another path of the same host'],
	])('a redirect to %p says where the service is', (location, place) => {
		const { message, advice } = explained(answer(302, '', { location }));
		expect(message).toBe('The service redirects to another address, which is not followed');
		expect(advice).toMatch(new RegExp(`It was redirected to ${place}$`));
	});

	it('a success that cannot be read depends on whether something was written', () => {
		expect(explained(answer(200, '<html>')).advice).toMatch(/^Check that the Base URL/);
		expect(explained(answer(201, '{"id'), 'POST').advice).toMatch(/^It says that it took effect/);
	});

	it('several tries names their number', () => {
		expect(explained(answer(503, ''), 'GET', {}, 6).advice).toMatch(/It was tried 6 times$/);
		expect(explained(answer(503, ''), 'GET', {}, 1).advice).not.toMatch(/tried/);
	});

	it('a long text is cut between words, so that half a key cannot be left over', () => {
		const text = `${'word '.repeat(99)}secret-key-of-many-characters`;
		const { message } = explained(answer(400, { detail: text }));
		expect(message).toMatch(/ word …$/);
		expect(message).not.toContain('sec');
	});
});

describe('a service that does not answer', () => {
	it.each(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'CERT_HAS_EXPIRED'])(
		'cannot be reached after %p',
		(code) => {
			const { message, advice, httpCode } = explained(networkError(code, 'it was so'), 'POST');
			expect(message).toBe('The service at https://crm.example.com cannot be reached');
			expect(advice).toMatch(/^Check the Base URL in the credential/);
			expect(advice).toContain(code);
			expect(httpCode).toBeUndefined();
		},
	);

	it.each(['ECONNRESET', 'ECONNABORTED', 'ETIMEDOUT', 'EPIPE', 'ERR_BAD_RESPONSE'])(
		'after %s may have done what a POST asked for',
		(code) => {
			const outcome = networkError(code, 'it was so');
			expect(explained(outcome, 'POST').message).toBe('The service did not answer');
			expect(explained(outcome, 'POST').advice).toMatch(/Whether it took effect is not known/);
			expect(explained(outcome, 'PATCH').advice).toMatch(/^Try again later/);
			expect(allOf(explained(outcome))).not.toMatch(UNWANTED);
		},
	);

	it('tells the cause in words, or as it came', () => {
		expect(explained(networkError('ENOTFOUND', 'getaddrinfo')).advice).toMatch(
			/Cause: no such host \(ENOTFOUND\)$/,
		);
		expect(explained(networkError('ENEW', 'something new')).advice).toMatch(
			/Cause: something new \(ENEW\)$/,
		);
	});
});

describe('a request that n8n itself did not send', () => {
	it.each(['GET', 'POST'] as const)('is said to be of n8n, in its words: %s', (method) => {
		const words = 'The request was blocked because it resolves to a restricted IP address';
		const { message, advice, mayHaveTakenEffect } = explained(networkError('', words), method);
		expect(message).toBe(`n8n did not send the request: ${words}`);
		expect(advice).toMatch(/^Nothing was sent to the service/);
		expect(mayHaveTakenEffect).toBe(false);
	});

	it('says that the package is gone where n8n knows its credential no longer', () => {
		const words = 'Unrecognized credential type: contactTaskCrmApi';
		expect(explained(networkError('', words)).advice).toMatch(/was uninstalled while it ran/);
	});
});

it('a ServiceError knows the status, if there was one', () => {
	expect(new ServiceError(explained(answer(404, ''))).status).toBe(404);
	expect(new ServiceError(explained(networkError('ENOTFOUND'))).status).toBeUndefined();
});
