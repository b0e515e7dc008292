/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- a document of the repository */
import path from 'node:path';

export const TEXTS = path.join(__dirname, 'texts.md');

const INTRODUCTION = `# Texts of the editor

All texts that the descriptions of the nodes and of the credential show, each once, in the order of the description. A
changed text stands here in the difference of its commit, as its readers see it.

Written by \`npx gulp parameters\`. \`test/unit/parameters.test.ts\` asserts that it is complete.
`;

/** Properties of a description that the editor shows as text. */
const SHOWN = [
	'displayName',
	'name',
	'action',
	'description',
	'placeholder',
	'hint',
	'message',
	'subtitle',
	'activationMessage',
	'inactive',
	'active',
	'errorMessage',
];

/** A name is shown only if it is a label, with a capital or a space. All others are names of parameters. */
const isShown = (key: string, text: string) =>
	SHOWN.includes(key) && (key !== 'name' || /^[A-Z]|\s/.test(text));

function textsIn(value: unknown): string[] {
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([key, part]) =>
		typeof part === 'string' && isShown(key, part) ? [part] : textsIn(part),
	);
}

/** Returns the expected document. */
export function textsDocument(node: object, trigger: object, credential: object): string {
	const sections = Object.entries({ Node: node, Trigger: trigger, Credential: credential });
	const listed = sections.map(([title, description]) => {
		const texts = [...new Set(textsIn(description))];
		const lines = texts.map((text) => `- ${JSON.stringify(text).slice(1, -1)}\n`);
		return `\n## ${title}\n\n${lines.join('')}`;
	});
	return INTRODUCTION + listed.join('');
}
