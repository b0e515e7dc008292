import { iriOf } from '../iris';
import type { Segment } from '../records';
import { endpointsOf } from '../resource';

/** The endpoints of interface section 4.3. */
export const segments = endpointsOf<Segment>({
	schema: 'Segment',
	plural: 'Segments',
	iri: ({ id }) => iriOf('segments', id),
	all: ({ store }) => [...store.segments.values()],
	find: ({ store, params }) => store.segments.get(params.id),
	put: (segment, { store }) => store.segments.set(segment.id, segment),
});
