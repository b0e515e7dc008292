/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- reads the tests from outside */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const tests = path.resolve(__dirname, '..');
/** Functions that declare a test: those of Jest, and those of `test/`. */
const DECLARES = /^(it|test|itInCi|itOfMany)$/;
const MOST_WORDS = 14;

/** Returns the function that a call begins with: `it` of `it.each(rows)(name, run)`. */
function firstOf({ expression }: ts.CallExpression): string {
	let first: ts.Expression = expression;
	while (ts.isCallExpression(first) || ts.isPropertyAccessExpression(first)) {
		first = first.expression;
	}
	return first.getText();
}

/** Returns the names of the tests in a text. */
function namesIn(text: string): string[] {
	const names: string[] = [];
	const visit = (node: ts.Node) => {
		if (ts.isCallExpression(node) && DECLARES.test(firstOf(node))) {
			const [name, run] = node.arguments;
			const isName = name && (ts.isStringLiteralLike(name) || ts.isTemplateExpression(name));
			if (isName && run) names.push(name.getText().slice(1, -1));
		}
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile('test.ts', text, ts.ScriptTarget.Latest, true));
	return names;
}

it('Each test of the repository has a name of at most fourteen words', () => {
	const files = readdirSync(tests, { recursive: true, encoding: 'utf8' });
	const names = files
		.filter((file) => file.endsWith('.ts'))
		.flatMap((file) => namesIn(readFileSync(path.join(tests, file), 'utf8')));
	expect(names.length).toBeGreaterThan(1_000);
	expect(names.filter((name) => name.split(/\s+/).length > MOST_WORDS)).toEqual([]);
});
