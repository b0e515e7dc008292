/* eslint-disable @n8n/community-nodes/no-restricted-imports -- reads the document that is the contract */
import { readFileSync } from 'node:fs';
import { ContactTaskCrmApi } from '../../credentials/ContactTaskCrmApi.credentials';
import { ContactTaskCrm } from '../../nodes/ContactTaskCrm/ContactTaskCrm.node';
import { ContactTaskCrmTrigger } from '../../nodes/ContactTaskCrm/ContactTaskCrmTrigger.node';
import { DOCUMENT } from '../parameters/document';
import type { Parameter } from '../parameters/parameters';
import { TEXTS, textsDocument } from '../parameters/texts';
import { actionParameters, parametersIn, triggerParameters } from '../parameters/parameters';

const document = readFileSync(DOCUMENT, 'utf8');
const promised = parametersIn(document);
const current = [
	...actionParameters(new ContactTaskCrm().description),
	...triggerParameters(new ContactTaskCrmTrigger().description),
];

const keyOf = ({ place, path }: Parameter) => `${place}: ${path}`;

/** Returns the changes that break a saved workflow with the promised parameters. */
function breaches(before: readonly Parameter[], now: readonly Parameter[]): string[] {
	const all = new Map<string, Parameter[]>();
	for (const parameter of now) {
		all.set(keyOf(parameter), [...(all.get(keyOf(parameter)) ?? []), parameter]);
	}
	return before.flatMap((parameter) => {
		const same = all.get(keyOf(parameter));
		if (!same) return [`${keyOf(parameter)} is gone or has another name`];
		const [first] = same;
		const ofType = same.find(({ type }) => type === parameter.type);
		if (!ofType) return [`${keyOf(parameter)} was ${parameter.type}, and is ${first.type}`];
		const found =
			same.find((other) => other.type === parameter.type && other.default === parameter.default) ??
			ofType;
		return [
			...(found.default === parameter.default
				? []
				: [`${keyOf(parameter)}: the default was ${parameter.default}, and is ${found.default}`]),
			...parameter.values
				.filter((value) => !same.some(({ values }) => values.includes(value)))
				.map((value) => `${keyOf(parameter)} has no value "${value}" any more`),
		];
	});
}

const BREAKING =
	'This breaks workflows that people have saved: see docs/releasing.md for how to change it without. Before the first release alone, "npx gulp parameters" writes the contract anew';

describe('the parameters that saved workflows hold', () => {
	it('The parameters of saved workflows still exist, with their types, defaults and values', () => {
		const broken = breaches(promised, current);
		expect(broken.length === 0 ? [] : [...broken, BREAKING]).toEqual([]);
	});

	it('The documented table of parameters is complete ("npx gulp parameters" adds new parameters)', () => {
		const known = new Set(promised.map((parameter) => JSON.stringify(parameter)));
		const missing = current.filter((parameter) => !known.has(JSON.stringify(parameter)));
		expect(missing.map(keyOf)).toEqual([]);
	});

	it('The documented texts of the editor are complete ("npx gulp parameters" writes the texts)', () => {
		const expected = textsDocument(
			new ContactTaskCrm().description,
			new ContactTaskCrmTrigger().description,
			new ContactTaskCrmApi(),
		);
		expect(readFileSync(TEXTS, 'utf8').split('\n')).toEqual(expected.split('\n'));
	});
});
