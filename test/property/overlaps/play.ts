/* eslint-disable @n8n/community-nodes/no-restricted-globals -- time is virtual here */
import type { IDataObject } from 'n8n-workflow';
import { LoadedNodeTypes } from '../../engine/support/nodeTypes';
import { nodeTypes, resultOf, startNode, type NodeResult } from '../../engine/support/runNode';
import { Company, COLUMNS, emailOf, SEGMENTS, TAGS } from './company';
import { markOf, type Operation, type Overlap, type Run } from './drawn';
import { untilDone, useTransport } from './transport';

export interface Played {
	companies: Company[];
	/** In the order of the runs. */
	results: NodeResult[];
	/** How many requests its company had seen when a run began. */
	seenAtStart: number[];
}

const PARAMETERS: Record<Operation, object> = {
	upsert: {
		matchBy: 'email',
		matchValue: '={{ $json.who }}',
		familyName: 'Jansen',
		additionalFields: { jobTitle: '={{ $json.mark }}', tags: '={{ [$json.tag] }}' },
	},
	update: { updateFields: { jobTitle: '={{ $json.mark }}' } },
	addTags: { tags: '={{ [$json.tag] }}' },
	removeTags: { tags: '={{ [$json.tag] }}' },
	addToSegments: { segments: '={{ [$json.segment] }}' },
	removeFromSegments: { segments: '={{ [$json.segment] }}' },
	move: { status: { __rl: true, mode: 'id', value: '={{ $json.column }}' } },
};

/** The names by which a transport knows the runs; a proxy says nothing else here. */
export const nameOf = (index: number) => `run-${index}`;

let overlaps = 0;
let secondProcess: LoadedNodeTypes | undefined;

/** Plays the runs of an overlap at once, in virtual time, until all have ended. */
export async function play({ runs, service }: Overlap): Promise<Played> {
	const processes = [await nodeTypes(), secondProcess ?? (await inSecondProcess())];
	jest.clearAllTimers();
	const host = `crm${overlaps++}.example`;
	const keysOf = [
		['a-0', 'a-1'],
		['b-0', 'b-1'],
	].map((keys) => keys.map((key) => `${key}-${host}`));
	const companies = keysOf.map((keys, at) => new Company(`${host} ${at}`, keys, service));
	useTransport(async (request) => {
		const key = String(request.headers?.['X-API-KEY']);
		const company = companies[keysOf.findIndex((keys) => keys.includes(key))];
		const { proxy } = request;
		return await company.answer(typeof proxy === 'object' ? proxy.host : '', request);
	});
	const seenAtStart: number[] = [];
	const begin = async (run: Run, index: number) => {
		await new Promise<void>((resolve) => setTimeout(resolve, run.startsAtMs));
		const company = companies[run.company];
		seenAtStart[index] = company.seen.length;
		const { execution } = await startNode(
			{ url: `https://${host}`, apiKey: keysOf[run.company][run.key] },
			{
				parameters: parametersOf(run, index),
				input: run.rows.map((_, row) => inputOf(run, company, { index, row })),
				onError: run.onError,
				credentials: { requestsPerMinute: service.limit },
				// Which luxon knows without looking it up for each item.
				timezone: 'UTC',
				types: processes[run.process],
			},
		);
		if (run.stopsAfterMs !== undefined) setTimeout(() => execution.cancel(), run.stopsAfterMs);
		return resultOf(await execution);
	};
	const results = await untilDone(Promise.all(runs.map(begin)));
	return { companies, results, seenAtStart };
}

function parametersOf({ operation, lookUp }: Run, index: number): Record<string, unknown> {
	const target = { __rl: true, mode: 'id', value: '={{ $json.who }}' };
	return {
		resource: operation === 'move' ? 'task' : 'person',
		operation,
		...(operation === 'move'
			? { taskId: target }
			: operation === 'upsert'
				? {}
				: { personId: target }),
		...PARAMETERS[operation],
		options: operation === 'upsert' ? { lookUp } : {},
		requestOptions: { proxy: `http://${nameOf(index)}:80` },
	};
}

function inputOf(
	{ operation, rows }: Run,
	company: Company,
	at: { index: number; row: number },
): IDataObject {
	const { who, by, entry } = rows[at.row];
	const email = emailOf(who);
	const spelled = { email, EMAIL: email.toUpperCase(), ' email ': ` ${email} ` };
	const person = by === 'id' ? company.idOf('people', who) : spelled[by];
	return {
		who: operation === 'move' ? company.idOf('tasks', who) : person,
		mark: markOf(at.index, at.row),
		tag: TAGS[entry],
		segment: SEGMENTS[entry],
		column: `Sales / ${COLUMNS[entry]}`,
	};
}

/** The package with modules of its own, which share nothing with those of the first process but n8n's own. */
async function inSecondProcess(): Promise<LoadedNodeTypes> {
	const ofHost = jest.requireActual<object>('n8n-workflow');
	await jest.isolateModulesAsync(async () => {
		jest.doMock('n8n-workflow', () => ofHost);
		secondProcess = await LoadedNodeTypes.load();
	});
	jest.dontMock('n8n-workflow');
	return secondProcess!;
}
