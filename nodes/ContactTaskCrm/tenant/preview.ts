import type { IDataObject } from 'n8n-workflow';
import { systemClock } from '../http/clock';
import type { Waiting } from '../http/limiter';
import { Limiter } from '../http/limiter';
import type { ApiRequest, ServiceResponse } from '../http/request';
import { comparableId } from '../util/iri';

/** A request that a preview does not send. */
export type NotSent = Pick<ApiRequest, 'method' | 'path' | 'query' | 'body'>;

/** An ID that no service gives, for whom a run would create. */
const OF_CREATED = 'not-created:';

/** Whether an ID is that of a record that a preview would create. */
export function isOfPreview(id: string): boolean {
	return id.startsWith(OF_CREATED);
}

/**
 * What a run would leave behind that writes nothing. Whatever it reads of this later is as it would be then, so
 * that an item that meets an earlier one does what it would do.
 */
export class Preview {
	/** Records as they would be, by path. */
	private readonly records = new Map<string, IDataObject>();

	/** What items would send of which nobody knows what becomes of it, by item. */
	private readonly unknown = new Map<number, NotSent>();

	/** Its items go one after the other, beside all that is really changed. */
	private readonly turns = new Limiter(systemClock, Math.random);

	private created = 0;

	/** Waits for the turn of an item, however long those before it take. */
	async turn(waiting: Waiting): Promise<() => void> {
		const patient = { slotWaitMs: Infinity, throttledWaitMs: Infinity, runMinutes: 0 };
		return await this.turns.turn({ ...waiting, ...patient });
	}

	/** What the service would answer to a read, where the run would have written the record before. */
	read({ method, path }: Pick<ApiRequest, 'method' | 'path'>): ServiceResponse | undefined {
		const record = method === 'GET' ? this.records.get(comparableId(path)) : undefined;
		return record && answered(record);
	}

	/**
	 * What the service would answer to a write.
	 *
	 * @param expected the record as it would be, without an ID where it would be created; undefined where that is not known
	 */
	write(request: NotSent & { item: number }, expected: IDataObject | undefined): ServiceResponse {
		const { item, method, path, query, body } = request;
		if (!expected) {
			this.unknown.set(item, { method, path, query, body });
			return answered(undefined);
		}
		const id = `${OF_CREATED}${this.created + 1}`;
		const isCreated = method === 'POST';
		if (isCreated) this.created++;
		const record = isCreated ? { ...expected, id } : expected;
		this.records.set(comparableId(isCreated ? `${path}/${id}` : path), record);
		return answered(record);
	}

	/** The request of an item of which nobody knows what becomes of it; undefined for none. */
	unknownOf(item: number): NotSent | undefined {
		return this.unknown.get(item);
	}
}

function answered(body: IDataObject | undefined): ServiceResponse {
	return { status: 200, headers: {}, body: body && structuredClone(body) };
}
