import { locator } from './support/fields';
import { useScene } from './support/scene';
import { PEOPLE } from './support/seeded';
import { errorItem } from '../../nodes/ContactTaskCrm/runtime/errorItem';
import type { Fault } from '../service';

const [first, second] = PEOPLE;
const read = {
	resource: 'person',
	operation: 'get',
	personId: locator('={{ $json.id }}'),
	output: 'selectedFields',
};
const input = [{ id: first.id }, { id: 'gone' }, { id: second.id }, { id: 'a/b' }];
/** What is added to a row: what happened, and beside it how to go on. */
const GONE = {
	error: 'The person "gone" does not exist',
	details: {
		howToGoOn: expect.stringMatching(/^Check the ID: .* The service said: Not Found$/),
		httpStatus: 404,
	},
};
const BAD_ID = {
	error: 'Person: expected an ID, or /people/{id}, got "a/b"',
	details: {
		howToGoOn:
			'Give the ID of the person as the service shows it, without any other part of an address',
		parameter: 'Person',
	},
};

describe('an item that fails', () => {
	const scene = useScene();

	it('goes to the error output with its row, linked, while the others go on', async () => {
		const { items, errorItems, error } = await scene.run({
			parameters: read,
			input,
			onError: 'continueErrorOutput',
		});
		expect(error).toBeUndefined();
		expect(items).toEqual([
			{ json: { id: first.id }, pairedItem: { item: 0 } },
			{ json: { id: second.id }, pairedItem: { item: 2 } },
		]);
		expect(errorItems).toEqual([
			{ json: { id: 'gone', ...GONE }, pairedItem: { item: 1 } },
			{ json: { id: 'a/b', ...BAD_ID }, pairedItem: { item: 3 } },
		]);
	});

	it('stays in its place on the regular output, linked, while the others go on', async () => {
		const { items, errorItems, error } = await scene.run({
			parameters: read,
			input,
			onError: 'continueRegularOutput',
		});
		expect(error).toBeUndefined();
		expect(errorItems).toEqual([]);
		expect(items.map(({ json, pairedItem }) => ({ json, pairedItem }))).toEqual([
			{ json: { id: first.id }, pairedItem: { item: 0 } },
			{ json: GONE, pairedItem: { item: 1 } },
			{ json: { id: second.id }, pairedItem: { item: 2 } },
			{ json: BAD_ID, pairedItem: { item: 3 } },
		]);
	});

	it('stops the execution where nothing else is said, and says how far it came', async () => {
		const { items, errorItems, error } = await scene.run({
			parameters: read,
			input: input.slice(0, 3),
		});
		expect(items).toEqual([]);
		expect(errorItems).toEqual([]);
		expect(error).toMatchObject({
			name: 'NodeApiError',
			message: expect.stringMatching(
				/^The person "gone" does not exist \([12] of 3 items done, [01] not sent\)$/,
			),
			httpCode: '404',
			context: { itemIndex: 1 },
			node: { name: 'CRM' },
		});
	});
});

const faults: ReadonlyArray<readonly [name: string, fault: Fault, message: RegExp]> = [
	['400', { kind: 'status', status: 400, body: 'json' }, /^The service could not use the request/],
	[
		'401',
		{ kind: 'status', status: 401, body: 'json' },
		/^The service did not accept the API key$/,
	],
	['403', { kind: 'status', status: 403, body: 'json' }, /^The API key has no permission/],
	['422', { kind: 'status', status: 422, body: 'json' }, /\(HTTP 422\)/],
	['500', { kind: 'status', status: 500, body: 'json' }, /^The service could not create/],
	['a redirect', { kind: 'status', status: 307, headers: { location: '/x' } }, /redirects/],
	['a page of HTML', { kind: 'status', status: 200 }, /cannot be read/],
	['a reset', { kind: 'reset' }, /^The service did not answer$/],
	['a truncated answer', { kind: 'truncated' }, /^The service did not answer$/],
];

describe.each(['continueErrorOutput', 'continueRegularOutput'] as const)(
	'the second of three items (%s)',
	(onError) => {
		const scene = useScene();

		it.each(faults)('meets %s alone', async (_, fault, message) => {
			scene.service.switches.faults = [{ ...fault, match: { nth: 2 } } as Fault];
			const { items, errorItems, error } = await scene.run({
				parameters: { resource: 'person', operation: 'create', familyName: '={{ $json.name }}' },
				input: ['A', 'B', 'C'].map((name) => ({ name })),
				onError,
			});
			expect(error).toBeUndefined();
			const failed = onError === 'continueErrorOutput' ? errorItems : [items[1]];
			expect(failed).toHaveLength(1);
			expect(failed[0].json).toMatchObject({
				...(onError === 'continueErrorOutput' ? { name: 'B' } : {}),
				error: expect.stringMatching(message),
				details: { howToGoOn: expect.stringMatching(/\w/) },
			});
			expect(failed[0].pairedItem).toEqual({ item: 1 });
			const done = items.filter(({ json }) => json.error === undefined);
			expect(done.map(({ json, pairedItem }) => [json.familyName, pairedItem])).toEqual([
				['A', { item: 0 }],
				['C', { item: 2 }],
			]);
		});
	},
);

it.each([true, false])('an older engine takes error and message alone (%s)', (isWithDetails) => {
	const { json } = errorItem('Gone', { howToGoOn: 'Look', httpStatus: 404 }, 3, isWithDetails);
	expect(Object.keys(json)).toEqual(isWithDetails ? ['error', 'details'] : ['error', 'message']);
});
