import type { INodeProperties } from 'n8n-workflow';

export const icon: INodeProperties = {
	displayName: 'Icon',
	name: 'icon',
	type: 'string',
	default: '',
	placeholder: 'e.g. star',
	description:
		'Icon of the segment in the form the service uses, such as star; Get Many shows those in use',
	routing: { send: { type: 'body', property: 'icon' } },
};

export const sequence: INodeProperties = {
	displayName: 'Sequence',
	name: 'sequence',
	type: 'number',
	typeOptions: { numberPrecision: 0 },
	default: 0,
	description: 'Place of the segment among the others, a whole number such as 3',
	routing: { send: { type: 'body', property: 'sequence' } },
};

/** The fields that may be null; title and icon must stay. */
export const clearableFields = ['sequence'];
