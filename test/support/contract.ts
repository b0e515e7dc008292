import { mapValues, pickBy } from 'lodash';
import type { z } from 'zod';
import { openObject } from '../../nodes/ContactTaskCrm/schema/formats';
import type { RecordContract } from '../../nodes/ContactTaskCrm/schema/record';
import { jsonLdFields } from '../../nodes/ContactTaskCrm/schema/record';

interface Inner {
	unwrap?: () => z.ZodTypeAny;
	element?: z.ZodTypeAny;
	shape?: z.ZodRawShape;
}

/** Returns the sorted names of the parts of an object field, or of each entry of a list: "city" and "country". */
export function partsOfField(type: z.ZodTypeAny | undefined): string[] {
	const { unwrap, element, shape = {} } = (type ?? {}) as Inner;
	if (type && unwrap) return partsOfField(unwrap.call(type));
	return element ? partsOfField(element) : Object.keys(shape).sort();
}

/** Returns the zod schema of a record as the service answers it. */
export function recordSchema({ fields }: RecordContract): z.AnyZodObject {
	const shown = mapValues(fields, (field) => field.shown);
	return openObject({ ...jsonLdFields, ...(pickBy(shown) as z.ZodRawShape) });
}
