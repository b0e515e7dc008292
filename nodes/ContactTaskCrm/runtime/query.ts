import type { IDataObject } from 'n8n-workflow';
import { idOf, iriOf, valueOf } from '../common/iri';
import type { Item } from './item';
import { UnusableParameter } from '../common/errors';
import { inZone } from '../common/dateTime';
import { isBlank, referencesIn } from '../common/references';
import type { QueryKind, QuerySpecification } from './specification';

/**
 * The query of an item's request, from what the engine collected.
 *
 * Filters of such services fail open: one that cannot be read gives the unfiltered list. So a value
 * that is no id, date or direction is refused here.
 *
 * @throws UnusableParameter naming the filter
 */
export function queryOf(item: Item, specification: QuerySpecification): Array<[string, string]> {
	const { context, request } = item;
	refuseExpressionsWithoutValue(item, specification);
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
	iri: 'an ID or a path such as /users/{id}',
	dateTime: 'a date such as 2026-12-31 or 2026-12-31T17:00:00Z',
	boolean: 'true or false',
	direction: 'asc or desc',
};

function entriesOf(kind: QueryKind, value: unknown): unknown[] {
	if (kind === 'id' || kind === 'iri') return referencesIn(value);
	const entries: unknown[] = Array.isArray(value) ? value : [value];
	return entries.filter((entry) => !isBlank(entry));
}

/**
 * A filter that is left empty filters nothing, as anybody would expect; one whose expression gives
 * no value at all was meant to filter, and would hand over the whole list.
 *
 * @throws UnusableParameter naming the filter
 */
function refuseExpressionsWithoutValue({ context }: Item, specification: QuerySpecification): void {
	const { filters } = context.getNode().parameters;
	if (typeof filters !== 'object' || filters === null) return;
	for (const [wireName, { label = labelOfQuery(wireName) }] of Object.entries(specification)) {
		const name = parameterName(wireName);
		if (!isExpression((filters as IDataObject)[name])) continue;
		const value: unknown = context.getNodeParameter(`filters.${name}`, undefined);
		const entries: unknown[] = Array.isArray(value) ? value : [value];
		if (entries.length === 0 || entries.some((entry) => entry !== undefined && entry !== null))
			continue;
		throw new UnusableParameter(
			`${label} is empty: its expression gave nothing for this item`,
			'Correct the expression, or remove the filter. Without a value the service would give the unfiltered list',
		);
	}
}

/** The parameter of a filter is called as on the wire, in camel case: `owner.id` is `ownerId`. */
function parameterName(wireName: string): string {
	return wireName.replace(
		/[^A-Za-z]+([a-zA-Z])?/g,
		(_, letter?: string) => letter?.toUpperCase() ?? '',
	);
}

function isExpression(given: unknown): boolean {
	return Array.isArray(given)
		? given.some(isExpression)
		: typeof given === 'string' && given.startsWith('=');
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
