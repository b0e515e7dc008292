import { groupBy, uniq } from 'lodash';
import type { NodeHint } from 'n8n-workflow';
import { Headings } from '../tables/headings';
import { plainName } from '../tables/plainName';
import { fieldsOf } from '../schema/record';
import type { Operation, Resource } from './operations';
import { DEFAULT_LIMIT } from '../schema/limits';

/*
 * n8n evaluates expressions in the condition of a hint, but not in its message. A message that depends on the input
 * therefore needs several hints. In a condition, `$parameter` gives the value of a locator, and `$rawParameter` the
 * text that the user typed.
 */

/**
 * Duration of a run by its number of requests, at the default limit of 20 a minute. While more than 40 requests wait,
 * only 18 leave in a minute, because two slots stay free for other programs.
 */
const STEPS = [
	{ above: DEFAULT_LIMIT, time: 'about a minute' },
	{ above: 2 * DEFAULT_LIMIT, time: '2 to 3 minutes' },
	{ above: 3 * DEFAULT_LIMIT, time: '3 to 7 minutes' },
	{ above: 6 * DEFAULT_LIMIT, time: '6 to 16 minutes' },
	{ above: 15 * DEFAULT_LIMIT, time: '16 to 33 minutes' },
	{ above: 30 * DEFAULT_LIMIT, time: '33 to 66 minutes' },
	{ above: 60 * DEFAULT_LIMIT, time: '1 to 5 hours' },
	{ above: 240 * DEFAULT_LIMIT, time: 'more than 4 hours' },
];

const OPERATION = '$rawParameter.operation';
const OPTIONS = '$rawParameter.options?';
const IS_PREVIEW = `${OPTIONS}.previewOnly === true`;
/**
 * Expression for the number of requests of one lookup: 1 if the user chose One by One. Otherwise a thirtieth, because
 * one request looks for up to 30 people.
 */
const LOOKUP = `(${OPTIONS}.lookUp === 'each' ? 1 : 1 / 30)`;
const IS_BY_ADDRESS = "/@/.test($parameter.personId ?? '')";
/**
 * Expression that is true if each item reads the same list, because no parameter is an expression. The items then
 * share the requests, and each item returns the same records.
 */
const IS_SAME_LIST = `['getAll', 'findDuplicates'].includes(${OPERATION}) && !/"=/.test(JSON.stringify($rawParameter))`;

/** Expression for the headings of the first input item, as `plainName` returns them, but without digits. */
const HEADINGS =
	"Object.keys($input.first()?.json ?? {}).map((name) => name.normalize('NFKD').toLowerCase().replace(/ß/g, 'ss').replace(/[^\\p{L}]/gu, '')).filter(Boolean)";
const IS_MAPPED_BY_HAND = "$rawParameter.columns?.mappingMode === 'defineBelow'";

/**
 * Returns the expression that tests the heading `name` against a pattern. Replaces each named group (`?<kind>`) by a
 * plain group, to keep the expression short.
 */
function testOf(pattern: string): string {
	return `/${pattern.replace(/\?<\w+>/g, '?:')}/.test(name)`;
}

/**
 * Returns the expression that is true if a column of a table adds to a list. The node then first reads the record, by a
 * further request.
 */
function addsToList(resources: readonly Resource[]): string {
	const lists = resources.flatMap(({ value, record, columns }) => {
		if (!columns) return [];
		const fields = fieldsOf(record, 'update');
		const headings = new Headings(fields);
		const lists = headings.columns.filter(({ field }) => fields[field]?.isList);
		const names = JSON.stringify(lists.map(({ name }) => name));
		// `columns.value` may be null. n8n's expressions cannot evaluate `value?.[name]`, so `{}` takes the place of null.
		const isGiven = `${names}.some((name) => ($rawParameter.columns.value ?? {})[name])`;
		const isFound = `${HEADINGS}.some((name) => ${testOf(headings.listPattern())})`;
		return [
			`$rawParameter.resource === '${value}' && (${IS_MAPPED_BY_HAND} ? ${isGiven} : ${isFound})`,
		];
	});
	return `($rawParameter.inputMode === 'columns' && (${lists.join(' || ')}))`;
}

/**
 * Returns the hints about the number of requests and the duration of a run. No condition can read the limit of the
 * credential, so the hints name the limit that they assume.
 */
function timeHints(resources: readonly Resource[]): NodeHint[] {
	const all = resources.flatMap(({ operations }) => operations);
	const namesOf = (holds: (operation: Operation) => boolean) =>
		JSON.stringify(uniq(all.filter(holds).map(({ value }) => value)));
	const isOneOf = (holds: (operation: Operation) => boolean) =>
		`${namesOf(holds)}.includes(${OPERATION})`;
	const isReading = isOneOf(({ method }) => method === 'GET');
	const counted = all.flatMap(({ value, requests }) => (requests ? [[value, requests - 1]] : []));
	const known = `${JSON.stringify(Object.fromEntries(counted))}[${OPERATION}]`;
	const isAsked = `${IS_PREVIEW} || ${OPTIONS}.tellChanges === true || ${OPTIONS}.approvedChanges || ${addsToList(resources)}`;
	const isLookedUp = `${IS_BY_ADDRESS} || ${isOneOf(({ reads }) => reads === 'lookup')}`;
	const isRead = `${isOneOf(({ reads, method }) => reads === 'always' || method === 'GET')} || ${isOneOf(({ reads }) => reads === 'ifAsked')} && (${isAsked})`;
	const reads = `${known} ?? (${isLookedUp} ? ${LOOKUP} : ${isRead} ? 1 : 0)`;
	const writes = `${isReading} || ${IS_PREVIEW} ? 0 : 1`;
	const each = `${IS_SAME_LIST} ? 0 : (${reads}) + (${writes})`;
	const requests = `Math.ceil($input.all().length * (${each}))`;
	return STEPS.map(({ above, time }, index) => {
		const upTo = STEPS[index + 1]?.above;
		const count = upTo ? `${above + 1} to ${upTo}` : `more than ${above}`;
		return hint({
			message: `This run sends ${count} requests. At ${DEFAULT_LIMIT} Requests per Minute it takes ${time}; at ${DEFAULT_LIMIT / 2}, about twice as long. It waits for its turns by itself.`,
			displayCondition: `={{ ((count) => count > ${above}${upTo ? ` && count <= ${upTo}` : ''})(${requests}) }}`,
		});
	});
}

