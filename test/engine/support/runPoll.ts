import './quiet';
import { PollContext, TriggersAndPollers } from 'n8n-core';
import type {
	IDataObject,
	INode,
	INodeExecutionData,
	INodeParameters,
	IWorkflowExecuteAdditionalData,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { Workflow } from 'n8n-workflow';
import type { Service } from '../../service';
import { GivenCredentials } from './credentials';
import { LoadedNodeTypes, PACKAGE } from './nodeTypes';
import { nodeOf } from './runNode';

/** A workflow with the trigger in it, polled by n8n-core's own machinery. */
export interface PollSetup {
	parameters: INodeParameters;
	/** What n8n's database holds of the workflow's memory. */
	staticData?: IDataObject;
	mode?: WorkflowExecuteMode;
	credentials?: IDataObject;
	alwaysOutputData?: boolean;
	/** The ID of the credential that is chosen. */
	credential?: string;
	/** Trigger nodes of different tests are different ones. */
	id?: string;
	/** Of another process of n8n, which shares no memory with this one. */
	types?: LoadedNodeTypes;
}

let opened = 0;

/** Polls like n8n with an active workflow: all polls share one workflow and its memory. */
export class Polls {
	private constructor(
		private readonly workflow: Workflow,
		private readonly node: INode,
		private readonly context: PollContext,
	) {}

	static async open(service: Pick<Service, 'url' | 'apiKey'>, setup: PollSetup): Promise<Polls> {
		const types = setup.types ?? (await LoadedNodeTypes.load());
		const node: INode = {
			...nodeOf('Trigger', `${PACKAGE}.contactTaskCrmTrigger`, setup.parameters),
			id: setup.id ?? `trigger ${++opened}`,
			credentials: { contactTaskCrmApi: { id: setup.credential ?? '1', name: 'CRM' } },
			...(setup.alwaysOutputData ? { alwaysOutputData: true } : {}),
		};
		const workflow = new Workflow({
			id: 'workflow',
			nodes: [node],
			connections: {},
			active: true,
			nodeTypes: types,
			// As it comes out of the database.
			staticData: setup.staticData && (JSON.parse(JSON.stringify(setup.staticData)) as IDataObject),
		});
		const additionalData = {
			credentialsHelper: GivenCredentials.of(types, service, setup.credentials),
			variables: {},
			currentNodeExecutionIndex: 0,
		} as unknown as IWorkflowExecuteAdditionalData;
		const mode = setup.mode ?? 'trigger';
		const context = new PollContext(
			workflow,
			node,
			additionalData,
			mode,
			mode === 'manual' ? 'manual' : 'activate',
		);
		return new Polls(workflow, node, context);
	}

	/** Polls once. Returns the JSON of the output items, or null for none. */
	async poll(): Promise<IDataObject[] | null> {
		const result = await new TriggersAndPollers().runPollFunction(
			this.workflow,
			this.node,
			this.context as never,
		);
		return result && (result[0] ?? []).map(({ json }: INodeExecutionData) => json);
	}

	/** What n8n would write to its database now. */
	get staticData(): IDataObject {
		return JSON.parse(JSON.stringify(this.workflow.staticData)) as IDataObject;
	}

	/** Whether n8n would write it. */
	get isChanged(): boolean {
		return Boolean((this.workflow.staticData as { __dataChanged?: boolean }).__dataChanged);
	}
}
