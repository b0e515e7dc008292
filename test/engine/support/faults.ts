import type { Fault } from '../../service';

type StatusFault = Extract<Fault, { kind: 'status' }>;
type Match = StatusFault['match'];

/** Refuses matching requests with a problem document. */
export const refusal = (code: number, match?: Match): Fault => ({
	kind: 'status',
	status: code,
	body: 'json',
	...(match && { match }),
});

/** Answers any request with status 200 and this body. */
export const answer = (body: unknown, match?: Match): Fault => ({
	kind: 'status',
	status: 200,
	body: body as NonNullable<StatusFault['body']>,
	...(match && { match }),
});
