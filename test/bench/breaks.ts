/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-dangerous-functions, no-console -- a program that runs the tests in a copy of the repository and prints the results */
import { spawn } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import ts from 'typescript';
import { copyOfRepository, repository } from '../support/copyOfRepository';
import { seededRandom } from '../support/seededRandom';

/*
 * Breaks randomly drawn lines of the package, one after another, in a copy of the repository, and reports the tests
 * that notice. It plays all cases of CI, or with `CI=` fewer. `npx tsx test/bench/breaks.ts --seed 1 --from 3 --count 5
 * --workers 2` continues with the third line of the draw. Number 0 breaks nothing, and shows that the tests pass in the
 * copy. It needs a build. On a busy machine, a suite needs more than the default of 10 `--minutes`. `--list` shows the
 * draw.
 *
 * Stryker draws no sample (stryker-mutator/stryker-js#2584). Before its first mutant, it requires all tests to pass
 * with code that contains all mutants at once. Tests of the build's size, costs and source text cannot pass then. To
 * tell Stryker what to break would take a program as long as this one.
 */

/** Number of jest workers, and minutes until a break is given up. */
interface Limits {
	workers: number;
	minutes: number;
}

interface Break {
	file: string;
	line: number;
	start: number;
	end: number;
	to: string;
}

const PAIRS = ['< <=', '> >=', '=== !==', '&& ||', '+ -', 'true false'].map((pair) =>
	pair.split(' '),
);
const SWAPPED = new Map(
	PAIRS.flatMap(([one, other]) => [
		[one, other],
		[other, one],
	]),
);
const DROPPED =
	/^(toLowerCase|toUpperCase|trim|normalize|sort|reverse|filter|slice|flat|replace(All)?)$/;

/** Returns replacements for a syntax node, as [old node, new text]. The result compiles, but means something else. */
function replacementsOf(node: ts.Node): Array<[ts.Node, string]> {
	if (ts.isBinaryExpression(node)) {
		if (node.operatorToken.getText() === '??') return [[node, `(${node.left.getText()})`]];
		const swapped = SWAPPED.get(node.operatorToken.getText());
		return swapped ? [[node.operatorToken, swapped]] : [];
	}
	const { TrueKeyword, FalseKeyword } = ts.SyntaxKind;
	if (node.kind === TrueKeyword || node.kind === FalseKeyword) {
		return [[node, SWAPPED.get(node.getText())!]];
	}
	if (ts.isIfStatement(node)) return [[node.expression, `!(${node.expression.getText()})`]];
	if (ts.isConditionalExpression(node)) {
		return [[node.condition, `!(${node.condition.getText()})`]];
	}
	if (ts.isExpressionStatement(node)) {
		return node.getText().startsWith('super(') ? [] : [[node, ';']];
	}
	if (ts.isReturnStatement(node) && node.expression) return [[node.expression, 'undefined']];
	if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) return [[node.body, 'undefined']];
	if (ts.isNumericLiteral(node) && (node.parent as ts.NamedDeclaration).name !== node) {
		return [[node, `(${node.getText()} + 1)`]];
	}
	if (ts.isSpreadAssignment(node)) return [[node.expression, '{}']];
	if (ts.isArrayLiteralExpression(node) && node.elements.length > 0) {
		const others = node.elements.slice(0, -1).map((element) => element.getText());
		return [[node, `[${others.join(', ')}]`]];
	}
	if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
		const { name, expression } = node.expression;
		return DROPPED.test(name.text) ? [[node, expression.getText()]] : [];
	}
	return [];
}

/** Returns all possible breaks in a file, except in imports, types and texts. */
function breaksIn(file: string): Break[] {
	const text = readFileSync(path.join(repository, file), 'utf8');
	const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
	const breaks: Break[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node)) return;
		if (ts.isImportDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
		for (const [broken, to] of replacementsOf(node)) {
			const [start, end] = [broken.getStart(), broken.getEnd()];
			const line = source.getLineAndCharacterOfPosition(start).line + 1;
			if (text.slice(start, end) !== to) breaks.push({ file, line, start, end, to });
		}
		ts.forEachChild(node, visit);
	};
	visit(source);
	return breaks;
}

