import type { IExecutePaginationFunctions } from 'n8n-workflow';
import { UnusableParameter } from '../util/errors';
import { quoted } from '../util/quoted';
import { truthOf } from '../util/values';

/** What may be chosen under Options; each is undefined where it is not added. */
export interface Options {
	fields?: unknown;
	lookUp?: unknown;
	matchBy?: unknown;
	maxWaitMinutes?: unknown;
	output?: unknown;
	previewOnly?: unknown;
	replaceLists?: unknown;
	tellChanges?: unknown;
	whenFilterEmpty?: unknown;
	whenRateLimited?: unknown;
}

/** What the user chose under Options, for one item. */
export function optionsOf(context: Pick<IExecutePaginationFunctions, 'getNodeParameter'>): Options {
	return context.getNodeParameter('options', {}) as Options;
}

/** What the editor calls the options that are turned on or off. */
const LABELS = { previewOnly: 'Preview Only', tellChanges: 'Tell What Changed' };

/**
 * Whether an option is added and turned on.
 *
 * @throws UnusableParameter where an expression gives neither true nor false: nothing may be written by mistake
 */
export function isOn(
	context: Pick<IExecutePaginationFunctions, 'getNodeParameter'>,
	name: keyof typeof LABELS,
): boolean {
	const options = optionsOf(context);
	if (!Object.hasOwn(options, name)) return false;
	const truth = truthOf(options[name]);
	if (truth !== undefined) return truth;
	throw new UnusableParameter(
		`${LABELS[name]}: expected true or false, got ${quoted(options[name])}`,
		'Turn it on or off, or correct the expression. It has to give one of the two for every item',
	);
}
