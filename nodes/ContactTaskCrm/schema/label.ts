const ACRONYMS: Readonly<Record<string, string>> = {
	api: 'API',
	crm: 'CRM',
	id: 'ID',
	ids: 'IDs',
	iri: 'IRI',
	json: 'JSON',
	uri: 'URI',
	url: 'URL',
	uuid: 'UUID',
};

/** Fields whose names in the interface are not the words that people use. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
	additionalName: 'Middle Name',
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
};

const WORD = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g;

function nameLabel(name: string): string {
	if (Object.hasOwn(OTHER_WORDS, name)) return OTHER_WORDS[name];
	const words = name.match(WORD) ?? [name];
	return words
		.map((word) => ACRONYMS[word.toLowerCase()] ?? word.charAt(0).toUpperCase() + word.slice(1))
		.join(' ');
}

/**
 * The label under which a field of the interface stands in the node, so that a message about the field
 * names what the user sees: `jobTitle` is "Job Title", and the path `emailAddresses[0].email` is
 * "Email Addresses (entry 1): Email".
 */
export function labelOf(wireName: string): string {
	const [field = '', ...inner] = segmentsOf(wireName);
	return nameLabel(field) + innerLabel(inner);
}

/** The segments of a path: of `emailAddresses[0].email` three. */
export function segmentsOf(path: string): string[] {
	return path.match(/[^.[\]]+/g) ?? [];
}

/** What a label goes on with for what lies within a field: " (entry 1): Email". */
export function innerLabel(inner: readonly string[]): string {
	return inner
		.map((name) => (/^\d+$/.test(name) ? ` (entry ${Number(name) + 1})` : `: ${nameLabel(name)}`))
		.join('');
}

/** A noun as the label of its parameter: "history entry" is "History Entry". */
export function titleCase(noun: string): string {
	return noun.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
}
