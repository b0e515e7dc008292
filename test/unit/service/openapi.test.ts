import Ajv2020 from 'ajv/dist/2020';
import { operations } from '../../service/contract';
import { endpoints } from '../../service/answer';
import document from '../../service/openapi.json';

/* `node --test host/prism.test.mjs` compares the requests and answers of the engine suites with openapi.json. */

describe('openapi.json', () => {
	function* referencesIn(value: unknown): Generator<string> {
		if (typeof value !== 'object' || value === null) return;
		if ('$ref' in value) yield value.$ref as string;
		for (const child of Object.values(value)) yield* referencesIn(child);
	}

	const references = new Set(referencesIn(document));

	it('openapi.json names each operation once, and the stand-in service answers each', () => {
		const names = operations.map(({ operationId }) => operationId).sort();
		expect(document.openapi).toBe('3.1.0');
		const ajv = new Ajv2020();
		const isValid = (schema: object) => ajv.validateSchema(schema);
		expect(Object.values(document.components.schemas).map(isValid)).not.toContain(false);
		expect(Object.keys(endpoints).sort()).toEqual(names);
	});

	it('openapi.json has a target for every reference, and a reference to every component', () => {
		const targets = Object.entries(document.components)
			.filter(([kind]) => kind !== 'securitySchemes')
			.flatMap(([kind, parts]) => Object.keys(parts).map((name) => `#/components/${kind}/${name}`));
		expect([...references].sort()).toEqual(targets.sort());
	});
});
