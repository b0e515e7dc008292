import { labelOf } from '../../schema/label';
import { UnusableParameter } from '../../util/errors';
import { isAddress, isNumberWithWords } from '../../util/identifiers';
import { quoted } from '../../util/quoted';
import { cleanContact } from '../../util/text';
import { isBlank } from '../../util/values';
import type { Match } from '../../people/find';
import type { MatchBy } from '../../people/match';
import { MATCH_LABELS } from '../../people/match';
import { isExact, isMapped } from '../../run/given';
import type { Item } from '../../run/item';
import { cellLabel, mappedCells } from '../../run/mappedColumns';
import { optionsOf } from '../../run/options';
import type { BodySpecification } from '../../run/specification';

/** A match as it was given, and what the editor calls the parameter that holds its value. */
interface GivenMatch {
	matchBy: MatchBy;
	value: unknown;
	label: string;
}

/**
 * By what an item looks for a person: by the value for it, or by one of the columns.
 *
 * @throws UnusableParameter where nobody can be looked for by it
 */
export function matchOf(item: Item, specification: BodySpecification): Match & { label: string } {
	const { matchBy, value, label } = isMapped(item)
		? columnToMatch(item, specification)
		: valueToFind(item);
	if (isBlank(value) || (typeof value !== 'string' && typeof value !== 'number')) {
		throw new UnusableParameter(
			`${label} is empty`,
			`Give the ${MATCH_LABELS[matchBy]} to look for. If it is an expression, it gave nothing for this item`,
		);
	}
	if (typeof value === 'number' && !isExact(value)) {
		throw new UnusableParameter(
			`${label}: expected an ${MATCH_LABELS[matchBy]}, got ${quoted(value)}`,
			'Correct the expression; give a number of more than 15 digits as text',
		);
	}
	const shown = quoted(String(value));
	if (!/[\p{L}\p{N}]/u.test(String(value))) {
		throw new UnusableParameter(
			`${label}: expected an ${MATCH_LABELS[matchBy]}, got ${shown}`,
			'Rows with a placeholder would all become one person. Correct the value, or leave out such rows',
		);
	}
	if (matchBy === 'email' && !isAddress(String(value))) {
		throw new UnusableParameter(
			`${label}: expected an e-mail address, got ${shown}`,
			'Correct the address. Whoever has none can be found by another identifier: see Find By under Options, or Column to Match On',
		);
	}
	if (matchBy === 'identifier' && isNumberWithWords(String(value))) {
		throw new UnusableParameter(
			`${label}: expected a phone number, an e-mail address or an identifier without spaces, got ${shown}`,
			'Leave out what does not belong to the number',
		);
	}
	return { matchBy, value: cleanContact(String(value)), label };
}

function valueToFind({ context }: Item): GivenMatch {
	const matchBy = (optionsOf(context).matchBy ?? 'email') as MatchBy;
	if (!Object.hasOwn(MATCH_LABELS, matchBy)) {
		throw new UnusableParameter(
			`Find By: expected email or identifier, got ${quoted(matchBy)}`,
			'Choose from the list',
		);
	}
	const value: unknown = context.getNodeParameter('matchValue', '');
	return { matchBy, value, label: labelOf(matchBy) };
}

/** The column that the mapper matches on; e-mail addresses where none is chosen. */
function columnToMatch(item: Item, specification: BodySpecification): GivenMatch {
	const { matchingColumns } = item.context.getNodeParameter('columns', {}) as {
		matchingColumns?: string[] | null;
	};
	const [chosen = 'email'] = matchingColumns ?? [];
	const column = specification.columns.find(({ name }) => name === chosen);
	if (!column) {
		throw new UnusableParameter(
			`Column to Match On: ${quoted(chosen)} is no column of a person`,
			'Choose from the list',
		);
	}
	const cells = mappedCells(item, specification);
	const cell = cells.find((one) => one.column.name === chosen);
	return {
		matchBy: column.field === 'emailAddresses' ? 'email' : 'identifier',
		value: cell?.value,
		label: cellLabel(cell ?? { column }),
	};
}
