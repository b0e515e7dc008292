import { taskRecord } from '../../nodes/ContactTaskCrm/resources/task/record';

test('In Simplified output, a task begins with titles, and ends with status and id', () => {
	const status = '/workspaces/5c1f/columns/12ab';
	const titles: Record<string, string> = { [status]: 'Won', '/workspaces/5c1f': 'Sales' };
	const simple = taskRecord.simplify(
		{ id: '91ce', title: 'Renewal', status, assignees: ['/users/3f2a'] },
		(reference) => titles[String(reference)],
	);
	const names = Object.keys(simple);
	expect(names.slice(0, 5)).toEqual([
		...['title', 'statusTitle', 'workspaceTitle', 'assignees', 'dueDate'],
	]);
	expect(names.slice(-2)).toEqual(['status', 'id']);
	expect(simple).toMatchObject({ statusTitle: 'Won', workspaceTitle: 'Sales', status, id: '91ce' });
});
