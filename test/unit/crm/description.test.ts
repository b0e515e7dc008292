import { contracts } from '../../../nodes/ContactTaskCrm/schema';
import { ServiceDescription } from '../../../nodes/ContactTaskCrm/crm/description';

const HOUR_MS = 60 * 60_000;
const UUID = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const OTHER_UUID = UUID.toUpperCase().replace(/1$/, '2');

/** Returns a description, and a function that lets time pass. */
function described() {
	let now = 0;
	const clock = { now: () => now, wallTime: () => now, sleep: async () => await Promise.resolve() };
	return { description: new ServiceDescription(clock), pass: (ms: number) => void (now += ms) };
}

it('From one answer, the node learns time zone, IRI prefix and form of IDs', () => {
	const { description } = described();
	const person = {
		...{ '@id': `/api/people/${UUID}`, id: UUID, createdAt: '2026-07-01T10:00:00+02:00' },
		...{ owner: '/api/users/7', tags: ['/api/tags/b2b-1'], organizations: [] },
	};
	description.learn([person], contracts.person);
	expect(description.iriPrefix).toBe('/api');
	expect(description.zone.isKnown).toBe(true);
	const isId = (collection: string) =>
		[UUID, '12', 'WEB-1'].map((text) => description.mayBeId(text, collection));
	expect(isId('/people')).toEqual([true, false, false]);
	expect(isId('/users')).toEqual([false, true, false]);
	expect(isId('/tags')).toEqual([true, true, true]);
	expect(isId('/organizations')).toEqual([true, true, true]);
	expect(description.hasLookedForIds('/organizations')).toBe(false);
});

it.each([
	['of two records', [{ id: UUID }, { id: 7 }]],
	['of one record', [{ '@id': `/people/${UUID}`, id: 7 }]],
])('If the IDs %s have two forms, the node accepts any text as ID', (_, records) => {
	const { description } = described();
	description.learn(records, contracts.person);
	expect(['WEB-1', '12', OTHER_UUID].map((text) => description.mayBeId(text, '/people'))).toEqual(
		Array(3).fill(true),
	);
});

it('For an hour, the node remembers missing endpoints and lists that ignore order', () => {
	const { description, pass } = described();
	const known = () => [
		description.isMissing('/tags'),
		description.isMissing('/users'),
		description.keepsOrder('/people'),
	];
	expect(known()).toEqual([false, false, true]);
	description.noteMissing('/tags');
	description.noteUnordered('/people');
	pass(HOUR_MS - 1);
	expect(known()).toEqual([true, false, false]);
	pass(1);
	expect(known()).toEqual([false, false, true]);
});
