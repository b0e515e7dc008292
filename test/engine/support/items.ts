import type { IDataObject } from 'n8n-workflow';

/** Returns input items, numbered from 0. */
export function items<T extends IDataObject>(count: number, json: (index: number) => T): T[] {
	return Array.from({ length: count }, (_, index) => json(index));
}
