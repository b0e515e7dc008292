/** Acronyms that labels write in capitals, keyed by the acronym in lower case. */
const ACRONYMS: ReadonlyMap<string, string> = new Map(
	['API', 'CRM', 'ID', 'IDs', 'JSON', 'URI', 'URL', 'UUID'].map((acronym) => [
		acronym.toLowerCase(),
		acronym,
	]),
);

/** Labels that do not follow from the name of a field in the interface, keyed by this name. */
const OTHER_WORDS: ReadonlyMap<string, string> = new Map(
	Object.entries({
		afterTask: 'Place After Task',
		beforeTask: 'Place Before Task',
		createNewTask: 'New Task Each Time',
		dealSizeEstimation: 'Estimated Deal Size',
		honorificPrefix: 'Salutation',
		isFlagged: 'Flagged',
		isTemplate: 'Template',
		isTracked: 'Tracked',
		parent: 'Parent Task',
		positionTop: 'At the Top of the Column',
		recurData: 'Repeat Data',
		recurOnSchedule: 'Repeat on Schedule',
		recurUntil: 'Repeat Until',
		recurUntilCount: 'Repeat How Often',
		recurringSettings: 'Repeat',
		rrule: 'Repeat Rule (RRULE)',
		snooze: 'Snooze Until It Repeats',
		status: 'Column',
		storyPointEstimation: 'Estimated Story Points',
		timeEstimation: 'Estimated Time',
	}),
);

const WORD = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g;

function nameLabel(name: string): string {
	return OTHER_WORDS.get(name) ?? operationLabel(name);
}

/**
 * Returns the label of an operation: `addTags` becomes "Add Tags". For a field, use `labelOf`, because some fields have
 * other labels.
 */
export function operationLabel(name: string): string {
	const words = (name.match(WORD) ?? [name]).map((word) => {
		const capitalized = word.charAt(0).toUpperCase() + word.slice(1);
		return ACRONYMS.get(word.toLowerCase()) ?? capitalized;
	});
	return words.join(' ');
}

/**
 * Returns the label of an interface field for the editor and messages: `jobTitle` is "Job Title", and the path
 * `emailAddresses[0].email` is "Email Addresses (entry 1): Email".
 */
export function labelOf(wireName: string): string {
	const [field = '', ...inner] = segmentsOf(wireName);
	return nameLabel(field) + innerLabel(inner);
}

/** Splits a path: `emailAddresses[0].email` has three segments. */
export function segmentsOf(path: string): string[] {
	return path.match(/[^.[\]]+/g) ?? [];
}

/** Returns the end of a label, for the segments of a path behind the field: " (entry 1): Email". */
export function innerLabel(inner: readonly string[]): string {
	return inner
		.map((name) => (/^\d+$/.test(name) ? ` (entry ${Number(name) + 1})` : `: ${nameLabel(name)}`))
		.join('');
}

/** Writes a noun as a label: "history entry" becomes "History Entry". */
export function titleCase(noun: string): string {
	return noun.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
}
