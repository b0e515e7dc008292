import type { Spending } from '../../../nodes/ContactTaskCrm/trigger/spending';
import { assertAnchorsExist, personPage } from '../../../nodes/ContactTaskCrm/trigger/requests';
import { ServiceError } from '../../../nodes/ContactTaskCrm/util/failures';

const NOW = Date.parse('2026-07-01T10:00:00Z');
const date = new Date(NOW).toUTCString();
const refused = (status: number) =>
	new ServiceError({ message: 'Refused', advice: '', code: 'refused', httpCode: String(status) });

/** Returns the budget of a poll that gets this answer to each request, or this error. */
const answering = (answer: object | Error | undefined, hasBegun = true) => {
	const send = jest.fn(async () => {
		if (answer instanceof Error) throw answer;
		return await Promise.resolve(answer);
	});
	return { send, hasBegun, answeredAt: NOW } as unknown as Spending & { send: typeof send };
};

it.each<[string, object | Error | undefined, object | undefined]>([
	['a person', { body: { id: 'a' }, headers: { date } }, { members: [{ id: 'a' }], servedAt: NOW }],
	['no person', refused(404), { members: [], servedAt: NOW }],
	['nothing, because the poll may send no more', undefined, undefined],
])('A trigger reads one person by ID: %s', async (_, answer, page) => {
	const spending = answering(answer);
	expect(await personPage(spending, 'a%20b')).toEqual(page);
	expect(spending.send).toHaveBeenCalledWith({
		...{ method: 'GET', path: '/people/a%20b', subject: { noun: 'person', id: 'a b' } },
	});
});

it.each<[string, object | Error, string]>([
	['the service refuses', refused(500), 'Refused'],
	[
		'the answer has no header Date',
		{ body: { id: 'a' }, headers: {} },
		'No answer of the service has the header Date, so the trigger cannot tell new records from old ones',
	],
])('A trigger does not read a person if %s', async (_, answer, message) => {
	await expect(personPage(answering(answer), 'a')).rejects.toThrow(message);
});

describe('a record that a trigger depends on', () => {
	const anchors = [1, 2].map((id) => ({
		path: `/segments/${id}`,
		subject: { noun: 'segment', id: String(id) },
	}));

	it.each<[string, object | Error | undefined, boolean, boolean | string]>([
		['is there', { body: {} }, true, true],
		['waits for the next poll', undefined, true, false],
		[
			'is deleted',
			refused(404),
			true,
			'The segment "1" no longer exists, or the key may no longer see it',
		],
		['is missing when the trigger begins', refused(404), false, 'Refused'],
		['cannot be read', refused(500), true, 'Refused'],
	])('A record that a trigger depends on %s', async (_, answer, hasBegun, result) => {
		const spending = answering(answer, hasBegun);
		const checked = assertAnchorsExist(spending, anchors);
		if (typeof result === 'string') await expect(checked).rejects.toThrow(result);
		else expect(await checked).toBe(result);
		expect(spending.send).toHaveBeenCalledTimes(result === true ? 2 : 1);
	});
});
