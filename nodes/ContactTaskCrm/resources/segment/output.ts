import type { IDataObject } from 'n8n-workflow';
import { idIn } from '../../common/records';
import { segment } from '../../contract/segment';
import type { RecordSpecification } from '../../runtime/specification';

/** A segment (list of people), under `/segments`. */
export const segmentRecord: RecordSpecification = {
	...segment,
	simplify: (segment: IDataObject) => ({
		id: idIn(segment),
		title: segment.title ?? null,
		icon: segment.icon ?? null,
		sequence: segment.sequence ?? null,
	}),
};
