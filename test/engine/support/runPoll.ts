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

/** A workflow with the trigger, for n8n-core's own polling. */
export interface PollSetup {
	parameters: INodeParameters;
	/** The workflow's memory in n8n's database. */
	staticData?: IDataObject | undefined;
	mode?: WorkflowExecuteMode;
	credentials?: IDataObject;
	alwaysOutputData?: boolean;
	/** ID of the chosen credential. */
	credential?: string;
	/** ID of the trigger node. By default, each `Polls` has a new ID. */
	id?: string;
	/** Node types of another n8n process, without shared memory. */
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
			// A copy, as if n8n had read the memory from its database.
			...(setup.staticData && {
				staticData: JSON.parse(JSON.stringify(setup.staticData)) as IDataObject,
			}),
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

	/** The memory that n8n would save now. */
	get staticData(): IDataObject {
		return JSON.parse(JSON.stringify(this.workflow.staticData)) as IDataObject;
	}

	/** Whether n8n would save the memory now. */
	get isChanged(): boolean {
		return Boolean((this.workflow.staticData as { __dataChanged?: boolean }).__dataChanged);
	}
}
