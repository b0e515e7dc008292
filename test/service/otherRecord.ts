import { operations } from './contract';
import type { Call, Endpoint } from './endpoint';
import type { Result } from './representation';

/** Returns another record of the same kind instead of the one in a result. Returns the same if there is no other. */
export function inPlaceOf(result: Result, call: Call, endpoints: Record<string, Endpoint>): Result {
	if (result.kind !== 'item') return result;
	const [, collection, own] = /^(.*)\/([^/]+)$/.exec(result.item.iri) ?? [];
	const template = collection.replace(/^(\/tasks\/)[^/]+/, '$1{taskId}');
	const answering = (path: string) =>
		operations.find((operation) => operation.method === 'GET' && operation.path === path);
	const [listed, shown] = [answering(template), answering(`${template}/{id}`)];
	const all = endpoints[listed?.operationId ?? '']({ ...call, query: {} });
	const other = all.kind === 'list' ? all.records.find(({ id }) => id !== own) : undefined;
	if (!other) return result;
	const params = { ...call.params, id: other.id };
	const item = endpoints[shown?.operationId ?? '']({ ...call, params });
	return item.kind === 'item' ? { ...item, stored: result.stored } : result;
}
