import type { Explanation } from '../../../nodes/ContactTaskCrm/util/failures';
import { Busy, RateLimited, ServiceError } from '../../../nodes/ContactTaskCrm/util/failures';
import {
	asNodeError,
	Mistakes,
	UnusableParameter,
} from '../../../nodes/ContactTaskCrm/util/errors';
import { NODE } from '../../support/itemContext';

const ofService = (explanation: Explanation) => asNodeError(NODE, new ServiceError(explanation), 3);

describe('the message of an error', () => {
	it.each([
		'The service could not use the request (HTTP 400): ENOTFOUND is no title',
		'ECONNREFUSED',
		'The person "401" does not exist',
		'The service could not read the person (HTTP 429): 503',
		'EPERM, ENOENT and etimedout are names of tags',
	])('An error keeps a message that n8n would otherwise rewrite: %s', (message) => {
		const error = ofService({
			message,
			advice: 'Go on like this',
			code: 'refused',
			httpCode: '400',
		});
		expect(error.message).toBe(message);
		expect(error.description).toBe('Go on like this');
		expect(JSON.parse(JSON.stringify(error))).toMatchObject({
			message,
			description: 'Go on like this',
		});
	});

	it.each([
		[new Error('ENOTFOUND host'), 'ENOTFOUND host'],
		['text', 'text'],
	])('An unexpected error keeps its message: %p', (thrown, message) => {
		const error = asNodeError(NODE, thrown, 0);
		expect(error.message).toBe(message);
		expect(error.description ?? '').toBe('');
	});
});

describe('the error of an item that failed', () => {
	it("The error of a failed item has the item's index and HTTP status", () => {
		const error = ofService({ message: 'No', advice: 'Look', code: 'not-found', httpCode: '404' });
		expect(error.context.itemIndex).toBe(3);
		expect(error.httpCode).toBe('404');
		expect(error.node).toBe(NODE);
	});
	it('The error of a failed item keeps its code in context and in JSON', () => {
		const { context } = asNodeError(NODE, new Busy(), 3);
		expect(context.code).toBe('not-sent');
		const inJson = JSON.parse(JSON.stringify(asNodeError(NODE, new Error('It failed'), 3)));
		expect(inJson.context).toEqual({ code: 'unexpected', itemIndex: 3 });
	});
	it('The error of a failed item takes only the message of a thrown error', () => {
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

describe('the message of an error for an AI agent', () => {
	it.each([
		['No.', 'Look', 'No. Look'],
		['No', 'Look', 'No. Look'],
		['No', '', 'No'],
	])('The message %j and the advice %j become one text', (message, advice, text) => {
		const error = new ServiceError({ message, advice, code: 'refused', httpCode: '400' });
		expect(asNodeError(NODE, error, 0, true).message).toBe(text);
	});
});

describe('several mistakes of one item', () => {
	const error = (...mistakes: UnusableParameter[]) => {
		const all = new Mistakes();
		for (const mistake of mistakes) all.add(mistake);
		try {
			all.throwAny();
		} catch (thrown) {
			return thrown as UnusableParameter;
		}
		return undefined;
	};

	it.each<[string, string[], string, string | undefined]>([
		['of two parameters', ['Phone: no', 'City is empty'], 'Phone: no; City is empty', 'Phone'],
		['of one parameter', ['Phone: no', 'Phone is empty'], 'Phone: no', 'Phone'],
		['without a parameter', ['No', 'Neither'], 'No; Neither', undefined],
		['twice the same', ['No', 'No'], 'No', undefined],
	])('One error names the mistakes %s', (_, messages, message, parameter) => {
		const mistakes = messages.map((text) => new UnusableParameter(text, 'Correct it'));
		expect(error(...mistakes)).toMatchObject({
			...{ message, advice: 'Correct it', facts: { code: 'unusable-value', parameter } },
		});
	});

	it('Without a mistake, there is no error', () => expect(error()).toBeUndefined());
});

it.each([
	['limit', 'The requests of this minute are used up; the next one is possible in 2 seconds'],
	['polls', 'Other triggers use the requests that triggers may send in this minute'],
	[
		'throttled',
		'The service refuses requests for now (HTTP 429); the next try is possible in 2 seconds',
	],
	[
		'unanswered',
		'The service has not answered the requests before this one, so this one was not sent',
	],
] as const)('The error of a request without a slot gives the reason "%s"', (reason, message) => {
	expect(new RateLimited(1_001, reason).message).toBe(message);
});
