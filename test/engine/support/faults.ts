import type { Fault } from '../../service';

type StatusFault = Extract<Fault, { kind: 'status' }>;
type Match = StatusFault['match'];

/** Returns a fault: matching requests get this error status, with a JSON document that describes the problem. */
export const refusal = (code: number, match?: Match): Fault => ({
	kind: 'status',
	status: code,
	body: 'json',
	...(match && { match }),
});

/** Returns a fault: matching requests, or else all requests, get status 200 and this body. */
export const answer = (body: unknown, match?: Match): Fault => ({
	kind: 'status',
	status: 200,
	body: body as NonNullable<StatusFault['body']>,
	...(match && { match }),
});
