import { z } from 'zod';
import { openObject } from './formats';
import { jsonLdFields } from './jsonLd';

/** A workspace as the service answers it. The interface has no way to write one. */
export const workspaceSchema = openObject({
	...jsonLdFields,
	id: z.string().nullable(),
	privacy: z.string().nullable(),
	title: z.string().nullable(),
	description: z.string().nullable(),
	owner: z.string().nullable(),
	createdAt: z.string().nullable(),
	archivedAt: z.string().nullable(),
	estimation: z.boolean().nullable(),
	estimationType: z.string().nullable(),
	currency: z.string().nullable(),
	workspaceType: z.string().nullable(),
	emoji: z.string().nullable(),
	users: z.array(z.string()),
	pinned: z.boolean().nullable(),
	isPrivate: z.boolean().nullable(),
	totalAutomations: z.number().int().nullable(),
	columns: z.array(z.unknown()),
});

export type Workspace = z.infer<typeof workspaceSchema>;