/** Returns one break for each of a number of lines. Every line with a possible break is equally likely. */
function draw(seed: number, count: number): Break[] {
	const files = ['nodes', 'credentials'].flatMap((folder) =>
		readdirSync(path.join(repository, folder), { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.ts'))
			.map((file) => path.join(folder, file))
			.sort(),
	);
	const lines = files.flatMap((file) => {
		const byLine: Break[][] = [];
		for (const one of breaksIn(file)) (byLine[one.line] ??= []).push(one);
		return byLine.filter(Boolean);
	});
	const random = seededRandom(seed);
	const taken = <Thing>(things: Thing[]) =>
		things.splice(Math.floor(random() * things.length), 1)[0];
	return Array.from({ length: count }, () => taken(taken(lines)));
}

/** Runs the tests until the first failure. Returns the failure, or undefined. */
async function failureIn(folder: string, { workers, minutes }: Limits, broken: Break | undefined) {
	const jest = path.join(repository, 'node_modules/jest/bin/jest.js');
	const order = `--testSequencer=${path.join(__dirname, 'likeliestFirst.cjs')}`;
	const options = ['--bail', '--silent', `--maxWorkers=${workers}`, order];
	// In a separate process group, so that the workers of an endless break end with it.
	const child = spawn(process.execPath, [jest, ...options], {
		cwd: folder,
		detached: true,
		env: { CI: 'true', ...process.env, BROKEN_IN: broken?.file.split(path.sep)[2] },
	});
	let printed = '';
	child.stderr.on('data', (data) => (printed += String(data)));
	child.stdout.resume();
	let isOver = false;
	const killAll = () => {
		try {
			process.kill(-child.pid!, 'SIGKILL');
		} catch {
			// No process of the group is left.
		}
	};
	const limit = setTimeout(() => {
		isOver = true;
		killAll();
	}, minutes * 60_000);
	const code = await new Promise((resolve) => child.on('close', resolve));
	clearTimeout(limit);
	// With --bail, a worker in an endless test outlives Jest.
	killAll();
	// The break makes a test endless, or the machine is busy. The reader of the report has to find out.
	if (isOver) return `NOT OVER after ${minutes} minutes`;
	if (code === 0) return undefined;
	const [file, test] = [/^FAIL (\S+)/m, /^ +● (.+)/m].map((line) => line.exec(printed)?.[1]);
	return file ? `${file}: ${test ?? 'does not load'}` : printed.slice(-300);
}

/** Breaks the copy, both source and build, while the tests run. */
async function tryBreak(copy: string, broken: Break | undefined, limits: Limits) {
	const files: Array<[string, string]> = [];
	if (broken) {
		const before = readFileSync(path.join(copy, broken.file), 'utf8');
		const source = before.slice(0, broken.start) + broken.to + before.slice(broken.end);
		const { config } = ts.readConfigFile(path.join(copy, 'tsconfig.json'), ts.sys.readFile);
		const { outputText } = ts.transpileModule(source, config);
		files.push([broken.file, source]);
		files.push([path.join('dist', broken.file.replace(/ts$/, 'js')), outputText]);
	}
	for (const [file, text] of files) writeFileSync(path.join(copy, file), text);
	const failure = await failureIn(copy, limits, broken);
	for (const [file] of files) cpSync(path.join(repository, file), path.join(copy, file));
	return failure;
}

/** Describes a break, such as `isDone → !(isDone)`. */
function described({ file, line, start, end, to }: Break): string {
	const before = readFileSync(path.join(repository, file), 'utf8').slice(start, end);
	const [short, other] = [before, to].map((text) => text.replace(/\s+/g, ' ').slice(0, 60));
	return `${file}:${line}: ${short} → ${other}`;
}

async function main() {
	const { values } = parseArgs({
		options: {
			seed: { type: 'string', default: '1' },
			from: { type: 'string', default: '0' },
			count: { type: 'string', default: '40' },
			workers: { type: 'string', default: '1' },
			minutes: { type: 'string', default: '10' },
			list: { type: 'boolean', default: false },
		},
	});
	const [from, count] = [Number(values.from), Number(values.count)];
	const limits = { workers: Number(values.workers), minutes: Number(values.minutes) };
	const drawn = [undefined, ...draw(Number(values.seed), from + count)];
	const copy = copyOfRepository('breaks-');
	cpSync(path.join(repository, 'dist'), path.join(copy, 'dist'), { recursive: true });
	console.log(`Seed ${values.seed}, from ${from}`);
	try {
		for (const [index, broken] of drawn.slice(from, from + count).entries()) {
			const failure = values.list ? 'not tried' : await tryBreak(copy, broken, limits);
			if (!broken && failure && !values.list) throw new Error(`Fails unbroken: ${failure}`);
			const what = broken ? described(broken) : 'nothing broken';
			console.log(`${from + index} ${what}\n  ${failure ?? (broken ? 'NOT NOTICED' : 'all pass')}`);
		}
	} finally {
		rmSync(copy, { recursive: true, force: true });
	}
}

void main();
