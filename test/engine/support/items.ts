import type { IDataObject } from 'n8n-workflow';

/** Items of an input, numbered from 0. */
export function items(count: number, json: (index: number) => IDataObject): IDataObject[] {
	return Array.from({ length: count }, (_, index) => json(index));
}
