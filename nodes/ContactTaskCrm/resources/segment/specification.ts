import type { IDataObject } from 'n8n-workflow';
import { segmentBodySchema } from '../../contract/segment';
import type { BodySpecification, RecordSpecification } from '../../runtime/specification';
import { idIn } from '../../common/records';

/** A segment (list of people), under `/segments`. */
export const segmentRecord: RecordSpecification = {
	noun: 'segment',
	plural: 'segments',
	collection: '/segments',
	simplify: (segment: IDataObject) => ({
		id: idIn(segment),
		title: segment.title ?? null,
		icon: segment.icon ?? null,
		sequence: segment.sequence ?? null,
	}),
};

/** The body of an update: only the fields given. */
export const segmentUpdateBody: BodySpecification = {
	schema: segmentBodySchema,
	required: [],
	references: {},
};

/** The body of a new segment, and of one that replaces another. */
export const segmentBody: BodySpecification = {
	...segmentUpdateBody,
	required: ['title', 'icon'],
};
