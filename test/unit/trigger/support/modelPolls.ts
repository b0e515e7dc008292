import type { IDataObject } from 'n8n-workflow';
import { keyLengthOf } from '../../../../nodes/ContactTaskCrm/trigger/compare';
import type { WatchedList } from '../../../../nodes/ContactTaskCrm/trigger/events';
import { eventsOf } from '../../../../nodes/ContactTaskCrm/trigger/events';
import { nextStep, startProgress } from '../../../../nodes/ContactTaskCrm/trigger/plan';
import {
	begunPoll,
	withFailedPage,
	withMember,
	withPage,
} from '../../../../nodes/ContactTaskCrm/trigger/reading';
import type { TriggerState } from '../../../../nodes/ContactTaskCrm/trigger/state';
import { fromSaved, startState, toSaved } from '../../../../nodes/ContactTaskCrm/trigger/state';
import type { ChangeEvent, Watch } from '../../../../nodes/ContactTaskCrm/trigger/watch';
import { readingOf } from '../../../../nodes/ContactTaskCrm/trigger/watchOf';
import { pageOf } from '../../../../nodes/ContactTaskCrm/transport/paging';
import type { ModelList } from './modelList';
import { SEGMENT, shownAs } from './modelList';

/** A watch over a list of the model, for some of its events. */
export function watchOver(list: WatchedList, names?: readonly string[], pageSize = 30): Watch {
	const events = eventsOf(list).filter(({ value }) => !names || names.includes(value));
	const isMember = ({ segments }: Record<string, unknown>) =>
		Array.isArray(segments) && segments.includes(`/segments/${SEGMENT}`);
	return {
		...readingOf(list, events),
		key: list,
		list,
		path: `/${list}`,
		subject: { noun: 'list' },
		record: undefined as never,
		events,
		filters: list === 'segment' ? [['segments.uuid', SEGMENT]] : [],
		matches: () => true,
		...(list === 'segment' ? { isMember } : {}),
		anchors: [],
		pageSize,
	};
}

/** What a poll handed over, and what it was shown. */
export interface Polled {
	changes: ChangeEvent[];
	served: Array<Record<string, unknown>>;
	requests: number;
}

/** Polls of one trigger over a list of the model, with memory and database as n8n keeps them. */
export class ModelPolls {
	private memory: TriggerState | undefined;

	private database: string | undefined;

	constructor(
		private readonly list: ModelList,
		private readonly watch: Watch,
		readonly maxRequests: number,
		/** Lets time pass before each request. */
		private readonly pass: () => void = () => {},
		private readonly isFailing: (page: number) => boolean = () => false,
	) {}

	get state(): TriggerState | undefined {
		return this.memory;
	}

	poll(): Polled {
		const { watch, list } = this;
		const changes: ChangeEvent[] = [];
		const served: Polled['served'] = [];
		let state = this.memory && begunPoll(this.memory);
		let progress = startProgress(this.maxRequests);
		for (let goesOn = true; goesOn; ) {
			const begun = state ?? begunPoll(startState(watch.key, this.servedAt));
			const step = nextStep(watch, begun, progress);
			if (!step) break;
			progress = { ...progress, sent: progress.sent + 1 };
			this.pass();
			if (step.kind === 'member') {
				const record = list.records.get(step.id);
				const person = record && (shownAs(record) as IDataObject);
				const outcome = withMember(watch, begun, progress, step, person);
				({ state, progress } = outcome);
				changes.push(...outcome.changes);
				continue;
			}
			const number = Number(step.query.find(([name]) => name === 'page')?.[1] ?? 1);
			if (this.isFailing(number)) {
				if (!state) break;
				({ state, progress, goesOn } = withFailedPage(begun, progress, step));
				continue;
			}
			const page = pageOf(list.answer(step.query))!;
			served.push(...(page.members as Polled['served']));
			const first = state === undefined ? { ...begun, began: this.servedAt } : begun;
			const outcome = withPage(watch, first, progress, step, { ...page, servedAt: this.servedAt });
			({ state, progress } = outcome);
			changes.push(...outcome.changes);
		}
		const isFirst = this.memory === undefined;
		this.memory = state;
		if (state && (isFirst || changes.length > 0)) this.database = JSON.stringify(toSaved(state));
		return { changes, served, requests: progress.sent };
	}

	/** n8n is killed and started again: it knows what its database holds. */
	kill(): void {
		if (this.database === undefined) return;
		const loaded = fromSaved(JSON.parse(this.database), this.watch.key, keyLengthOf(this.watch));
		if (loaded.kind !== 'state') throw new Error(`The saved state is ${loaded.kind}`);
		this.memory = loaded.state;
	}

	get servedAt(): number {
		return Math.floor(this.list.now / 1000) * 1000;
	}
}
