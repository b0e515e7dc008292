import type { IDataObject } from 'n8n-workflow';
import { addToLists } from './addToLists';
import { requestRecord } from './answer';
import { bodyOf } from './body';
import type { Item } from './item';
import { paginatorOf } from './item';
import { linksOf } from './links';
import { isMapped, replacedLists } from './mappedColumns';
import { outputFormOf } from './output';
import type { BodySpecification, Paginator, RecordSpecification } from './specification';
import { targetOf } from './target';

/**
 * Sends one record: creates, updates, replaces or duplicates it, as the description says. An update in
 * which nothing is given sends nothing, since an empty one would count as a change.
 */
export function runWrite(record: RecordSpecification, specification: BodySpecification): Paginator {
	return paginatorOf((item, run) => {
		const form = outputFormOf(item, record, 'write');
		const { method = 'POST' } = item.request;
		const body = bodyOf(item, specification);
		const lists = method === 'PATCH' ? addedLists(item, body, specification) : [];
		const { targets, whenEnded, use } = targetOf(item, run, record);
		const links = linksOf(item, run, body, specification);
		return {
			targets,
			whenEnded: () => {
				whenEnded?.();
				links.whenEnded();
			},
			form,
			isRepeatable: method !== 'POST',
			send: async (connection, place) =>
				await use(connection, place, async (located) => {
					const { path, id, named } = located;
					const whole = await links.found(connection, place);
					const write = async (sent: IDataObject, unchanged: IDataObject) => {
						if (method === 'PATCH' && Object.keys(sent).length === 0) return unchanged;
						const subject = { noun: record.noun, id, named };
						if (id !== undefined) record.noticeWrite?.(connection.identity, id);
						return await requestRecord(connection, { method, path, body: sent }, record, subject);
					};
					if (lists.length === 0) return [await write(whole, { id: id ?? null })];
					const added = await addToLists(connection, record, located, {
						body: whole,
						lists,
						write: async ({ body: sent, current }) => await write(sent, current),
					});
					return [added];
				}),
		};
	});
}

/** The lists of an update that are added to: a table gives one value of a list more often than all. */
function addedLists(item: Item, body: IDataObject, specification: BodySpecification): string[] {
	if (!isMapped(item)) return [];
	const replaced = replacedLists(item, specification);
	return Object.keys(body).filter((name) => {
		const value: unknown = body[name];
		const isGiven = Array.isArray(value) && value.length > 0;
		return isGiven && specification.fields[name]?.isList && !replaced.includes(name);
	});
}
