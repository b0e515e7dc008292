import { LoadOptionsContext } from 'n8n-core';
import type {
	IDataObject,
	ILoadOptionsFunctions,
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
import { nodeOf, nodeTypes, PACKAGE_NODE } from './runNode';

export interface LookupSetup {
	/** Parameters of the node in the editor. */
	parameters?: INodeParameters;
	/** Values of the credential that differ from the usual values; null for a node without a credential. */
	credentials?: IDataObject | null;
	/** Name of the node, if it is not the action node. */
	node?: string;
}

/** Opens lists of the node as the editor does, in n8n's own context. */
export class Lookups {
	/** @param passTime lets virtual time pass until the work is done. By default, time is real */
	constructor(
		private readonly service: Pick<Service, 'url' | 'apiKey'>,
		private readonly passTime: <T>(work: Promise<T>) => Promise<T> = async (work) => await work,
	) {}

	async list(
		method: string,
		filter?: string,
		token?: string,
		setup: LookupSetup = {},
	): Promise<INodeListSearchResult> {
		const { context, methods } = await this.open(setup);
		return await this.passTime(methods.listSearch![method].call(context, filter, token));
	}

	async options(method: string, setup: LookupSetup = {}): Promise<INodePropertyOptions[]> {
		const { context, methods } = await this.open(setup);
		return await this.passTime(methods.loadOptions![method].call(context));
	}

	async columns(method: string, setup: LookupSetup = {}): Promise<ResourceMapperFields> {
		const { context, methods } = await this.open(setup);
		return await this.passTime(methods.resourceMapping![method].call(context));
	}

	private async open({ parameters = {}, credentials = {}, node: name }: LookupSetup) {
		const types = await nodeTypes();
		const chosen = { contactTaskCrmApi: { id: '1', name: 'CRM' } };
		const type = name === undefined ? PACKAGE_NODE : `${PACKAGE}.${name}`;
		const node = {
			...nodeOf('CRM', type, parameters),
			...(credentials && { credentials: chosen }),
		};
		const additionalData = {
			credentialsHelper: GivenCredentials.of(types, this.service, credentials ?? {}),
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
		const { methods } = types.getByNameAndVersion(type, 1);
		return { context: context as unknown as ILoadOptionsFunctions, methods: methods! };
	}
}
