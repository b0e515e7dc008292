import { locator } from './support/fields';
import { useScene } from './support/scene';

/** Simulates a host before 2.36, without `redactedHeaders`. */
jest.mock('n8n-workflow', () => {
	const workflow = jest.requireActual<Record<string, unknown>>('n8n-workflow');
	return Object.fromEntries(
		Object.entries(workflow).filter(([name]) => name !== 'redactedHeaders'),
	);
});

describe('a row that fails in an older engine', () => {
	const scene = useScene();

	it('Before n8n 2.36, a failed item has only message and advice', async () => {
		const { errorItems } = await scene.person(
			'get',
			{ personId: locator('={{ $json.id }}') },
			{ input: [{ id: 'gone' }], onError: 'continueErrorOutput' },
		);
		expect(errorItems.map(({ json }) => json)).toEqual([
			{
				id: 'gone',
				error: 'The person "gone" does not exist',
				message: expect.stringMatching(/^Check the ID: .* The service said: Not Found$/),
			},
		]);
	});
});
