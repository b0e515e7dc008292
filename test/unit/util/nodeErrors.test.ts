import type { Explanation } from '../../../nodes/ContactTaskCrm/http/errors';
import { RateLimited, ServiceError } from '../../../nodes/ContactTaskCrm/http/errors';
import { UnusableParameter } from '../../../nodes/ContactTaskCrm/util/errors';
import { asNodeError } from '../../../nodes/ContactTaskCrm/util/nodeErrors';
import { checkedBaseUrl } from '../../../nodes/ContactTaskCrm/http/credential';
import { NODE } from '../../support/itemContext';

const ofService = (explanation: Explanation) => asNodeError(NODE, new ServiceError(explanation), 3);

describe('the message', () => {
	it.each([
		'The service could not use the request (HTTP 400): ENOTFOUND is no title',
		'ECONNREFUSED',
		'The person "401" does not exist',
		'The service could not read the person (HTTP 429): 503',
		'EPERM, ENOENT and etimedout are names of tags',
	])('stays as it is, although n8n would rewrite it: %s', (message) => {
		const error = ofService({ message, advice: 'Go on like this', httpCode: '400' });
		expect(error.message).toBe(message);
		expect(error.description).toBe('Go on like this');
		expect(JSON.parse(JSON.stringify(error))).toMatchObject({
			message,
			description: 'Go on like this',
		});
	});

	it('of a parameter comes with its advice', () => {
		const error = asNodeError(NODE, new UnusableParameter('Limit is empty', 'Enter a number'), 0);
		expect(error).toMatchObject({ message: 'Limit is empty', description: 'Enter a number' });
	});

	it('of a tool has the advice in it, since an AI agent is shown nothing else', () => {
		const tool = { ...NODE, type: `${NODE.type}Tool` };
		const error = asNodeError(tool, new UnusableParameter('Limit is empty', 'Enter a number'), 0);
		expect(error.message).toBe('Limit is empty. Enter a number');
	});

	it('of a base URL is what happened, and the description how to go on', () => {
		let refusal: unknown;
		try {
			checkedBaseUrl('');
		} catch (error) {
			refusal = error;
		}
		expect(asNodeError(NODE, refusal, 0)).toMatchObject({
			message: 'The Base URL is empty',
			description:
				'Open the credential and enter the address of your CRM, e.g. https://crm.example.com',
		});
	});

	it.each([
		[new Error('ENOTFOUND host'), 'ENOTFOUND host'],
		['text', 'text'],
	])('of anything else is its own: %p', (thrown, message) => {
		const error = asNodeError(NODE, thrown, 0);
		expect(error.message).toBe(message);
		expect(error.description ?? '').toBe('');
	});
});

describe('the error of an item that failed', () => {
	it('is named by its index, with the status the service answered with', () => {
		const error = ofService({ message: 'No', advice: 'Look', httpCode: '404' });
		expect(error.context.itemIndex).toBe(3);
		expect(error.httpCode).toBe('404');
		expect(error.node).toBe(NODE);
	});

	it('has no status where nobody answered, whatever the text looks like', () => {
		expect(ofService({ message: '404', advice: '500' }).httpCode).toBeNull();
	});

	it('carries nothing of what was thrown but its texts', () => {
		const thrown = Object.assign(new Error('It failed'), {
			config: { headers: { 'X-API-KEY': 'secret-key' } },
			request: { path: '/people?key=secret-key' },
			response: { headers: { cookie: 'secret-key' }, data: { message: 'secret-key' } },
			cause: new Error('secret-key'),
			code: 'ECONNRESET',
			description: 'secret-key',
		});
		const error = asNodeError(NODE, thrown, 0);
		expect(error.message).toBe('It failed');
		expect(error.cause).toBeUndefined();
		const everything = Object.getOwnPropertyNames(error).map((name) =>
			JSON.stringify(error[name as keyof typeof error]),
		);
		expect(everything.join()).not.toContain('secret-key');
		expect(Object.keys(error)).not.toEqual(
			expect.arrayContaining(['request', 'response', 'config']),
		);
	});
});

describe('a rate limit that is used up', () => {
	it.each([
		['limit' as const, 41_001, /^The requests of this minute are used up; .* in 42 seconds$/, null],
		[
			'throttled' as const,
			42_000,
			/^The service refuses requests .*\(HTTP 429\); .* in 42 seconds$/,
			'429',
		],
	])('by the %s says how long it lasts, and to n8n too', (reason, waitMs, message, httpCode) => {
		const error = asNodeError(NODE, new RateLimited(waitMs, reason), 0);
		expect(error.message).toMatch(message);
		expect(error.description).toMatch(/Options > When Rate Limited/);
		expect(error.httpCode).toBe(httpCode);
		expect(error).toMatchObject({ failure: { cause: 'rate-limited', retryAfterMs: waitMs } });
	});

	it('is nothing that other failures claim', () => {
		expect(ofService({ message: 'No', advice: '', httpCode: '500' }).failure).toBeUndefined();
	});
});
