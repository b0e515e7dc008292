import { fromSaved, startState, toSaved } from '../../../nodes/ContactTaskCrm/trigger/state';
import type { Migrations } from '../../../nodes/ContactTaskCrm/trigger/stateVersions';
import { migrated, MIGRATIONS, VERSION } from '../../../nodes/ContactTaskCrm/trigger/stateVersions';

/** Two invented changes of form: a field that got another name, and then another unit. */
const INVENTED: Migrations = {
	1: ({ started, ...others }) => ({ ...others, began: started }),
	2: ({ began, ...others }) => ({ ...others, beganMs: Number(began) * 1000 }),
};

const loaded = (saved: unknown) => fromSaved(JSON.parse(JSON.stringify(saved)), 'tasks', 8);

describe('a saved state', () => {
	const saved = toSaved(startState('tasks', 1000));

	it.each([
		['of the first version, through both', { v: 1, started: 7, key: 'x' }],
		['of the second version, through the last', { v: 2, began: 7, key: 'x' }],
		['of this version, as it is', { v: 3, beganMs: 7000, key: 'x' }],
	])('is brought into the form of now: %s', (_, older) => {
		const kept = JSON.stringify(older);
		const now = { kind: 'migrated', saved: { v: 3, beganMs: 7000, key: 'x' } };
		expect(migrated(older, INVENTED, 3)).toEqual(now);
		expect(JSON.stringify(older)).toBe(kept);
	});

	it.each([
		['of a later version', { v: 4 }, 'later'],
		['of a version without a way on', { v: 0 }, 'unknown'],
		['of a version that is no number', { v: '1' }, 'unknown'],
		['without a version', {}, 'unknown'],
		['of something else', 'what?', 'unknown'],
		['of a list', [1], 'unknown'],
	])('is said to be unreadable: %s', (_, form, kind) => {
		expect(migrated(form, INVENTED, 3)).toEqual({ kind });
		expect(loaded(form)).toEqual({ kind: 'unreadable', isLater: kind === 'later' });
	});

	it('has a way to this version from every version before', () => {
		const before = Array.from({ length: VERSION - 1 }, (_, index) => String(index + 1));
		expect(Object.keys(MIGRATIONS)).toEqual(before);
	});

	it('may have a field that this version does not know', () => {
		const later = { ...saved, another: { of: 'a later version' } };
		expect(loaded(later)).toEqual(loaded(saved));
		expect(loaded(saved)).toMatchObject({ kind: 'state' });
	});

	it.each(['checks', 'checkedAt', 'window', 'head', 'byPageUntil', 'newestChange', 'hasGap'])(
		'may lack what came later, or is not known yet: %s',
		(field) => {
			expect(loaded({ ...saved, [field]: undefined })).toMatchObject({ kind: 'state' });
		},
	);

	it('that lacks what every version has is damaged', () => {
		for (const field of ['key', 'began', 'memory', 'scan', 'polls']) {
			expect(loaded({ ...saved, [field]: undefined })).toEqual({
				kind: 'unreadable',
				isLater: false,
			});
		}
	});
});
