import { idOf, iriOf, valueOf } from '../transport/iri';
import type { Item } from './item';
import { UnusableParameter } from './nodeErrors';
import { listOf } from './output';
import { inZone } from './dateTime';
import type { QueryKind, QuerySpecification } from './specification';

/**
 * The query of an item's request, from what the engine collected.
 *
 * Filters of such services fail open: one that cannot be read gives the unfiltered list. So a value
 * that is no id, date or direction is refused here.
 *
 * @throws UnusableParameter naming the filter
 */
export function queryOf(
	{ context, request }: Item,
	specification: QuerySpecification,
): Array<[string, string]> {
	const timezone = context.getTimezone();
	return Object.entries(request.qs ?? {}).flatMap(([name, value]): Array<[string, string]> => {
		const { kind, collection = '', label = labelOfQuery(name) } = specification[name];
		const values = entriesOf(kind, value).map((entry) => {
			const text = textOf(kind, entry, collection, timezone);
			if (text !== undefined) return text;
			throw new UnusableParameter(
				`${label}: expected ${EXPECTED[kind]}, got ${JSON.stringify(entry)}`,
				'Correct the filter, or remove it. Without the check the service would give the unfiltered list',
			);
		});
		// The interface has an array form of its own, with brackets after the name.
		return values.map((text) => [values.length > 1 ? `${name}[]` : name, text]);
	});
}

const EXPECTED: Record<QueryKind, string> = {
	text: 'text',
	id: 'an ID',
	iri: 'an ID or a path such as /users/<id>',
	dateTime: 'a date such as 2026-12-31 or 2026-12-31T17:00:00Z',
	boolean: 'true or false',
	direction: 'asc or desc',
};

function entriesOf(kind: QueryKind, value: unknown): unknown[] {
	const isReference = kind === 'id' || kind === 'iri';
	// A record given by an expression is one entry: to drop it would give the unfiltered list.
	const entries: unknown[] = Array.isArray(value)
		? value
		: isReference && typeof value === 'string'
			? listOf(value)
			: [value];
	return entries.filter((entry) => entry !== undefined && entry !== null && entry !== '');
}

function textOf(
	kind: QueryKind,
	value: unknown,
	collection: string,
	timezone: string,
): string | undefined {
	switch (kind) {
		case 'id':
		case 'iri':
			return valueOf(kind === 'id' ? idOf(value, collection) : iriOf(value, collection));
		case 'dateTime': {
			const time = inZone(value, timezone);
			// In UTC and with "Z": a plus sign would be read as a space, and the filter dropped.
			if (time) return time.toUTC().toISO({ suppressMilliseconds: true }) ?? undefined;
			return undefined;
		}
		case 'boolean':
			return ['true', 'false'].find((text) => text === String(value));
		case 'direction':
			return ['asc', 'desc'].find((text) => text === String(value));
		case 'text':
			return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined;
	}
}

/** `createdAt[strictly_after]` is shown as "Created At (strictly after)". */
function labelOfQuery(name: string): string {
	const [, stem, bracket] = /^([^[]*)(?:\[(\w+)\])?$/.exec(name) ?? [];
	const words = (stem ?? name)
		.replace(/\..*$/, '')
		.replace(/([A-Z])/g, ' $1')
		.replace(/^./, (letter) => letter.toUpperCase());
	return bracket ? `${words} (${bracket.replace('_', ' ')})` : words;
}
