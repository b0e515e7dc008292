import type { NodeHint } from 'n8n-workflow';

/** Requests a minute that the service allows (interface, section 8). */
const RATE = 20;

/**
 * n8n evaluates expressions in the condition of a hint and not in its message, so there is a hint for
 * each span of time.
 */
const STEPS = [
	{ above: RATE, upTo: 3 * RATE, time: 'about 1 to 3 minutes' },
	{ above: 3 * RATE, upTo: 10 * RATE, time: 'about 3 to 10 minutes' },
	{ above: 10 * RATE, upTo: 30 * RATE, time: 'about 10 to 30 minutes' },
	{ above: 30 * RATE, upTo: 60 * RATE, time: 'about 30 to 60 minutes' },
	{ above: 60 * RATE, upTo: Infinity, time: 'more than an hour' },
];

/**
 * Requests that an item costs. The operations that add to a list or remove from it read the person first;
 * by e-mail address, thirty people at once. So does Create or Update.
 */
const COST =
	"(/^(add|remove)/.test($parameter.operation) && $parameter.personId?.mode !== 'email' ? 2 : 1)";

function condition(above: number, upTo: number): string {
	const count = `$input.all().length * ${COST}`;
	const belowEnd = upTo === Infinity ? '' : ` && ${count} <= ${upTo}`;
	return `={{ ${count} > ${above}${belowEnd} }}`;
}

/** Says before a run how long its items take, where they are more than the service takes at once. */
export const hints: NodeHint[] = STEPS.map(({ above, upTo, time }) => ({
	message: `The service takes ${RATE} requests a minute, so this run needs ${time}. It waits for its turns by itself.`,
	type: 'info',
	location: 'outputPane',
	whenToDisplay: 'beforeExecution',
	displayCondition: condition(above, upTo),
}));
