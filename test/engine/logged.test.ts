import { printed } from './support/printed';
import { useScene } from './support/scene';

describe("n8n's log", () => {
	const scene = useScene();
	beforeEach(() => {
		printed.length = 0;
	});
	const list = { resource: 'person', operation: 'getAll', returnAll: true };
	const page = (ids: number[], totalItems?: number) => ({
		'@type': 'Collection',
		member: ids.map((id) => ({ '@id': `/people/p-${id}`, '@type': 'Person', id: `p-${id}` })),
		...(totalItems === undefined ? {} : { totalItems }),
	});

	it('says that a list is read once more, since it lost records while it was read', async () => {
		scene.service.switches.faults = [
			{ kind: 'status', status: 200, body: page([1, 2], 3), match: { first: 2 } },
			{ kind: 'status', status: 200, body: page([2, 3], 3) },
		];
		const { error, items } = await scene.run({ parameters: list });
		expect(error).toBeUndefined();
		expect(items).toHaveLength(3);
		expect(printed.join('')).toContain(
			'The list of people is read once more: 1 were missing after 2',
		);
	});

	it('says nothing of a list that is whole', async () => {
		await scene.run({ parameters: list });
		expect(printed.join('')).not.toContain('read once more');
	});
});
