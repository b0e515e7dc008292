import { locator } from './support/fields';
import { useScene } from './support/scene';
import { TASKS } from './support/seeded';

/* Export has no result, so only the body of an answer can say that a success status is none. */

const scene = useScene();
const [{ id }] = TASKS;
const run = async (status: number, body: Record<string, unknown> | unknown[]) => {
	scene.faults({ kind: 'status', status, body });
	return await scene.task('export', { taskId: locator(id) });
};
const PROBLEM = { '@type': 'Error', title: 'An error occurred', status: 400, detail: 'No credit.' };

it.each<[number, Record<string, unknown>, string]>([
	[200, { error: 'No credit.' }, 'says "No credit"'],
	[200, { error: { message: 'No credit.' } }, 'says "No credit"'],
	[200, { message: 'No credit.' }, 'says "No credit"'],
	[200, PROBLEM, 'says "No credit"'],
	[201, PROBLEM, 'says "No credit"'],
	[202, { errors: ['No credit.', 'No rights.'] }, 'says "No credit" (and 1 more)'],
	[200, { violations: [{ propertyPath: 'title', message: 'Empty.' }] }, 'says "Title: Empty"'],
	[200, { success: false }, 'does not report success'],
	[200, { success: false, message: 'No credit.' }, 'says "No credit"'],
	[200, { data: { error: 'No credit.' } }, 'says "No credit"'],
	[207, {}, 'does not report success'],
	[207, { id, title: 'Call' }, 'does not report success'],
])('Export fails after HTTP %d with the body %j', async (status, body, reason) => {
	const { error, items } = await run(status, body);
	expect(items).toEqual([]);
	expect(error).toMatchObject({
		message: `The service answered with HTTP ${status}, but ${reason}, so the task may have been exported`,
		description: 'Look for the task before you run this item again',
		httpCode: String(status),
	});
});

it.each<[number, Record<string, unknown> | unknown[]]>([
	[200, {}],
	[200, []],
	[200, { success: true, message: 'Done' }],
	[200, { id, title: 'Call', description: 'Say hello', status: '/workspaces/1/columns/2' }],
	[200, { error: null, errors: [], violations: [] }],
	[201, { message: 'Done' }],
	[202, { status: 'queued' }],
	[204, {}],
])('Export reports success after HTTP %d with the body %j', async (status, body) => {
	const { error, items } = await run(status, body);
	expect(error?.message).toBeUndefined();
	expect(items[0].json).toEqual({ id, exported: true });
});

it('The error of a refused export does not show the API key', async () => {
	const { error } = await run(200, { error: `Key ${scene.apiKey} is blocked` });
	expect(error?.message).toContain('is blocked');
	expect(JSON.stringify(error)).not.toContain(scene.apiKey);
});
