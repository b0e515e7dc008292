import { taskReadFilters } from '../../nodes/ContactTaskCrm/resources/task/record';

const moment = (time: string) => ({ wallTime: Date.parse(time), timezone: 'Europe/Amsterdam' });
const isOverdue = (task: object, time: string) =>
	taskReadFilters.isOverdue.passes({ ...task }, ['true'], moment(time));

describe('an overdue task', () => {
	it('The filter Overdue keeps a task once its due time has passed', () => {
		const task = { dueDate: '2026-03-01T10:00:00+01:00' };
		expect(isOverdue(task, '2026-03-01T08:59:59Z')).toBe(false);
		expect(isOverdue(task, '2026-03-01T09:00:01Z')).toBe(true);
	});

	it('If a due date has no time, its task is overdue the next day', () => {
		expect(isOverdue({ dueDate: '2026-03-01' }, '2026-03-01T22:59:00Z')).toBe(false);
		expect(isOverdue({ dueDate: '2026-03-01' }, '2026-03-01T23:00:01Z')).toBe(true);
	});

	it.each([
		{ dueDate: '2026-03-01', completedAt: '2026-02-01T00:00:00Z' },
		{ dueDate: '2026-03-01', archivedAt: '2026-02-01T00:00:00Z' },
		{ dueDate: null },
		{},
	])('A completed, archived or undated task is not overdue: %j', (task) => {
		expect(isOverdue(task, '2027-01-01T00:00:00Z')).toBe(false);
	});
});

it("The filter Workspace finds a task by its own or its column's workspace", () => {
	const passes = (task: object) =>
		taskReadFilters.workspaceId.passes({ ...task }, ['/workspaces/5c1f'], moment('2026-01-01'));
	expect(passes({ status: '/workspaces/5c1f/columns/12ab' })).toBe(true);
	expect(passes({ status: '/workspaces/77/columns/12ab' })).toBe(false);
	expect(passes({ workspace: { '@id': '/workspaces/5c1f' } })).toBe(true);
});
