import type { IDataObject } from 'n8n-workflow';
import { runNode, type NodeSetup } from '../../engine/support/runNode';
import { untilDone } from '../../engine/support/transport';
import { openService } from '../judge/play';
import type { Drawn } from './drawn';
import { OPERATIONS } from './drawn';

/** Result of a row: the output of the node, or its error. */
export interface Outcome {
	json: IDataObject;
	isError: boolean;
}

export interface Played {
	/** Previews, and results of the run, in the order of the rows. */
	previewed: IDataObject[];
	done: Outcome[];
	/** Methods of the preview's requests. */
	methods: string[];
	/** Write requests of the run, with the statuses of the answers. */
	writes: Array<{ method: string; status: number }>;
	/** Error that ended the preview or the run. */
	error?: string;
}

/** Runs the rows as a preview, and then for real. */
export async function play(drawn: Drawn): Promise<Played> {
	const { operation, rows, options, switches } = drawn;
	const { state, access } = openService(drawn, { ...switches, latencyBeforeMs: 10 });
	const run = async (setup: Omit<NodeSetup, 'parameters'>, further: object) => {
		const { parameters: own } = OPERATIONS[operation];
		const always = 'options' in own ? own.options : {};
		const parameters = { ...own, options: { ...always, ...options, ...further } };
		const input = rows as IDataObject[];
		// UTC, because luxon need not look that zone up for each item.
		const whole = { ...setup, parameters, input, timezone: 'UTC' };
		return await untilDone(
			runNode(access, { ...whole, credentials: { requestsPerMinute: 1_000_000 } }),
		);
	};
	const { onError, retryOnFail } = drawn;
	// The whole preview, with the IDs and changes that the judge compares.
	const whole = { previewOnly: true, output: 'raw' };
	const preview = await run({ onError, retryOnFail }, whole);
	const methods = state.requests.map(({ method }) => method);
	state.requests.length = 0;
	const result = await run({ onError: 'continueErrorOutput' }, {});
	const writes = state.requests
		.filter(({ method }) => method !== 'GET')
		.map(({ method, status = 0 }) => ({ method, status }));
	const done: Outcome[] = [];
	for (const { json, pairedItem } of result.items)
		done[itemOf(pairedItem)] = { json, isError: false };
	for (const { json, pairedItem } of result.errorItems) {
		done[itemOf(pairedItem)] = { json, isError: true };
	}
	const previewed: IDataObject[] = [];
	for (const { json, pairedItem } of preview.items) previewed[itemOf(pairedItem)] = json;
	const error = preview.error?.message ?? result.error?.message;
	return { previewed, done, methods, writes, ...(error === undefined ? {} : { error }) };
}

const itemOf = (pairedItem: unknown) => (pairedItem as { item: number }).item;
