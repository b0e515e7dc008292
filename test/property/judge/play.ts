import type { IDataObject } from 'n8n-workflow';
import { runNode, type NodeResult } from '../../engine/support/runNode';
import { answerFrom, untilDone, useTransport } from '../../engine/support/transport';
import {
	createState,
	type LoggedRequest,
	type Person,
	type SwitchChanges,
	type Task,
} from '../../service';
import { drawLatency } from '../../service/faults';
import { seedTenant } from '../../service/seed';
import { changeSwitches, type Latency } from '../../service/switches';
import { SEED, type Case } from './cases';
import { OPERATIONS, parametersOf } from './operations';
import { populate, referables, takeSnapshot, type Snapshot } from './world';

/** The fractional parts of the multiples of this number spread evenly from 0 to 1. */
const GOLDEN_RATIO = 0.618;

/** Result of one row. */
export interface Outcome {
	/** `unknown`: the run stopped, or the error says that the write may have taken effect. */
	is: 'done' | 'failed' | 'unknown';
	/** JSON of the output items of the row. */
	items: IDataObject[];
	message?: string;
}

/** A case after the node has run. */
export interface Played {
	before: Snapshot;
	after: Snapshot;
	outcomes: Outcome[];
	known: ReturnType<typeof referables>;
	requests: LoggedRequest[];
	/** The people at the start, with all their fields. */
	people: Person[];
	/** The tasks at the start, with all their fields. */
	tasks: Task[];
	/** Error that stopped the execution. */
	error?: string | undefined;
}

/** Words in an error of a write without a clear answer: the error has to say that the write may have taken effect. */
const MAY_HAVE =
	/\b(may|might|could)\b.*\b(been|have|taken|be)\b|not (known|certain|clear) whether|took effect/is;

const textOf = (error: unknown): string => {
	const { message, description, howToGoOn } = error as Record<string, string | undefined>;
	return [message, description, howToGoOn].filter(Boolean).join(' | ');
};

const itemOf = (pairedItem: unknown): number => {
	const first = Array.isArray(pairedItem) ? (pairedItem[0] as unknown) : pairedItem;
	return typeof first === 'number' ? first : ((first as { item?: number } | undefined)?.item ?? -1);
};

function outcomesOf({ items, errorItems, error }: NodeResult, count: number): Outcome[] {
	const outcomes: Outcome[] = Array.from({ length: count }, () => ({
		is: error ? 'unknown' : 'done',
		items: [],
	}));
	for (const item of [...items, ...errorItems]) {
		const outcome = outcomes[itemOf(item.pairedItem)];
		if (!outcome) continue;
		const isError = errorItems.includes(item) || (item.json.error !== undefined && !item.json.id);
		if (!isError) {
			outcome.items.push(item.json);
			continue;
		}
		const details = [item.json.error, item.json.message, item.json.details].map((part) =>
			typeof part === 'object' && part !== null ? textOf(part) : String(part ?? ''),
		);
		outcome.message = [...details, item.error ? textOf(item.error) : ''].join(' | ');
		outcome.is = MAY_HAVE.test(outcome.message) ? 'unknown' : 'failed';
	}
	return outcomes;
}

let opened = 0;

/** Opens a stand-in without sockets and without a rate limit, with the drawn switches and people. */
export function openService(
	{ characters, others }: Pick<Case, 'characters' | 'others'>,
	switches: SwitchChanges,
) {
	const apiKey = `key-${opened}`;
	const host = `https://drawn${opened++}.example`;
	const state = createState({
		keys: { [apiKey]: 'main' },
		switches: { rateLimit: { mode: 'off' } },
	});
	seedTenant(state.store, SEED);
	populate(state, characters, others);
	changeSwitches(state.switches, switches);
	// Returns a latency from the range of the switch. A repeat of the case gives each request the same latency again.
	const latencyOf = (latency: Latency) =>
		drawLatency(latency, (state.requests.length * GOLDEN_RATIO) % 1);
	useTransport(async (sent) => {
		const { latencyBeforeMs, latencyAfterMs } = state.switches;
		return await answerFrom(state, sent, [latencyOf(latencyBeforeMs), latencyOf(latencyAfterMs)]);
	});
	return { state, access: { url: host + state.switches.mountPath, apiKey } };
}

/** Runs the node against the service of a case. Returns the records before and after. */
export async function play(drawn: Case): Promise<Played> {
	const { name, columns, rows, switches, faults, onError, options } = drawn;
	const { state, access } = openService(drawn, { ...switches, faults });
	const { store, requests } = state;
	const before = takeSnapshot(state);
	const people = structuredClone([...store.people.values()]);
	const tasks = structuredClone([...store.tasks.values()]);
	const known = referables(state);
	const parameters = parametersOf(OPERATIONS[name], columns, options);
	const input = JSON.parse(JSON.stringify(rows)) as IDataObject[];
	const { retryOnFail } = drawn;
	const result = await untilDone(runNode(access, { parameters, input, onError, retryOnFail }));
	return {
		...{ before, people, tasks, known, requests },
		after: takeSnapshot(state),
		outcomes: outcomesOf(result, rows.length),
		error: result.error && textOf(result.error),
	};
}
