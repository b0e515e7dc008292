import type { z } from 'zod';
import { openObject, text, wholeNumber } from './formats';
import { jsonLdFields } from './jsonLd';

const fields = {
	id: text.nullable(),
	title: text.nullable(),
	icon: text.nullable(),
	sequence: wholeNumber.nullable(),
};

/** A list of people, called segment on the wire, as the service answers it. */
export const segmentSchema = openObject({ ...jsonLdFields, ...fields });

/** A segment as it is written: the body of a create, an update and a replacement. */
export const segmentBodySchema = openObject(fields);

export type Segment = z.infer<typeof segmentSchema>;
export type SegmentBody = z.infer<typeof segmentBodySchema>;
