import { UnusableParameter } from '../../common/errors';
import { isAddress } from '../../common/identifiers';
import { isBlank } from '../../contract/blank';
import { isExact } from '../../runtime/coercion';
import type { Item } from '../../runtime/item';
import { MATCH_LABELS } from '../../lookups/people/findPerson';
import type { MatchBy } from '../../lookups/people/match';

/**
 * By what an item looks for a person.
 *
 * @throws UnusableParameter where it would find nobody, or everybody
 */
export function matchOf({ context }: Item): { matchBy: MatchBy; value: string } {
	const matchBy = context.getNodeParameter('matchBy', 'email') as MatchBy;
	if (!Object.hasOwn(MATCH_LABELS, matchBy)) {
		throw new UnusableParameter(
			`Match By: expected email or identifier, got ${JSON.stringify(matchBy)}`,
			'Choose from the list',
		);
	}
	const value: unknown = context.getNodeParameter('matchValue', '');
	if (isBlank(value) || (typeof value !== 'string' && typeof value !== 'number')) {
		throw new UnusableParameter(
			'Match Value is empty',
			`Give the ${MATCH_LABELS[matchBy]} to look for. If it is an expression, it gave nothing for this item`,
		);
	}
	if (typeof value === 'number' && !isExact(value)) {
		throw new UnusableParameter(
			`Match Value: expected an ${MATCH_LABELS[matchBy]}, got ${value}`,
			'Correct the expression; give a number of more than 15 digits as text',
		);
	}
	if (!/[\p{L}\p{N}]/u.test(String(value))) {
		throw new UnusableParameter(
			`Match Value: expected an ${MATCH_LABELS[matchBy]}, got "${value}"`,
			'Rows with a placeholder would all become one person. Correct the value, or leave out such rows',
		);
	}
	if (matchBy === 'email' && !isAddress(String(value))) {
		throw new UnusableParameter(
			`Match Value: expected an e-mail address, got "${value}"`,
			'Correct the address, or match by Identifier',
		);
	}
	return { matchBy, value: String(value).trim() };
}
