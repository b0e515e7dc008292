import { runUpsert } from '../../../nodes/ContactTaskCrm/resources/person/upsert';
import { itemContext, itemRequest } from '../../support/itemContext';

type Request = Parameters<typeof runUpsert>[0];

let tenants = 0;

async function upsert(
	people: object[],
	fields = {},
	matchValue: unknown = 'jan@example.com',
	matchBy = 'email',
) {
	// People who were created are remembered by tenant.
	const baseUrl = `https://crm${++tenants}.example.com`;
	const { context, requests } = itemContext({
		baseUrl,
		parameters: { matchBy, matchValue },
		answer: ({ method }) =>
			method === 'GET' ? { body: { member: people } } : { body: { id: 'x' } },
	});
	const body = { familyName: 'Jansen', ...fields };
	const outcome = await runUpsert
		.call(context, { options: itemRequest({ body }) } as unknown as Request)
		.catch((error: unknown) => error as Error);
	const writes = requests
		.filter(({ method }) => method !== 'GET')
		.map(({ method, url, body: sent }) => ({
			method,
			path: new URL(url).pathname,
			body: JSON.parse(String(sent)) as unknown,
		}));
	return { outcome, writes, requests };
}

const jan = (id: string) => ({
	id,
	familyName: 'Jansen',
	emailAddresses: [{ email: 'Jan@example.com' }],
});

describe('creating or updating a person', () => {
	it('updates the one that matches', async () => {
		const { writes } = await upsert([jan('1')], { jobTitle: 'Head' });
		expect(writes).toEqual([
			{
				method: 'PATCH',
				path: '/people/1',
				body: { jobTitle: 'Head' },
			},
		]);
	});

	it('creates one who will be found the next time, beside other addresses given', async () => {
		const { writes } = await upsert([], { emailAddresses: [{ email: 'work@example.com' }] });
		expect(writes).toMatchObject([
			{
				method: 'POST',
				body: { emailAddresses: [{ email: 'work@example.com' }, { email: 'jan@example.com' }] },
			},
		]);
	});

	it('looks for the value with the filter of the interface', async () => {
		const { requests } = await upsert([]);
		expect(requests[0].url).toMatch(
			/\.example\.com\/people\?emailAddresses\.email=jan%40example\.com&itemsPerPage=30$/,
		);
		const other = await upsert([], {}, 'jan-jansen', 'identifier');
		expect(other.requests[0].url).toContain('?identifiers=jan-jansen&');
	});

	it('writes nothing where nothing differs, and says so', async () => {
		const { writes, outcome } = await upsert([jan('1')], { familyName: 'Jansen' });
		expect(writes).toEqual([]);
		expect(outcome).toMatchObject([{ json: { result: 'unchanged', id: '1' } }]);
	});

	it('creates one where the filter found parts of the value alone', async () => {
		const { writes } = await upsert([
			{ id: '2', emailAddresses: [{ email: 'bojan@example.com' }] },
		]);
		expect(writes).toMatchObject([{ method: 'POST' }]);
	});

	it.each<[string, object[], RegExp]>([
		['two match', [jan('1'), jan('2')], /^2 people have .*Jansen \(1\), Jansen \(2\)$/],
		['the filter was dropped', [{ id: '2', emailAddresses: [] }], /found 1 people .* none of whom/],
		[
			'the id of the match cannot be read',
			[{ ...jan('1'), '@id': '/tags/1' }],
			/^The answer of the service cannot be read/,
		],
		[
			'the match has no id',
			[{ ...jan('1'), id: null }],
			/^The answer of the service cannot be read/,
		],
	])('writes nothing where %s', async (_, people, message) => {
		const { outcome, writes } = await upsert(people);
		expect((outcome as Error).message).toMatch(message);
		expect(writes).toEqual([]);
	});

	it.each<[unknown, string]>([
		['', 'Value to Find is empty'],
		[null, 'Value to Find is empty'],
		['jan', 'Value to Find: expected an e-mail address, got "jan"'],
	])('asks for nothing where the value to look for is %p', async (value, message) => {
		const { outcome, requests } = await upsert([], {}, value);
		expect((outcome as Error).message).toContain(message);
		expect(requests).toEqual([]);
	});
});
