import { z } from 'zod';
import { openObject } from './formats';
import { jsonLdFields } from './jsonLd';

/** An entry of a task's history as the service answers it. */
export const historyEntrySchema = openObject({
	...jsonLdFields,
	id: z.string(),
	createdAt: z.string(),
	changes: z.array(z.unknown()),
	author: z.string().nullable(),
});

export type HistoryEntry = z.infer<typeof historyEntrySchema>;