/** Hint that each item returns the same list. No condition can read Execute Once, so the message names this setting. */
const sameList = hint({
	type: 'warning',
	message:
		'This run gives the same list once for each item of the input, unless Execute Once is on. To get the list once, turn on Settings → Execute Once.',
	displayCondition: `={{ ${IS_SAME_LIST} && $input.all().length > 1 }}`,
});

const IS_MAPPED_BY_ITSELF = `$rawParameter.inputMode === 'columns' && !(${IS_MAPPED_BY_HAND})`;

/** Common columns of contacts and deals. If no field takes such a column, a separate hint names the column. */
const COMMON_COLUMNS = [
	...['Account', 'Amount', 'Birthday', 'Company', 'Company Name', 'Date of Birth', 'Department'],
	...['Gender', 'Labels', 'Lead Status', 'Note', 'Notes', 'Organization', 'Priority', 'Region'],
	...['Remarks', 'State', 'Value', 'Website', 'Bedrijf', 'Opmerkingen', 'Firma', 'Notizen'],
	...['Société', 'Entreprise'],
];

const ALL_LISTED =
	'Options → Preview Only lists the columns that are not taken. Rename them, or choose Map Each Column Manually';

const GROUP = {
	key: 'columnsLeftOut',
	summary: `Some columns of the input may not be taken. ${ALL_LISTED}`,
};

/** Columns that some operations of a resource take from the input, if the user maps them automatically. */
interface TakenColumns {
	/** Expression that is true if the user has chosen one of the operations that take these columns. */
	isChosen: string;
	/** Rules that recognise these columns by their headings. */
	headings: Headings;
}

/** Returns the columns that a resource takes: one entry for all operations that take the same fields. */
function takenColumnsOf({ value, record, operations, columns }: Resource): TakenColumns[] {
	const mapping = operations.flatMap(({ value: name, takes }) =>
		columns && takes?.columns ? [{ name, fields: fieldsOf(record, takes.body) }] : [],
	);
	const groups = groupBy(mapping, ({ fields }) => Object.keys(fields).join());
	return Object.values(groups).flatMap((alike) => {
		const names = JSON.stringify(alike.map(({ name }) => name));
		const isChosen = `$rawParameter.resource === '${value}' && ${names}.includes(${OPERATION})`;
		return alike.slice(0, 1).map(({ fields }) => ({ headings: new Headings(fields), isChosen }));
	});
}

/** Returns the hints about columns of the input that no field takes. */
function columnHints(all: readonly TakenColumns[]): NodeHint[] {
	const notTaken = (label: string, message: string, isShown: string) =>
		hint({
			type: 'warning',
			message: `${message}. ${ALL_LISTED}.`,
			displayCondition: `={{ ${IS_MAPPED_BY_ITSELF} && ${isShown} }}`,
			group: { ...GROUP, label },
		});
	const named = COMMON_COLUMNS.map((name) => {
		const taking = all.filter(({ headings }) => headings.meansColumn(name));
		const elsewhere = taking.map(({ isChosen }) => `!(${isChosen}) && `).join('');
		return notTaken(
			name,
			`The column ${name} of the input is not taken, since nothing here has that name`,
			`${elsewhere}${HEADINGS}.includes('${plainName(name)}')`,
		);
	});
	const missed = JSON.stringify(COMMON_COLUMNS.map(plainName));
	const others = all.map(({ isChosen, headings }) => {
		const isKnown = testOf(headings.certainPattern());
		return notTaken(
			'Others',
			'Some columns of the input may not be taken, since nothing here has their names',
			`${isChosen} && ${HEADINGS}.some((name) => !${missed}.includes(name) && !${isKnown})`,
		);
	});
	return [...named, ...others];
}

/** Hint about a filter without a value, because such a filter lets all records pass. */
const emptyFilter = hint({
	type: 'warning',
	message:
		'A filter was added without a value, so it changes nothing. Give it a value, or remove it.',
	displayCondition:
		"={{ Object.values($rawParameter.filters ?? {}).some((given) => [given?.__rl ? given.value : given].flat().every((one) => one == null || String(one).trim() === '')) }}",
});

/** Hint after a preview or a run: the first row names the used columns of the table, and the unused ones. */
const whereHeadingsAre = hint({
	message:
		'The first row says, at the end of its summary, which columns of the input were used and which not.',
	whenToDisplay: 'afterExecution',
	displayCondition: `={{ ${IS_MAPPED_BY_ITSELF} }}`,
});

function hint(own: Pick<NodeHint, 'message' | 'displayCondition'> & Partial<NodeHint>): NodeHint {
	return { type: 'info', location: 'outputPane', whenToDisplay: 'beforeExecution', ...own };
}

export function hintsOf(resources: readonly Resource[]): NodeHint[] {
	return [
		emptyFilter,
		whereHeadingsAre,
		sameList,
		...columnHints(resources.flatMap(takenColumnsOf)),
		...timeHints(resources),
	];
}
