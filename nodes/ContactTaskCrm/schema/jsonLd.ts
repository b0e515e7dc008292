import { z } from 'zod';

/** What the JSON-LD representation adds to a record. */
export const jsonLdFields = {
	'@context': z.union([z.string(), z.object({}).passthrough()]),
	'@id': z.string(),
	'@type': z.string(),
};
