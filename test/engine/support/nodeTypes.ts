/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- finds the built package */
import { existsSync, readdirSync, statSync } from 'fs';
import path from 'path';
import { PackageDirectoryLoader, RoutingNode } from 'n8n-core';
import type { ExecuteContext } from 'n8n-core';
import type {
	ICredentialType,
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypes,
	IVersionedNodeType,
} from 'n8n-workflow';
import { NodeConnectionTypes, NodeHelpers } from 'n8n-workflow';
import { AGENT, Agent, asTool } from './agent';

export const PACKAGE = 'n8n-nodes-contact-task-crm';
export const INPUT = 'test.input';

/** Folder of the built package: this repository, or another build to compare with. */
const ROOT = process.env.BUILT_IN ?? path.resolve(__dirname, '../../..');

/**
 * Throws if a source is newer than the build, because the tests run the build. They would otherwise test old code.
 */
function assertBuilt(): void {
	if (process.env.BUILT_IN !== undefined) return;
	const builtAt = path.join(ROOT, 'dist/nodes/ContactTaskCrm/ContactTaskCrm.node.js');
	const changedAt = (file: string) => (existsSync(file) ? statSync(file).mtimeMs : 0);
	const newer = ['nodes', 'credentials']
		.flatMap((folder) =>
			readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
				path.join(folder, file),
			),
		)
		.find((file) => file.endsWith('.ts') && changedAt(path.join(ROOT, file)) > changedAt(builtAt));
	if (newer === undefined) return;
	throw new Error(`${newer} is newer than dist/. Run \`npm run build\` first`);
}

/** A node that outputs the items of the test, like a trigger. */
class Input implements INodeType {
	description = {
		displayName: 'Input',
		name: 'input',
		group: ['trigger' as const],
		version: 1,
		description: 'Gives the items of the test',
		defaults: { name: 'Input' },
		usableAsTool: true as const,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		properties: [{ displayName: 'Items', name: 'items', type: 'json' as const, default: '[]' }],
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const items = JSON.parse(this.getNodeParameter('items', 0) as string) as INodeExecutionData[];
		return [items];
	}
}

/** The built package, loaded in n8n's way, beside a node that outputs items. */
export class LoadedNodeTypes implements INodeTypes {
	private constructor(private readonly loader: PackageDirectoryLoader) {}

	static async load(): Promise<LoadedNodeTypes> {
		assertBuilt();
		const loader = new PackageDirectoryLoader(ROOT);
		const types = new LoadedNodeTypes(loader);
		await types.reload();
		return types;
	}

	/** Loads the package once more, as in a second n8n process. The two copies share no memory, only n8n's own modules. */
	static async loadInOtherProcess(): Promise<LoadedNodeTypes> {
		const types: LoadedNodeTypes[] = [];
		const ofHost = jest.requireActual<object>('n8n-workflow');
		await jest.isolateModulesAsync(async () => {
			jest.doMock('n8n-workflow', () => ofHost);
			types.push(await LoadedNodeTypes.load());
		});
		jest.dontMock('n8n-workflow');
		return types[0];
	}

	/** Unloads the package, as n8n does when a user uninstalls it. */
	unload(): void {
		this.loader.reset();
	}

	async reload(): Promise<void> {
		await this.loader.loadAll();
	}

	get credentialTypes(): Record<string, ICredentialType> {
		return Object.fromEntries(
			Object.entries(this.loader.credentialTypes).map(([name, { type }]) => [name, type]),
		);
	}

	getByName(nodeType: string): INodeType | IVersionedNodeType {
		return this.getByNameAndVersion(nodeType);
	}

	getByNameAndVersion(nodeType: string, version?: number): INodeType {
		if (nodeType === INPUT) return new Input();
		if (nodeType === AGENT) return new Agent();
		if (nodeType.endsWith('Tool')) {
			return asTool(this.getByNameAndVersion(nodeType.slice(0, -'Tool'.length), version));
		}
		const [, name] = nodeType.split('.');
		const type = NodeHelpers.getVersionedNodeType(this.loader.getNode(name).type, version);
		// A node that is only a description has no `execute`. n8n's own registry of node types adds it in the same way.
		if (!type.poll) {
			type.execute ??= async function (this: IExecuteFunctions) {
				return (await new RoutingNode(this as unknown as ExecuteContext, type).runNode()) ?? [];
			};
		}
		return type;
	}

	getKnownTypes(): Record<string, never> {
		return {};
	}
}
