import fc from 'fast-check';
import { changed, runListChange } from '../../../nodes/ContactTaskCrm/resources/person/listChanges';
import { itemContext, itemRequest } from '../../support/itemContext';

const someTags = fc.uniqueArray(fc.constantFrom('/tags/1', '/tags/2', '/tags/3', '/tags/4'));

describe('a changed list', () => {
	it('has what was there, in order, then what was added, once', () => {
		fc.assert(
			fc.property(someTags, someTags, (before, chosen) => {
				const after = changed(before, chosen, 'add');
				expect(after.slice(0, before.length)).toEqual(before);
				expect(after).toHaveLength(new Set([...before, ...chosen]).size);
				expect(after).toEqual(expect.arrayContaining(chosen));
			}),
		);
	});

	it('has what was there, in order, without what was removed', () => {
		fc.assert(
			fc.property(someTags, someTags, (before, chosen) => {
				const after = changed(before, chosen, 'remove');
				expect(after).toEqual(before.filter((tag) => chosen.indexOf(tag) === -1));
			}),
		);
	});

	it('is as long as before where nothing changes', () => {
		expect(changed(['/tags/1'], ['/tags/1'], 'add')).toEqual(['/tags/1']);
		expect(changed(['/tags/1'], ['/tags/2'], 'remove')).toEqual(['/tags/1']);
	});
});

async function run(tags: unknown, person: object, change: 'add' | 'remove' = 'add') {
	const { context, requests } = itemContext({
		parameters: { personId: 'p1', tags },
		answer: ({ method }) => ({ body: { id: 'p1', ...person, written: method } }),
	});
	const request = { options: itemRequest({ url: '/people/{personId}' }) };
	const items = await runListChange('tags', change).call(
		context,
		request as unknown as Parameters<ReturnType<typeof runListChange>>[0],
	);
	return { items, writes: requests.slice(1).map(({ method, body }) => [method, body] as unknown) };
}

describe('changing the tags of a person', () => {
	it('sends the changed list alone', async () => {
		const { writes } = await run('2, /tags/3', { tags: ['/tags/1', '/tags/2'] });
		expect(writes).toEqual([
			['PATCH', JSON.stringify({ tags: ['/tags/1', '/tags/2', '/tags/3'] })],
		]);
	});

	it('writes nothing where nothing changes, and gives the person as read', async () => {
		const { items, writes } = await run(['1'], { tags: ['/tags/1'] });
		expect(writes).toEqual([]);
		expect(items).toMatchObject([
			{ json: { id: 'p1', result: 'unchanged' }, pairedItem: { item: 0 } },
		]);
	});

	it('takes a number for an id, and reads tags that come embedded', async () => {
		const { writes } = await run(2, { tags: [{ '@id': '/tags/1' }, { id: 2 }] }, 'remove');
		expect(writes).toEqual([['PATCH', JSON.stringify({ tags: ['/tags/1'] })]]);
	});

	it('writes nothing over tags that cannot be read', async () => {
		await expect(run('2', { tags: [{ title: 'VIP' }] })).rejects.toThrow(
			/^The service does not show the tags of the person "p1"/,
		);
	});

	it.each<[unknown, string]>([
		['', 'Tags is empty'],
		[[], 'Tags is empty'],
		['../people/1', 'Tags: expected an ID, or /tags/{id}, got "../people/1"'],
	])('is refused for %p', async (tags, message) => {
		await expect(run(tags, {})).rejects.toThrow(message);
	});
});
