/* eslint-disable @n8n/community-nodes/no-restricted-imports -- reads the document that is the contract */
import { readFileSync } from 'node:fs';
import { ContactTaskCrm } from '../../nodes/ContactTaskCrm/ContactTaskCrm.node';
import { ContactTaskCrmTrigger } from '../../nodes/ContactTaskCrm/ContactTaskCrmTrigger.node';
import { DOCUMENT } from '../parameters/document';
import type { Parameter } from '../parameters/parameters';
import {
	actionParameters,
	parametersIn,
	tableOf,
	triggerParameters,
} from '../parameters/parameters';

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
	'This breaks workflows that people have saved: see docs/versioning.md for how to change it without. Before the first release alone, "npx gulp parameters" writes the contract anew';

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

	it('Reading a written table of parameters gives the same parameters', () => {
		const sorted = (list: readonly Parameter[]) =>
			[...new Set(list.map((parameter) => JSON.stringify(parameter)))].sort();
		expect(sorted(parametersIn(tableOf(current)))).toEqual(sorted(current));
	});
});

describe('a change of the parameters', () => {
	const [option] = current.filter(({ values, type }) => type === 'options' && values.length > 2);
	const without = (change: (parameter: Parameter) => Parameter[]) =>
		current.flatMap((parameter) => (parameter === option ? change(parameter) : [parameter]));

	it.each<[string, (parameter: Parameter) => Parameter[], RegExp]>([
		['a parameter is removed', () => [], /is gone or has another name$/],
		['the name of a parameter changes', (one) => [{ ...one, path: `${one.path}2` }], /is gone/],
		[
			'the type of a parameter changes',
			(one) => [{ ...one, type: 'string' }],
			/was options, and is string$/,
		],
		[
			'the default of a parameter changes',
			(one) => [{ ...one, default: '"x"' }],
			/the default was /,
		],
		[
			'a value of a parameter is removed',
			(one) => [{ ...one, values: one.values.slice(1) }],
			/any more$/,
		],
	])('The check of parameters reports a breaking change if %s', (_, change, message) => {
		const broken = breaches(current, without(change));
		expect(broken).toHaveLength(1);
		expect(broken[0]).toMatch(message);
	});

	it('The check of parameters accepts an added parameter and an added value', () => {
		const added = without((one) => [{ ...one, values: [...one.values, 'new'] }]);
		expect(breaches(current, [...added, { ...option, path: 'new' }])).toEqual([]);
	});
});
