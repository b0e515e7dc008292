import { segment as contract } from '../schema/segment';
import { simplifiedBy } from '../output/flat';
import { fieldParameters, SHARED } from '../ui/fields';
import type { Resource } from '../ui/operations';
import { Verbs } from './verbs';
import type { RecordSpecification } from '../output/specification';

const segmentRecord: RecordSpecification = {
	...contract,
	simplify: simplifiedBy(contract, 'id title icon sequence'),
};

const verbs = new Verbs(segmentRecord, 'a segment (list of people)');

export const segment: Resource = {
	value: 'segment',
	name: 'Segment',
	description: 'A list of people',
	record: segmentRecord,
	operations: [
		verbs.getAll('Retrieve a list of segments (lists of people)'),
		verbs.create('Create a segment (list of people)'),
		verbs.get('Retrieve one segment (list of people) by ID'),
		verbs.update(),
		verbs.replace(),
	],
	fields: fieldParameters(contract, {
		icon: {
			example: 'star',
			description: 'Icon of the segment, such as star; Get Many shows those in use',
		},
		sequence: 'Place of the segment among the others, such as 3',
		title: SHARED.title,
	}),
	json: '{ "title": "Newsletter", "icon": "star" }',
};
