import type { INodeProperties } from 'n8n-workflow';

/*
 * Fields that stand at the top level for several resources. They are the same for all of them, so
 * that they can be one parameter of the node (see `shared.ts`).
 */

export const title: INodeProperties = {
	displayName: 'Title',
	name: 'title',
	type: 'string',
	default: '',
	placeholder: 'e.g. Renewals in March',
	description: 'What the record is called, such as Renewals in March',
};

export const archivedAt: INodeProperties = {
	displayName: 'Archived At',
	name: 'archivedAt',
	type: 'dateTime',
	default: '',
	description: 'When the record was archived, such as 2026-12-31T17:00:00Z',
};
