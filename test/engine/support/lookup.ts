import { LoadOptionsContext } from 'n8n-core';
import type {
	IDataObject,
	ILoadOptionsFunctions,
	INode,
	INodeListSearchResult,
	INodeParameters,
	INodePropertyOptions,
	IWorkflowExecuteAdditionalData,
	ResourceMapperFields,
} from 'n8n-workflow';
import { Workflow } from 'n8n-workflow';
import type { Service } from '../../service';
import { GivenCredentials } from './credentials';
import { PACKAGE } from './nodeTypes';
import { nodeTypes } from './runNode';

export interface LookupSetup {
	/** Parameters of the node as they stand in the editor. */
	parameters?: INodeParameters;
	credentials?: IDataObject;
}

/** What the editor has n8n do when a list of the node is opened, in n8n's own context. */
export class Lookups {
	constructor(private readonly service: Pick<Service, 'url' | 'apiKey'>) {}

	async list(
		method: string,
		filter?: string,
		token?: string,
		setup: LookupSetup = {},
	): Promise<INodeListSearchResult> {
		const { context, methods } = await this.open(setup);
		return await methods.listSearch![method].call(context, filter, token);
	}

	async options(method: string, setup: LookupSetup = {}): Promise<INodePropertyOptions[]> {
		const { context, methods } = await this.open(setup);
		return await methods.loadOptions![method].call(context);
	}

	async columns(method: string, setup: LookupSetup = {}): Promise<ResourceMapperFields> {
		const { context, methods } = await this.open(setup);
		return await methods.resourceMapping![method].call(context);
	}

	private async open({ parameters = {}, credentials = {} }: LookupSetup) {
		const types = await nodeTypes();
		const node: INode = {
			id: 'crm',
			name: 'CRM',
			type: `${PACKAGE}.contactTaskCrm`,
			typeVersion: 1,
			position: [0, 0],
			parameters,
			credentials: { contactTaskCrmApi: { id: '1', name: 'CRM' } },
		};
		const additionalData = {
			credentialsHelper: new GivenCredentials(types, {
				baseUrl: this.service.url,
				apiKey: this.service.apiKey,
				requestsPerMinute: 20,
				...credentials,
			} as never),
			currentNodeParameters: parameters,
			variables: {},
		} as unknown as IWorkflowExecuteAdditionalData;
		const workflow = new Workflow({
			nodes: [node],
			connections: {},
			active: false,
			nodeTypes: types,
		});
		const context = new LoadOptionsContext(workflow, node, additionalData, '');
		const { methods } = types.getByNameAndVersion(node.type, 1);
		return { context: context as unknown as ILoadOptionsFunctions, methods: methods! };
	}
}
