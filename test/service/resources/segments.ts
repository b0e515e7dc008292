import { changesBetween, merge } from '../changes';
import { componentSchemas, requiredOf } from '../contract';
import { found, takeId, without, type Endpoint } from '../endpoint';
import { iriOf } from '../iris';
import type { Segment } from '../records';
import { list, type Result, type Shown } from '../representation';
import type { Store } from '../store';

const required = requiredOf(componentSchemas.Segment);

const blankSegment = (id: string): Segment => ({ id, title: null, icon: null, sequence: null });

const show = (segment: Segment): Shown => ({
	iri: iriOf('segments', segment.id),
	type: 'Segment',
	fields: { ...segment },
	required,
});

const item = (segment: Segment, stored: boolean): Result => ({
	kind: 'item',
	item: show(segment),
	stored,
});

function save(store: Store, before: Segment, after: Segment): Result {
	const hasChanged = changesBetween(before, after).length > 0;
	store.segments.set(after.id, after);
	return item(after, hasChanged);
}

/** The endpoints of interface section 4.3. */
export const segments: Record<string, Endpoint> = {
	listSegments: ({ store }) => list('Segment', [...store.segments.values()], show),
	createSegment: ({ store, readInput }) => {
		const input = readInput();
		const id = takeId(store, 'segments', input, (taken) => store.segments.has(taken));
		const segment = merge(blankSegment(id), without(input, 'id'));
		store.segments.set(id, segment);
		return item(segment, true);
	},
	getSegment: ({ store, params }) => item(found(store.segments.get(params.id)), false),
	replaceSegment: ({ store, params, readInput }) => {
		const before = found(store.segments.get(params.id));
		return save(store, before, merge(blankSegment(before.id), without(readInput(), 'id')));
	},
	updateSegment: ({ store, params, readInput }) => {
		const before = found(store.segments.get(params.id));
		return save(store, before, merge(before, without(readInput(), 'id')));
	},
};
