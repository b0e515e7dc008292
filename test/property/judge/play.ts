import type { IDataObject } from 'n8n-workflow';
import type { LoggedRequest, Person, Service, Task } from '../../service';
import { runNode, type NodeResult } from '../../engine/support/runNode';
import { lapse, letWritesGrowOld } from '../../engine/support/timeLapse';
import { changeSwitches } from '../../service/switches';
import type { Case } from './cases';
import { OPERATIONS, parametersOf } from './operations';
import { populate, referables, takeSnapshot, type Snapshot } from './world';

/** What became of one row. */
export interface Outcome {
	/** `unknown`: the run stopped, or the error says that the write may have taken effect. */
	is: 'done' | 'failed' | 'unknown';
	/** The JSON of the items that came of it. */
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
	/** The people at the start, whole. */
	people: Person[];
	/** The tasks at the start, whole. */
	tasks: Task[];
	/** What stopped the execution. */
	error?: string;
}

/** An error has to say so where the service may have carried out what it did not confirm. */
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

/** Brings the service to where the case starts, runs the node, and keeps what was and what is. */
export async function play(service: Service, key: string, drawn: Case): Promise<Played> {
	const {
		name,
		columns,
		rows,
		characters,
		others,
		switches,
		faults,
		onError,
		options,
		retryOnFail,
	} = drawn;
	service.reset();
	letWritesGrowOld();
	populate(service, characters, others);
	changeSwitches(service.switches, { ...switches, faults });
	const before = takeSnapshot(service);
	const people = structuredClone([...service.store.people.values()]);
	const tasks = structuredClone([...service.store.tasks.values()]);
	const known = referables(service);
	const parameters = parametersOf(OPERATIONS[name], columns, options);
	const input = JSON.parse(JSON.stringify(rows)) as IDataObject[];
	const result = await lapse(
		runNode({ url: service.url, apiKey: key }, { parameters, input, onError, retryOnFail }),
	);
	return {
		before,
		people,
		tasks,
		after: takeSnapshot(service),
		outcomes: outcomesOf(result, rows.length),
		known,
		requests: [...service.requests],
		error: result.error && textOf(result.error),
	};
}
