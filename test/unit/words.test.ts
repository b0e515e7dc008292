import { ContactTaskCrmApi } from '../../credentials/ContactTaskCrmApi.credentials';
import { ContactTaskCrm } from '../../nodes/ContactTaskCrm/ContactTaskCrm.node';
import { ContactTaskCrmTrigger } from '../../nodes/ContactTaskCrm/ContactTaskCrmTrigger.node';

/** Properties whose text a user reads. In an option, `name` is the label; in a parameter, it is the key. */
const READ = ['action', 'description', 'displayName', 'errorMessage', 'hint', 'message', 'title'];

function textsIn(value: unknown): string[] {
	if (Array.isArray(value)) return value.flatMap(textsIn);
	if (typeof value !== 'object' || value === null) return [];
	const isOption = 'value' in value && 'name' in value;
	return Object.entries(value).flatMap(([key, own]) => {
		const isRead = READ.includes(key) || (isOption && key === 'name');
		return isRead && typeof own === 'string' ? [own] : textsIn(own);
	});
}

/** Words of the interface or of programmers, for which the panel has other words. */
const FOREIGN =
	/\b(?:IRIs?|upsert|polls?|polling|identifiers|exclusive|middle name)\b|\((?:true|false)\)/i;

const DESCRIPTIONS = [
	['action node', new ContactTaskCrm().description, 500],
	['trigger', new ContactTaskCrmTrigger().description, 100],
	['credential', new ContactTaskCrmApi().properties, 7],
] as const;

it.each(DESCRIPTIONS)('No text of the %s has two full stops in a row', (_, description) => {
	expect(textsIn(description).filter((text) => text.includes('..'))).toEqual([]);
});

it.each(DESCRIPTIONS)(
	'The %s uses no word that an office worker does not know',
	(_, description, atLeast) => {
		const texts = textsIn(description);
		expect(texts.length).toBeGreaterThan(atLeast);
		expect(texts.filter((text) => FOREIGN.test(text))).toEqual([]);
	},
);
