import type { NodeHint } from 'n8n-workflow';
import { fieldsOf } from '../schema/record';
import { plainName, plainNamesOf } from '../schema/tableColumns';
import type { Resource } from './operations';

/*
 * What the editor says before a run. n8n evaluates expressions in the condition of a hint and not in its message, so
 * whatever the message is to say that depends on the input takes a hint of its own. In a condition, a locator is its
 * value, and $rawParameter what was typed, expressions as they are.
 */

/** Requests a minute that the service allows (interface, section 8). */
const RATE = 20;

/** How long so many requests take: the first twenty go out at once, the next when a minute is over. */
const STEPS = [
	{ above: RATE, upTo: 2 * RATE, time: 'about a minute' },
	{ above: 2 * RATE, upTo: 3 * RATE, time: 'about 2 minutes' },
	{ above: 3 * RATE, upTo: 6 * RATE, time: '3 to 5 minutes' },
	{ above: 6 * RATE, upTo: 10 * RATE, time: '6 to 10 minutes' },
	{ above: 10 * RATE, upTo: 20 * RATE, time: '10 to 20 minutes' },
	{ above: 20 * RATE, upTo: 30 * RATE, time: '20 to 30 minutes' },
	{ above: 30 * RATE, upTo: 60 * RATE, time: '30 to 60 minutes' },
	{ above: 60 * RATE, upTo: 120 * RATE, time: '1 to 2 hours' },
	{ above: 120 * RATE, upTo: 240 * RATE, time: '2 to 4 hours' },
	{ above: 240 * RATE, upTo: Infinity, time: 'more than 4 hours' },
];

/** People who are looked for, thirty at once. */
const LOOKUP = '1 / 30';
const IS_BY_ADDRESS = "/@/.test($parameter.personId ?? '')";
const OPERATION = '$rawParameter.operation';
/** What is added to a list, or taken from it, is so after the record was read. */
const READS_FIRST = `/^(add|remove)/.test(${OPERATION}) || ${OPERATION} === 'update' && $rawParameter.inputMode === 'columns'`;

/** Requests that an item costs. */
const COST = `(${IS_BY_ADDRESS} ? (${OPERATION} === 'get' ? 0 : 1) + ${LOOKUP} : ${OPERATION} === 'upsert' ? 1 + ${LOOKUP} : ${READS_FIRST} ? 2 : 1)`;

const REQUESTS = `Math.ceil($input.all().length * ${COST})`;

/** How many requests a run sends and how long it takes, where they are more than the service takes at once. */
function timeHints(): NodeHint[] {
	return STEPS.map(({ above, upTo, time }) => {
		const isLast = upTo === Infinity;
		const count = isLast ? `more than ${above}` : `${above + 1} to ${upTo}`;
		return hint({
			message: `This run sends ${count} requests and takes ${time}, since the service allows ${RATE} a minute. It waits for its turns by itself.`,
			displayCondition: `={{ ${REQUESTS} > ${above}${isLast ? '' : ` && ${REQUESTS} <= ${upTo}`} }}`,
		});
	});
}

const IS_MAPPED_BY_ITSELF =
	"$rawParameter.inputMode === 'columns' && $rawParameter.columns?.mappingMode !== 'defineBelow'";

/** The names that the input has for its columns, in the form in which names are compared. */
const HEADERS =
	"Object.keys($input.first()?.json ?? {}).map((name) => name.toLowerCase().replace(/[^\\p{L}\\p{N}]/gu, '')).filter(Boolean)";

/** What tables of contacts and deals often have and the service has no field for: these can be named. */
const OFTEN_MISSED = [
	...['Account', 'Amount', 'Birthday', 'Company', 'Company Name', 'Date of Birth', 'Department'],
	...['Gender', 'Lead Source', 'Lead Status', 'Note', 'Notes', 'Organization', 'Priority'],
	...['Region', 'Remarks', 'Source', 'State', 'Value', 'Website'],
];

const WHAT_TO_DO = 'or choose Map Each Column Manually to see all columns there are';

/** The columns of the input that a run leaves out, by their names where they are among those above. */
function columnHints(resources: readonly Resource[]): NodeHint[] {
	const group = {
		key: 'columnsLeftOut',
		summary:
			'Some columns of the input are not taken. Rename them, or choose Map Each Column Manually',
	};
	const named = OFTEN_MISSED.map((name) =>
		hint({
			type: 'warning',
			message: `The column ${name} of the input is not taken, since nothing here has that name. Rename it, ${WHAT_TO_DO}.`,
			displayCondition: `={{ ${IS_MAPPED_BY_ITSELF} && ${HEADERS}.includes('${plainName(name)}') }}`,
			group: { ...group, label: name },
		}),
	);
	return [...named, ...resources.flatMap((resource) => otherColumnsHints(resource, group))];
}

/** Says of all other columns that some are left out, for each operation by the columns that it takes. */
function otherColumnsHints(
	{ value, record, operations }: Resource,
	group: NonNullable<NodeHint['group']>,
): NodeHint[] {
	return operations.flatMap((operation) => {
		const { takes } = operation;
		if (!takes?.columns) return [];
		const fields = fieldsOf(record, takes.body);
		const told = [...plainNamesOf(fields), ...OFTEN_MISSED.map(plainName)];
		const isHere = `$rawParameter.resource === '${value}' && ${OPERATION} === '${operation.value}'`;
		return hint({
			type: 'warning',
			message: `Some columns of the input are not taken, since nothing here has their names. Rename them, ${WHAT_TO_DO}.`,
			displayCondition: `={{ ${isHere} && ${IS_MAPPED_BY_ITSELF} && ${HEADERS}.some((name) => !${JSON.stringify(told)}.includes(name)) }}`,
			group: { ...group, label: 'Others' },
		});
	});
}

/** A filter without a value lets all records pass, which nobody means who adds it. */
const emptyFilter = hint({
	type: 'warning',
	message:
		'A filter was added without a value, so it changes nothing. Give it a value, or remove it.',
	displayCondition:
		"={{ Object.values($rawParameter.filters ?? {}).some((given) => [given?.__rl ? given.value : given].flat().every((one) => one == null || String(one).trim() === '')) }}",
});

function hint(own: Pick<NodeHint, 'message' | 'displayCondition'> & Partial<NodeHint>): NodeHint {
	return { type: 'info', location: 'outputPane', whenToDisplay: 'beforeExecution', ...own };
}

/** All that the editor says before a run. */
export function hintsOf(resources: readonly Resource[]): NodeHint[] {
	return [emptyFilter, ...columnHints(resources), ...timeHints()];
}
