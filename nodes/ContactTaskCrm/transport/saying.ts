import { listOf } from '../common/lists';
import { labelOf } from '../contract/label';
import { isWebPage } from './answerBody';

/** Each violation of a 422 under the label of its parameter (interface, section 7, rule 3). */
export function violationsOf(body: unknown): Array<{ label: string; text: string }> {
	const { violations } = (typeof body === 'object' && body !== null ? body : {}) as {
		violations?: unknown;
	};
	const listed = (listOf(violations) ?? []) as Array<{
		propertyPath?: unknown;
		message?: unknown;
	} | null>;
	return listed.map((violation) => {
		const label = labelOf(String(violation?.propertyPath ?? ''));
		const said = String(violation?.message ?? 'not accepted').replace(/\.$/, '');
		return { label, text: label === '' ? said : `${label}: ${said}` };
	});
}

/** What an answer says in words, wherever the service put them; nothing for a page of HTML. */
export function saying(body: unknown): string {
	if (typeof body === 'string') return isWebPage(body) ? '' : shortenedSaying(body);
	if (typeof body !== 'object' || body === null) return '';
	const fields = body as Record<string, unknown>;
	const names = ['detail', 'message', 'description', 'title'];
	for (const name of names.flatMap((field) => [field, `hydra:${field}`])) {
		const text = fields[name];
		if (typeof text === 'string' && text.trim() !== '') return shortenedSaying(text);
	}
	return '';
}

function shortenedSaying(text: string): string {
	// Without the full stop, since another sentence may follow.
	const line = text.replace(/\s+/g, ' ').trim().replace(/\.$/, '');
	// Cut between words: half of a key that the service repeats could not be told any more.
	return line.length > 500 ? `${line.slice(0, 500).replace(/\S*$/, '')}…` : line;
}
