import type { IExecutePaginationFunctions } from 'n8n-workflow';

/** What may be chosen under Options; each is undefined where it is not added. */
export interface Options {
	fields?: unknown;
	lookUp?: unknown;
	matchBy?: unknown;
	maxWaitMinutes?: unknown;
	output?: unknown;
	replaceLists?: unknown;
	whenRateLimited?: unknown;
}

/** What the user chose under Options, for one item. */
export function optionsOf(context: Pick<IExecutePaginationFunctions, 'getNodeParameter'>): Options {
	return context.getNodeParameter('options', {}) as Options;
}
