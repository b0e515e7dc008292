import { ExplainedError } from '../common/errors';

/** The one header that carries the key (interface, section 5). */
export const API_KEY_HEADER = 'X-API-KEY';

/**
 * The API key as it is sent, without the blanks that come along when it is pasted.
 *
 * @throws ExplainedError where there is none
 */
export function checkedApiKey(value: unknown): string {
	const key = String(value ?? '').trim();
	if (key !== '') return key;
	throw new ExplainedError(
		'The API Key is empty',
		'Open the credential and enter a key; an administrator of the CRM creates one',
	);
}
