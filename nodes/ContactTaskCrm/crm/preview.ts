import type { IDataObject } from 'n8n-workflow';
import { systemClock } from '../util/clock';
import { Limiter } from '../limit/limiter';
import type { Waiting } from '../limit/waiting';
import type { ApiRequest, ServiceResponse } from '../http/request';
import { comparableId } from '../values/reference';
import { limitEffectOf } from '../http/retry';

/** A request that a preview does not send. */
export type NotSent = Pick<ApiRequest, 'method' | 'path' | 'query' | 'body'>;

/** Prefix of the IDs that a preview gives to new records. The service gives no such ID. */
const OF_CREATED = 'not-created:';

/** Returns whether an ID belongs to a record that exists only in a preview. */
export function isOfPreview(id: string): boolean {
	return id.startsWith(OF_CREATED);
}

/** Writes that a preview does not send. Later items read the records as these writes would leave them. */
export class Preview {
	/** Records as the writes would leave them, by path. */
	private readonly records = new Map<string, IDataObject>();

	/** Writes with an effect that the preview cannot know, such as Duplicate, by index of the item. */
	private readonly unknown = new Map<number, NotSent>();

	/** Limiter that lets one item at a time write. Items of a preview do not wait for real writes. */
	private readonly lock = new Limiter(systemClock, Math.random, limitEffectOf);

	private created = 0;

	/** Waits until the item may write, without a time limit. */
	async lockWrites(waiting: Waiting): Promise<() => void> {
		const patient = { slotWaitMs: Infinity, throttledWaitMs: Infinity };
		return await this.lock.lockWrites({ ...waiting, ...patient });
	}

	/** Returns the answer to a read of a record that the preview wrote; undefined for any other record. */
	read({ path }: Pick<ApiRequest, 'path'>): ServiceResponse | undefined {
		const record = this.records.get(comparableId(path));
		return record && answered(record);
	}

	/**
	 * Returns the answer to a write that the preview does not send.
	 *
	 * @param expected the record after the write, without an ID if it is new; undefined if the record is not known
	 */
	write(
		{ method, path, query, body }: NotSent,
		{ item, expected }: { item: number; expected: IDataObject | undefined },
	): ServiceResponse {
		if (!expected) {
			this.unknown.set(item, { method, path, query, body });
			return answered(undefined);
		}
		if (method !== 'POST') {
			this.records.set(comparableId(path), expected);
			return answered(expected);
		}
		const id = `${OF_CREATED}${++this.created}`;
		const record = { ...expected, id };
		this.records.set(comparableId(`${path}/${id}`), record);
		return answered(record);
	}

	unknownOf(item: number): NotSent | undefined {
		return this.unknown.get(item);
	}
}

function answered(body: IDataObject | undefined): ServiceResponse {
	return { status: 200, headers: {}, body: body && structuredClone(body) };
}
