import { useScene } from './support/scene';

describe('an operation that the node does not have', () => {
	const scene = useScene();

	it.each([
		['person', 'merge', 'Operation: there is no operation "merge" of the resource "person"'],
		['invoice', 'get', 'Resource: there is no resource "invoice"'],
		[
			'task',
			'__CUSTOM_API_CALL__',
			'Operation is Custom API Call, which is no operation of this node',
		],
	])('%s %s is said to be none, and nothing is sent', async (resource, operation, message) => {
		const { error } = await scene.run({ parameters: { resource, operation } });
		expect(error?.message).toBe(message);
		expect(error?.description).toContain('HTTP Request');
		expect(scene.requests()).toEqual([]);
		const { errorItems } = await scene.run({
			parameters: { resource, operation },
			input: [{ row: 1 }],
			onError: 'continueErrorOutput',
		});
		expect(errorItems.map(({ json }) => [json.row, json.error])).toEqual([[1, message]]);
	});
});
