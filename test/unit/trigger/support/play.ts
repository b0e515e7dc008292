import { keyFor } from '../../../../nodes/ContactTaskCrm/trigger/fingerprint';
import type { Rule } from '../../../../nodes/ContactTaskCrm/trigger/rules';
import type { Reading, Watch } from '../../../../nodes/ContactTaskCrm/trigger/watch';
import { personRecord } from '../../../../nodes/ContactTaskCrm/resources/person/output';
import type { Listener } from './poller';
import { Poller } from './poller';
import type { Schedule } from './schedule';
import { Tenant } from './tenant';

/** A watch over a list of a tenant, without filters. */
export function watchOver(
	path: string,
	reading: Reading,
	rule: Rule,
	more: Partial<Watch> = {},
): Watch {
	return {
		key: keyFor(path),
		path,
		subject: { noun: 'list' },
		record: personRecord,
		reading,
		filters: [],
		matches: () => true,
		rule,
		sharesTexts: false,
		unknownBefore: {},
		pageSize: 3,
		...more,
	};
}

/** What an event needs to be played through: the watch, the changes, and who judges. */
export interface Play {
	watch: (tenant: Tenant) => Watch;
	/** Makes one of the records that are there at the start. */
	populate: (tenant: Tenant, index: number) => void;
	change: (what: string, who: number, to: number) => void;
	listener: Listener;
	onSettled: () => void;
}

/** Plays a schedule through, and settles at its end. */
export function play(
	schedule: Schedule,
	prepare: (tenant: Tenant) => Play,
	onReady: (poller: Poller) => void = () => {},
): Poller {
	const tenant = new Tenant(schedule.habits);
	const part = prepare(tenant);
	// That an order is not kept shows as soon as a page has two different times.
	const [initial, apart] = schedule.habits.switches.ignoreOrder
		? [Math.max(5, schedule.initial), Math.max(1, schedule.apart)]
		: [schedule.initial, schedule.apart];
	for (let index = 0; index < initial; index++) {
		part.populate(tenant, index);
		tenant.now += apart * 1000;
	}
	const watch = { ...part.watch(tenant), pageSize: schedule.pageSize };
	const poller = new Poller(tenant, watch, schedule.maxRequests, {
		...part.listener,
		onStart: () => {
			// Polls are a minute apart at least; a second is the least that tells them apart.
			tenant.now += 1000;
			part.listener.onStart?.();
		},
	});
	onReady(poller);
	const settle = () => {
		poller.settle();
		part.onSettled();
	};
	for (const act of schedule.acts) {
		if (act.kind === 'time') tenant.now += act.seconds * 1000;
		else if (act.kind === 'change') part.change(act.what, act.who, act.to);
		else if (act.kind === 'fail') poller.fail();
		else if (act.kind === 'kill') poller.kill();
		else if (act.kind === 'crash') poller.crash();
		else if (act.kind === 'settle') settle();
		else for (let page = 0; page < act.count; page++) poller.page();
	}
	settle();
	return poller;
}
