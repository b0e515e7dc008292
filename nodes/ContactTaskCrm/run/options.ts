import type { ClientOptions } from '../crm/client';
import { pickBy } from 'lodash';
import type { InputItem } from '../input/item';
import { outputFormOf, type OutputForm } from '../output/output';
import type { RecordSpecification } from '../output/specification';
import { type Approval, approvalOf } from '../writes/approved';
import { MINUTE_MS } from '../values/time';
import { isBlank, quoted } from '../values/text';
import { truthOf } from '../values/json';
import { UnusableParameter } from '../util/errors';

/** Options that the user has added. Expressions may give values of any type. */
export type Options = Partial<
	Record<
		| 'approvedChanges'
		| 'fields'
		| 'lookUp'
		| 'matchBy'
		| 'maxWaitMinutes'
		| 'onlyIfTheyShare'
		| 'output'
		| 'previewOnly'
		| 'replaceLists'
		| 'tellChanges'
		| 'whenFilterEmpty'
		| 'whenNameDiffers'
		| 'whenRateLimited',
		unknown
	>
>;

/** Label and permitted values of each option that offers a few choices. `outputFormOf` checks the option Output. */
const CHOICES = {
	lookUp: ['Look for People', 'together', 'each'],
	matchBy: ['Find By', 'email', 'identifier'],
	whenFilterEmpty: ['When a Filter Is Empty', 'fail', 'ignore'],
	whenNameDiffers: ['When the Name Differs', 'refuse', 'update'],
	whenRateLimited: ['When Rate Limited', 'fail', 'wait'],
} as const;

/**
 * Refuses an unknown choice in `options`, because an expression may give any value. An option without a value passes,
 * because its default applies.
 *
 * @throws UnusableParameter that names the option
 */
export function assertChoices(options: Options): void {
	for (const [name, [label, ...values]] of Object.entries(CHOICES)) {
		const given = options[name as keyof typeof CHOICES] ?? undefined;
		if (given === undefined || (values as unknown[]).includes(given)) continue;
		throw new UnusableParameter(
			`${label}: expected ${values.join(' or ')}, got ${quoted(given)}`,
			'Choose from the list, or correct the expression. It has to give one of the two for every item',
		);
	}
}

/** Label of the option for the longest wait. */
export const MAX_WAIT = 'Max Wait (Minutes)';

/**
 * Returns the number in an option; undefined if the option is blank.
 *
 * @param least lowest number that the option takes
 * @throws UnusableParameter if an expression gives a lower number, or something other than a number
 */
export function numberFrom(least: number, label: string, value: unknown): number | undefined {
	if (isBlank(value)) return undefined;
	const number = typeof value === 'string' ? Number(value) : value;
	if (typeof number === 'number' && number >= least) return number;
	throw new UnusableParameter(
		`${label}: expected a number from ${least}, got ${quoted(value)}`,
		'Enter a number, or remove the option',
	);
}

/** Labels of the options that the user turns on or off. */
const SWITCHES = {
	onlyIfTheyShare: 'Only If They Share',
	previewOnly: 'Preview Only',
	tellChanges: 'Tell What Changed',
};

/** Name of an option that the user turns on or off. */
type Switch = keyof typeof SWITCHES;

/**
 * Returns whether the user turned an option on.
 *
 * @throws UnusableParameter if an expression gives neither true nor false. Otherwise an item might write although the
 *   user meant Preview Only
 */
export function isOn(options: Options, name: Switch): boolean {
	return Object.hasOwn(options, name) && isTurnedOn(SWITCHES[name], options[name]);
}

/**
 * Returns whether a switch is on. A switch is a parameter that the user turns on or off.
 *
 * @throws UnusableParameter if the value is neither true nor false
 */
export function isTurnedOn(label: string, value: unknown): boolean {
	const truth = truthOf(value);
	if (truth !== undefined) return truth;
	throw new UnusableParameter(
		`${label}: expected true or false, got ${quoted(value)}`,
		'Turn it on or off, or correct the expression. It has to give one of the two for every item',
	);
}

const DEFAULT_MAX_WAIT_MINUTES = 30;

/** Settings of an item from its parameters: for its requests, its output, and the changes that it may make. */
export interface Settings {
	sending: ClientOptions;
	/** Form of the item's records in the output. Absent if the output shows them unchanged. */
	form?: OutputForm;
	/** The changes that a write may make; absent without the option Approved Changes. */
	approval?: Approval | undefined;
}

/**
 * Checks the options of an item, and returns its settings.
 *
 * @param record description of the item's records, for the parameter Output; absent if the output shows them unchanged
 * @param place place of the item in the queue of its run. The limiter serves the item with the lowest place first
 * @throws UnusableParameter for an unusable option
 */
export function settingsOf(
	item: Sender,
	record: RecordSpecification | undefined,
	place: number,
): Settings {
	const { context, isWrite, options } = item;
	assertChoices(options);
	const sending = sendingOf(item, place);
	if (!record) return { sending };
	const chosen = (name: 'output' | 'fields', orElse: string | string[]): unknown =>
		isWrite ? options[name] : context.getNodeParameter(name, orElse);
	const asked = { output: chosen('output', 'simplified'), fields: chosen('fields', []) };
	const form = outputFormOf(asked, record, isWrite);
	return { sending, form, approval: isWrite ? approvalOf(options, record) : undefined };
}

interface Sender extends Pick<InputItem, 'context' | 'request' | 'labelAt'> {
	isWrite: boolean;
	options: Options;
	run: { signal: AbortSignal };
}

/**
 * Returns the options for the requests of an item, from its parameters.
 *
 * @param place place of the item in the queue of its run. The limiter serves the item with the lowest place first
 * @throws UnusableParameter if Max Wait is no number from 0
 */
function sendingOf(item: Sender, place: number): ClientOptions {
	const { context, isWrite, request, run, options } = item;
	const { whenRateLimited, maxWaitMinutes } = options;
	const isPatient = whenRateLimited !== 'fail';
	const wait = isPatient ? numberFrom(0, MAX_WAIT, maxWaitMinutes) : 0;
	const minutes = wait ?? DEFAULT_MAX_WAIT_MINUTES;
	// Takes the timeout from the parameter, because the engine puts its own default into `request`.
	const { timeout } = context.getNodeParameter('requestOptions', {}) as { timeout?: number };
	const { proxy, skipSslCertificateValidation, allowedDomains } = request;
	return {
		lane: run,
		item: place,
		keepsReads: isWrite,
		signal: run.signal,
		labelAt: (path, body) => item.labelAt(path, body),
		slotWaitMs: isPatient ? Infinity : 0,
		throttledWaitMs: minutes * MINUTE_MS,
		...pickBy({ proxy, skipSslCertificateValidation, allowedDomains, timeout }),
	};
}
