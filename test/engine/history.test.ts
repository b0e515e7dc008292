import { locator } from './support/fields';
import { useScene } from './support/scene';
import { DISCUSSED, HISTORY } from './support/seeded';
import { get } from './support/wire';

const all = `/tasks/${DISCUSSED.id}/history`;
const path = `${all}/${HISTORY[0].id}`;
const task = { id: DISCUSSED.id, iri: `/tasks/${DISCUSSED.id}` };

describe('history entries', () => {
	const scene = useScene({ switches: { omitNulls: false } });

	it.each([
		['IDs', locator(task.id), locator(HISTORY[0].id)],
		['IRIs', locator(task.iri), locator(path)],
		['choices from lists', locator(task.id, 'list'), locator(HISTORY[0].id, 'list')],
	])('are read one by one, addressed by %s', async (_, taskId, historyId) => {
		const { items } = await scene.run({
			parameters: { resource: 'history', operation: 'get', taskId, historyId, output: 'raw' },
		});
		expect(scene.sent()).toEqual([get(path)]);
		expect(items).toEqual([{ json: await scene.record(path), pairedItem: { item: 0 } }]);
	});

	it.each([
		['raw', (entry: object) => entry],
		[
			'simplified',
			() => ({
				id: HISTORY[0].id,
				createdAt: HISTORY[0].createdAt,
				author: HISTORY[0].author,
				changes: JSON.stringify(HISTORY[0].changes),
			}),
		],
	])('are listed, %s', async (output, of) => {
		const { items } = await scene.run({
			parameters: { resource: 'history', operation: 'getAll', taskId: locator(task.id), output },
		});
		expect(scene.sent()).toEqual([get(all, 'itemsPerPage=30')]);
		const { member } = await scene.record(all);
		expect(items).toEqual(
			(member as object[]).map((entry) => ({ json: of(entry), pairedItem: { item: 0 } })),
		);
		expect(items).toHaveLength(HISTORY.length);
	});

	it('of a task that does not exist are none, and so is the output', async () => {
		const { items, error } = await scene.run({
			parameters: { resource: 'history', operation: 'getAll', taskId: locator('none') },
		});
		expect(error).toBeUndefined();
		expect(items).toEqual([]);
	});
});
