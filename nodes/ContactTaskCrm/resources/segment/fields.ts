import type { INodeProperties } from 'n8n-workflow';
import { title } from '../../description/sharedFields';

/** The fields of a segment that have a parameter of their own. */
export const segmentFields: INodeProperties[] = [
	{
		displayName: 'Icon',
		name: 'icon',
		type: 'string',
		default: '',
		placeholder: 'e.g. star',
		description:
			'Icon of the segment in the form the service uses, such as star; Get Many shows those in use',
	},
	{
		displayName: 'Sequence',
		name: 'sequence',
		type: 'number',
		typeOptions: { numberPrecision: 0 },
		default: 0,
		description: 'Place of the segment among the others, a whole number such as 3',
	},
	title,
];
