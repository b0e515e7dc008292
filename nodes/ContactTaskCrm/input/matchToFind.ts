import { isBlank, quoted, cleanContact, textIn } from '../values/text';
import { isPhoneNumber, isNumberWithWords } from '../values/phone';
import { isExact } from '../values/number';
import { contactsIn } from '../values/list';
import { isObject, listOf } from '../values/json';
import { mayIdentify } from '../values/identifier';
import { isEmail, isMeantAsEmail } from '../values/email';
import { UnusableParameter } from '../util/errors';
import { cellLabel, type Cell } from '../tables/cell';
import { CONTACT_LISTS } from '../tables/cellRules';
import { MATCHING_COLUMNS, person } from '../schema/person';
import { emptinessIn, noteDotless } from './given';
import { labelOf } from '../schema/label';
import { isMatch, MatchBy, Match, MATCH_LABELS, withMatch } from '../lookup/find';
import type { IDataObject } from 'n8n-workflow';
import { InputItem } from './item';
import { refuseObjectText } from './noValue';
import { BodySpecification } from './specification';

/*
 * Reads the match of Create or Update: the value to find a person by. The user gives an e-mail address, an
 * identifier, or a column of a table.
 */

/** Match as the user gave it, not checked yet. */
interface GivenMatch {
	matchBy: MatchBy;
	value: unknown;
	/** Label of the parameter or column with the value, for messages. */
	label: string;
	/** Name of the column with the value; absent if a parameter gives the value. */
	column?: string;
	/** Whether the value has to be a phone number. */
	isPhone?: boolean;
	/**
	 * Noun of the value, such as "phone number", if the value is unusable, but the row has another, usable value. With On
	 * Error: Continue, the node would find the person by the other value.
	 */
	canDoWithout?: string | undefined;
}

/**
 * Checks the match, and cleans its value.
 *
 * @throws UnusableParameter if no person can have the value
 */
export function matchOf(item: InputItem, sought: GivenMatch): Match & { label: string } {
	const { matchBy, value, label, isPhone, column = '', canDoWithout } = sought;
	const noun = MATCH_LABELS[matchBy];
	if (isBlank(value) || (typeof value !== 'string' && typeof value !== 'number')) {
		throw new UnusableParameter(
			`${label} ${emptinessIn(item.row, column)}`,
			item.headings
				? 'Fill in the column, or choose another one under Column to Find People By. Preview Only lists the columns that are not taken'
				: `Give the ${noun} to look for. If it is an expression, it gave nothing for this item`,
			label,
		);
	}
	refuseObjectText(value, () => label);
	const text = String(value);
	const assert = (isUsable: boolean, expected: string, advice: string, shown: unknown = text) => {
		if (isUsable) return;
		const message = `${label}: expected ${expected}, got ${quoted(shown)}`;
		throw new UnusableParameter(message, advice, label, { canDoWithout });
	};
	assert(
		typeof value === 'string' || isExact(value),
		`an ${noun}`,
		'Correct the expression; give a number of more than 15 digits as text',
		value,
	);
	const clean = cleanContact(text);
	assert(
		mayIdentify(text),
		`an ${noun}`,
		'Rows with a placeholder would all become one person. Correct the value, or leave out such rows',
	);
	const isIdentifier = matchBy === 'identifier';
	assert(
		isEmail(clean) || (isIdentifier && !isMeantAsEmail(clean)),
		'an e-mail address',
		'Correct the address. For people without an address, choose another identifier: see Find By under Options, or Column to Find People By',
	);
	assert(
		isPhone ? isPhoneNumber(clean) : !isIdentifier || !isNumberWithWords(text),
		'a phone number, an e-mail address or an identifier without spaces',
		'Leave out what does not belong to the number',
	);
	noteDotless(item, clean);
	return { matchBy, value: clean, label };
}

/**
 * Refuses an item that looks for a person by one network ID, and writes another one. After the write, nobody would
 * have the first network ID. So each further run would create the person again.
 *
 * @throws UnusableParameter if the two network IDs differ
 */
