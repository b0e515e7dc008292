/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- reads the shipped files and the examples */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ContactTaskCrm } from '../../nodes/ContactTaskCrm/ContactTaskCrm.node';
import { ContactTaskCrmTrigger } from '../../nodes/ContactTaskCrm/ContactTaskCrmTrigger.node';

/*
 * Names that n8n's announcement for 3.0 (docs.n8n.io, "v3.0 Breaking changes") and its migration report list as
 * removed or deprecated.
 */
const NODES =
	/n8n-nodes-base\.(aiTransform|cron|crowdDev|function|functionItem|htmlExtract|iCal|interval|itemLists|kitemaker|moveBinaryData|openAi|orbit|readBinaryFiles?|readPDF|spontit|workflowTrigger|writeBinaryFile)\b|n8n-nodes-langchain\.(document(BinaryInput|Github|JsonInput)Loader|lmOpenAi|manualChatTrigger|memory(ChatRetriever|Motorhead|Zep)|openAiAssistant|tool(HttpRequest|SerpApi)|vectorStore(InMemory|Pinecone|Supabase|Zep)(Insert|Load)?)"/;
const HELPERS = /\$getPairedItem|\$evaluateExpression/;
const AGENT = '@n8n/n8n-nodes-langchain.agent';

const root = path.resolve(__dirname, '../..');

function filesIn(folder: string, ending: RegExp): Array<[string, string]> {
	const names = readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' });
	return names
		.filter((name) => ending.test(name))
		.map((name) => [name, readFileSync(path.join(root, folder, name), 'utf8')]);
}

const naming = (files: Array<[string, string]>, removed: RegExp) =>
	files.filter(([, text]) => removed.test(text)).map(([name]) => name);

describe('what n8n 3.0 removes', () => {
	it('The descriptions of the nodes use no expression that n8n 3.0 removes', () => {
		for (const NodeType of [ContactTaskCrm, ContactTaskCrmTrigger]) {
			expect(JSON.stringify(new NodeType().description)).not.toMatch(HELPERS);
		}
	});

	it('The example workflows use no node or expression that n8n 3.0 removes', () => {
		const examples = filesIn('examples', /\.json$/);
		expect(examples.length).toBeGreaterThan(7);
		expect(naming(examples, NODES)).toEqual([]);
		expect(naming(examples, HELPERS)).toEqual([]);
		for (const [, text] of examples) {
			const { nodes = [] } = JSON.parse(text) as {
				nodes?: Array<{ type: string; typeVersion: number }>;
			};
			const agents = nodes.filter(({ type }) => type === AGENT);
			for (const { typeVersion } of agents) expect(typeVersion).toBeGreaterThanOrEqual(2);
		}
	});
});
