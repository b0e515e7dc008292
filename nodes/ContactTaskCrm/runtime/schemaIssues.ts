import type { ZodIssue } from 'zod';
import type { BodySpecification } from './specification';

/** Whether a field holds a list. */
export function holdsList({ schema }: BodySpecification, name: string): boolean {
	return !issuesOf(schema, { [name]: [] }).some((issue) => issue.path[0] === name);
}

/** What of a body the schema does not take. */
export function issuesOf(schema: BodySpecification['schema'], body: unknown): ZodIssue[] {
	return schema.safeParse(body).error?.issues ?? [];
}
