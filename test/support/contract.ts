import type { z } from 'zod';

interface Inner {
	unwrap?: () => z.ZodTypeAny;
	element?: z.ZodTypeAny;
	shape?: z.ZodRawShape;
}

/** Returns the sorted names of the parts that a field, or each list entry, may have. */
export function partsOfField(type: z.ZodTypeAny | undefined): string[] {
	const { unwrap, element, shape = {} } = (type ?? {}) as Inner;
	if (type && unwrap) return partsOfField(unwrap.call(type));
	return element ? partsOfField(element) : Object.keys(shape).sort();
}
