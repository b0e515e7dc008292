import fc from 'fast-check';
import { addedTo, isIn } from '../../../nodes/ContactTaskCrm/trigger/rules';
import type { Poller } from './support/poller';
import { play, watchOver } from './support/play';
import { ROUNDS } from './support/rounds';
import type { Schedule } from './support/schedule';
import { somePeople, someSchedule } from './support/schedule';

/** Who came into the segment is told once for each time; not who was in it before. */
function playSegment(schedule: Schedule): void {
	const added = new Map<string, number>();
	const told = new Map<string, number>();
	const faults: string[] = [];
	/** Members when all was read, and how often each was told of by then. */
	let rest: { members: Set<string>; told: Map<string, number> } | undefined;
	let isActive = false;
	let poller: Poller | undefined;
	play(
		schedule,
		(tenant) => {
			const iri = `/segments/${tenant.segment}`;
			const put = (id: string, isMember: boolean) =>
				tenant.updatePerson(id, { segments: isMember ? [iri] : [] });
			const isMember = (id: string) => isIn(tenant.segment, tenant.person(id) as never);
			return {
				watch: () =>
					watchOver('/people', 'people', addedTo(tenant.segment), {
						membership: ['segments.uuid', tenant.segment],
						matches: (person) => isIn(tenant.segment, person),
					}),
				populate: (_, index) => {
					put(tenant.createPerson(), index % 2 === 0);
					tenant.now += 1000;
				},
				change: (what, who, to) => {
					const ids = [...tenant.store.people.keys()];
					// More people of one second than a page holds can only be read by page.
					if (what === 'create') tenant.now += 1000;
					const id = what === 'create' ? tenant.createPerson() : ids[who % ids.length];
					if (id === undefined) return;
					const was = isMember(id);
					if (what === 'create') put(id, to % 2 === 0);
					else if (what === 'update') tenant.updatePerson(id, { jobTitle: `title ${to}` });
					else put(id, what === 'add');
					if (!was && isMember(id) && isActive) added.set(id, (added.get(id) ?? 0) + 1);
				},
				listener: {
					onStart: () => (isActive = true),
					onHandOver: (happenings) => {
						for (const { record } of happenings) {
							const id = String(record.id);
							told.set(id, (told.get(id) ?? 0) + 1);
						}
					},
				},
				onSettled: () => {
					if (!poller?.state?.isComplete) return;
					for (const id of tenant.store.people.keys()) {
						const count = told.get(id) ?? 0;
						if (count > (added.get(id) ?? 0)) faults.push(`${id}: told ${count} times`);
						const wasIn = rest?.members.has(id) ?? true;
						const isDue = rest !== undefined && !wasIn && isMember(id);
						if (isDue && count === (rest?.told.get(id) ?? 0)) faults.push(`${id}: not told`);
					}
					rest = {
						members: new Set([...tenant.store.people.keys()].filter(isMember)),
						told: new Map(told),
					};
				},
			};
		},
		(ready) => (poller = ready),
	);
	expect(faults).toEqual([]);
}

describe('personAddedToSegment, whatever happens while pages are read', () => {
	it('tells each time somebody comes in that can be told, and nobody who was in', () => {
		const changes = ['create', 'update', 'add', 'add', 'remove'] as const;
		fc.assert(fc.property(someSchedule(changes, somePeople), playSegment), ROUNDS);
	});
});
