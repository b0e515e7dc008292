import type { IDataObject } from 'n8n-workflow';
import { Busy, Cancelled, RateLimited, ServiceError } from '../http/errors';
import type { NotSent } from '../tenant/preview';
import { isOfPreview } from '../tenant/preview';
import { asExplained } from '../util/errors';
import { idIn } from '../util/iri';
import { nameIn } from '../util/contacts';
import { Written } from './output';

const WORDS = { created: 'create', updated: 'update', unchanged: 'unchanged' } as const;

/**
 * What a preview says of an item: what would be done with whom, and what that would change.
 *
 * @param record what the item would have given
 * @param unknown the request of which nobody knows what becomes of it, where the item would send one
 */
export function previewed(record: unknown, unknown: NotSent | undefined): IDataObject {
	if (unknown) {
		const { method, path, query = [], body } = unknown;
		const asked = new URLSearchParams([...query] as Array<[string, string]>).toString();
		const address = asked === '' ? path : `${path}?${asked}`;
		return { preview: 'send', request: { method, path: address, ...(body && { body }) } };
	}
	if (!(record instanceof Written)) throw new Error('The item does not say what it would write');
	const { result, record: after, told } = record;
	const { changes = {}, note } = told;
	const id = idIn(after);
	return {
		preview: WORDS[result],
		// Who would be created has no ID yet, nor has whoever meets them in a later item.
		id: isOfPreview(String(id)) ? null : id,
		name: nameIn(after) || null,
		changes: changes as IDataObject,
		...(note ? { note } : {}),
	};
}

/** What a preview says of an item that would be refused, in a table of others that would not. */
export function refused(error: unknown): IDataObject {
	const { message: reason, advice: howToGoOn, facts } = asExplained(error);
	const nobody = { id: null, name: null, changes: {} };
	return { preview: 'refused', ...nobody, reason, parameter: facts.parameter ?? null, howToGoOn };
}

/** Whether an error says something of the item: whoever gets no answer knows nothing of it. */
export function isRefusal(error: unknown): boolean {
	if (error instanceof ServiceError) return OF_ITEM.has(error.status ?? 0);
	return !(error instanceof Busy || error instanceof Cancelled || error instanceof RateLimited);
}

/** Answers that are about what was asked for, and not about the key or the service. */
const OF_ITEM: ReadonlySet<number> = new Set([400, 403, 404, 405, 409, 410, 422]);
