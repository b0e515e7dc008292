import { Linter } from 'eslint';
import type { INodeTypeDescription } from 'n8n-workflow';
import { ContactTaskCrm } from '../../nodes/ContactTaskCrm/ContactTaskCrm.node';
import { ContactTaskCrmTrigger } from '../../nodes/ContactTaskCrm/ContactTaskCrmTrigger.node';

/*
 * n8n's lint reads only literals, but most parameters are built by functions. This test prints the built description
 * as one literal, and lints it with the same rules.
 */

type Plugin = NonNullable<Linter.Config['plugins']>[string] & {
	configs: { nodes: { rules: Linter.RulesRecord } };
};
const plugin = jest.requireActual<Plugin>('eslint-plugin-n8n-nodes-base');
const rules = Object.fromEntries(
	Object.entries(plugin.configs.nodes.rules).filter(([name]) => name.includes('/node-param-')),
);
const config: Linter.Config = { plugins: { 'n8n-nodes-base': plugin }, rules };

function printed(description: INodeTypeDescription): string {
	const literal = JSON.stringify(description, null, '\t').replace(/^(\t+)"(\w+)":/gm, '$1$2:');
	return `export const description = ${literal};`;
}

/** Returns the lint messages, each with its line. */
function complaints(source: string): string[] {
	const lines = source.split('\n');
	return new Linter()
		.verify(source, config)
		.map(({ ruleId, message, line }) => `${ruleId}: ${message} | ${lines[line - 1].trim()}`)
		.filter((complaint) => !IS_MEANT.test(complaint));
}

/**
 * Expected exceptions. n8n requires a certain sentence for a drop-down; an update adds what happens to the list. n8n ends
 * the sentence about Create or Update with "(upsert)", a word of programmers.
 */
const IS_MEANT =
	/wrong-for-dynamic-multi-options.* They replace those it has now\.|wrong-for-upsert.*if it already exists"/;

const source = printed(new ContactTaskCrm().description);

describe('the description in the build', () => {
	it.each([
		['action node', source],
		['trigger', printed(new ContactTaskCrmTrigger().description)],
	])('The description of the %s in the build passes the lint rules of n8n', (_, built) => {
		expect(Object.keys(rules).length).toBeGreaterThan(60);
		expect(complaints(built)).toEqual([]);
		expect(built).not.toMatch(/undefined|NaN|\[object/);
	});

	it('If Limit had the default 10, the lint rules of n8n would report it', () => {
		const faulty = source.replaceAll('default: 50', 'default: 10');
		expect(complaints(faulty).join()).toContain('default-wrong-for-limit');
	});
});
