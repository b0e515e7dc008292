import type { IDataObject } from 'n8n-workflow';
import { referencesIn } from '../common/references';
import { personRecord } from '../resources/person/output';
import { idOf, valueOf } from '../common/iri';
import type { Context } from './chosen';
import { located, resolved } from './chosen';
import type { Rule } from './rules';
import { addedTo, isIn } from './rules';
import type { QueryPair, WatchSettings } from './watch';

/** A filter of people: the query parameter, the field that shows the same, and where it points. */
const PERSON_FILTERS = {
	ownerId: { label: 'Owner', query: 'owner.id', field: 'owner', collection: '/users' },
	segmentsUuid: {
		label: 'Segment',
		query: 'segments.uuid',
		field: 'segments',
		collection: '/segments',
	},
	tagsId: { label: 'Tag', query: 'tags.id', field: 'tags', collection: '/tags' },
} as const;

/** People who meet the filters. */
export function people(context: Context, reading: 'window' | 'people', rule: Rule): WatchSettings {
	const chosen = context.getNodeParameter('filters', {}) as IDataObject;
	const filters = Object.entries(PERSON_FILTERS).map(([name, filter]) => {
		const ids = referencesIn(chosen[name]).map((reference) =>
			resolved(filter.label, idOf(reference, filter.collection)),
		);
		return { ...filter, ids };
	});
	return {
		path: '/people',
		subject: { noun: 'list of people' },
		record: personRecord,
		reading,
		rule,
		sharesTexts: false,
		filters: filters.flatMap(({ query, ids }) =>
			ids.map((id): QueryPair => [ids.length > 1 ? `${query}[]` : query, id]),
		),
		matches: (person) =>
			filters.every(
				({ field, ids, collection }) => ids.length === 0 || holds(person[field], ids, collection),
			),
	};
}

/** Whether a field names one of these records; one that is not shown is left to the service's filter. */
function holds(value: IDataObject[string], ids: string[], collection: string): boolean {
	if (value === undefined) return true;
	const references: unknown[] = Array.isArray(value) ? value : [value];
	return references.some((reference) => ids.includes(valueOf(idOf(reference, collection)) ?? ''));
}

/** People who come into the chosen segment. */
export function segment(context: Context): WatchSettings {
	const id = located(context, 'segmentId', 'Segment', '/segments');
	const settings = people(context, 'people', addedTo(id));
	return {
		...settings,
		membership: ['segments.uuid', id],
		matches: (person) => isIn(id, person) && settings.matches(person),
		anchor: { path: `/segments/${id}`, subject: { noun: 'segment', id } },
	};
}