export function refuseOtherNetworkId(
	{ matchBy, value, label }: Match & { label: string },
	body: IDataObject,
): void {
	const { networkId } = withMatch({}, matchBy, value);
	if (isBlank(networkId) || isBlank(body.networkId)) return;
	if (isMatch({ networkId: body.networkId }, matchBy, value)) return;
	throw new UnusableParameter(
		`${labelOf('networkId')}: ${quoted(body.networkId)} differs from ${label}, ${quoted(value)}`,
		'Give the same value in both, because the next run looks for the person by it. Or leave Network ID out',
	);
}

/** Reads the match from the parameters. */
export function valueToFind({ context, options }: InputItem): GivenMatch {
	const matchBy = (options.matchBy ?? 'email') as MatchBy;
	const name = matchBy === 'email' ? 'email' : 'matchValue';
	const value: unknown = context.getNodeParameter(name, '');
	return { matchBy, value, label: labelOf(matchBy) };
}

/**
 * Reads the match from the column that the user chose. The default is the column of e-mail addresses. With On Error:
 * Continue, the node leaves an unusable value out of the row, so the first usable value counts.
 *
 * @throws UnusableParameter if the node does not find people by this column
 */
export function columnToMatch(item: InputItem, body: BodySpecification): GivenMatch {
	const { matchingColumns } = item.context.getNodeParameter('columns', {}) as {
		matchingColumns?: string[] | null;
	};
	const [chosen = 'email'] = matchingColumns ?? [];
	const column = body.columns.find(({ name }) => name === chosen);
	if (!column || !MATCHING_COLUMNS.includes(chosen)) {
		throw new UnusableParameter(
			`Column to Find People By: expected one of ${MATCHING_COLUMNS.join(', ')}, got ${quoted(chosen)}`,
			'Choose from the list. People are found by these columns alone',
		);
	}
	const { cells } = item.row;
	const all = [
		...cells.filter((one) => one.column.name === chosen),
		...(chosen === 'email' ? cellsOfList(cells) : []),
	];
	const contacts = CONTACT_LISTS[column.field];
	const isUsable = ({ value }: Cell) =>
		!contacts || (mayIdentify(String(value)) && contacts.isRight(cleanContact(String(value))));
	const [first] = all;
	const usable = all.find(isUsable);
	const cell = item.context.continueOnFail() ? (usable ?? first) : first;
	const headings = Object.keys(item.context.getInputData().json);
	// A message names the heading of a column even if the cell is blank. `take` skips blank cells. So this call passes
	// each heading as the text of its own cell.
	const taken = item.headings?.take(headings, (heading) => heading) ?? [];
	const header = taken.find((one) => one.column.name === chosen)?.best[0];
	return {
		matchBy: column.field === 'emailAddresses' ? 'email' : 'identifier',
		value: cell?.value,
		label: cellLabel(cell ?? { column, header }),
		isPhone: column.field === 'phoneNumbers',
		column: chosen,
		canDoWithout: usable && usable !== cell ? contacts?.one : undefined,
	};
}

/**
 * Returns a cell for each address in the cell with a list of e-mail addresses. An item has such a list if it comes from
 * this node with Output: Selected Fields.
 */
function cellsOfList(cells: readonly Cell[]): Cell[] {
	const list = cells.find(({ column }) => column.name === 'emailAddresses');
	if (!list) return [];
	return (listOf(list.value) ?? [list.value]).flatMap((entry) =>
		contactsIn(textIn(isObject(entry) ? entry.email : entry))
			.filter((value) => !isBlank(value))
			.map((value) => ({ ...list, value })),
	);
}

/**
 * Announces the lookup of a person by e-mail address, so that several items can share one request.
 *
 * @param label label of the parameter with the address: "Person"
 * @throws UnusableParameter if the text is no e-mail address
 */
export function emailToFind(item: InputItem, email: string, label: string): Match {
	const value = cleanContact(email);
	if (isMeantAsEmail(value)) return item.looksFor({ matchBy: 'email', value });
	throw new UnusableParameter(
		`${label}: expected an e-mail address, got ${quoted(value)}`,
		`Correct the address. ${item.adviceOn(person.collection)}`,
	);
}
