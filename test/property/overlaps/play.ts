/* eslint-disable @n8n/community-nodes/no-restricted-globals -- time is virtual here */
import type { IDataObject } from 'n8n-workflow';
import { LoadedNodeTypes } from '../../engine/support/nodeTypes';
import { nodeTypes, resultOf, startNode, type NodeResult } from '../../engine/support/runNode';
import { untilDone, useTransport } from '../../engine/support/transport';
import { COLLEAGUES_TAGS, Company, COLUMN_TITLES, emailOf, ENTRIES, JOB_AT_START } from './company';
import type { Change, Overlap, Run } from './drawn';

/** Number of a run, and number of an item in it. */
interface Place {
	run: number;
	item: number;
}

export interface Played {
	companies: Company[];
	/** Results in the order of the runs. */
	results: NodeResult[];
	/** Start time of each run. */
	startedAt: number[];
	/** Changes of colleagues, in the order of their effect. */
	changed: Changed[];
}

/** A colleague's change: the number of the person, and the time. */
export interface Changed {
	company: number;
	who: number;
	at: number;
	/** Final values of the fields that it set: a job title, and tags by IRI. */
	left: Map<string, string | boolean>;
}

/** Returns the job title that an item writes, if its operation writes one. */
export const jobOf = ({ rows }: Run, { run, item }: Place) =>
	rows[item].job === 'own' ? `run ${run} item ${item}` : JOB_AT_START;

/** Returns the name of a run. A request does not tell its run, so the test writes this name into the setting Proxy. */
export const nameOf = (run: number) => `run-${run}`;

const located = (value: string) => ({ __rl: true, mode: 'id', value });
const person = { resource: 'person', personId: located('={{ $json.who }}') };
const listChange = { ...person, tags: '={{ [$json.tag] }}' };
const PARAMETERS: Record<Run['operation'], object> = {
	upsert: {
		...{ resource: 'person', email: '={{ $json.who }}', familyName: 'Vos' },
		additionalFields: { jobTitle: '={{ $json.job }}', tags: '={{ [$json.tag] }}' },
	},
	update: { ...person, updateFields: { jobTitle: '={{ $json.job }}' } },
	addTags: listChange,
	removeTags: listChange,
	move: {
		...{ resource: 'task', taskId: located('={{ $json.who }}') },
		status: located('={{ $json.column }}'),
	},
};

let overlaps = 0;
let secondProcess: Promise<LoadedNodeTypes> | undefined;

/** Plays the runs of an overlap at the same time, in virtual time, until all have ended. */
export async function play({ runs, changes, service }: Overlap): Promise<Played> {
	secondProcess ??= LoadedNodeTypes.loadInOtherProcess();
	const processes = [await nodeTypes(), await secondProcess];
	jest.clearAllTimers();
	const host = `crm${overlaps++}.example`;
	const keys = [0, 1].map((company) => `${company}-${host}`);
	const companies = keys.map((own, at) => new Company(`${host} ${at}`, [own], service));
	useTransport(async (request) => {
		const key = String(request.headers?.['X-API-KEY']);
		const company = companies[keys.indexOf(key)];
		const { proxy } = request;
		return await company.answer(typeof proxy === 'object' ? proxy.host : '', request);
	});
	const startedAt: number[] = [];
	const begin = async (run: Run, at: number) => {
		await new Promise<void>((resolve) => setTimeout(resolve, run.startsAtMs));
		const company = companies[run.company];
		startedAt[at] = Date.now();
		const { operation, lookUp, onError } = run;
		const access = { url: `https://${host}`, apiKey: keys[run.company] };
		const { execution } = await startNode(access, {
			parameters: {
				...{ operation, ...PARAMETERS[operation] },
				options: operation === 'upsert' ? { lookUp } : {},
				requestOptions: { proxy: `http://${nameOf(at)}:80` },
			},
			input: run.rows.map((_, item) => inputOf(run, company, { run: at, item })),
			onError,
			credentials: { requestsPerMinute: service.limit },
			// UTC, because luxon need not look that zone up for each item.
			timezone: 'UTC',
			types: processes[run.process],
		});
		if (run.stopsAfterMs !== undefined) setTimeout(() => execution.cancel(), run.stopsAfterMs);
		return resultOf(await execution);
	};
	const changed: Changed[] = [];
	const makeChange = async ({ company, who, atMs, tags }: Change, nth: number) => {
		await new Promise<void>((resolve) => setTimeout(resolve, atMs));
		const jobTitle = `colleague ${nth}`;
		const [added, removed] = [tags?.added, tags?.removed].map((at = 0) => COLLEAGUES_TAGS[at]);
		const isThere = companies[company].changeByColleague(who, (person) => {
			if (!tags) return { jobTitle };
			const others = person.tags.filter((tag) => tag !== added && tag !== removed);
			return { tags: [...others, added] };
		});
		const left = new Map<string, string | boolean>(
			tags
				? [[added, true] as const, [removed, false] as const]
				: [['jobTitle', jobTitle] as const],
		);
		if (isThere) changed.push({ company, who, at: Date.now(), left });
	};
	const made = Promise.all(changes.map(makeChange));
	const results = await untilDone(Promise.all(runs.map(begin)));
	await untilDone(made);
	return { companies, results, startedAt, changed };
}

function inputOf(run: Run, company: Company, place: Place): IDataObject {
	const { operation, rows } = run;
	const { who, by, entry } = rows[place.item];
	const email = emailOf(who);
	const id = company.idOf(operation === 'move' ? 'tasks' : 'people', who);
	const named = { id, email, EMAIL: email.toUpperCase(), ' email ': ` ${email} ` };
	return {
		who: operation === 'move' ? id : named[by],
		job: jobOf(run, place),
		tag: ENTRIES.tags[entry],
		column: COLUMN_TITLES[entry],
	};
}
