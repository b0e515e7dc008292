import { text, wholeNumber } from './field';
import type { RecordContract } from './record';

/** A list of people. The interface calls it segment (sections 2.5 and 4.3). */
export const segment: RecordContract<'/segments'> = {
	noun: 'segment',
	plural: 'segments',
	collection: '/segments',
	locator: 'segmentId',
	fields: {
		id: text({ isJsonOnly: true }),
		title: text({ isRequired: true }),
		icon: text({ isRequired: true }),
		sequence: wholeNumber(),
	},
	usual: 'id title',
	filters: {},
	orders: {},
};
