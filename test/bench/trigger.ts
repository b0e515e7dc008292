/* eslint-disable no-console, @n8n/community-nodes/no-restricted-globals -- measures processor time */
import type { IDataObject } from 'n8n-workflow';
import type { CrmTenant } from '../unit/trigger/support/crmTenant';
import { closeTenant, OpenTrigger } from '../unit/trigger/support/openTenant';
import { Crowd } from '../unit/trigger/support/crowd';
import { MINUTE_MS, WATCHED } from '../unit/trigger/support/schedule';
import { furnished, watching } from '../unit/trigger/support/script';
import { table, writeSection } from './markdown';

/*
 * Measures the requests and delays of the trigger over the simulated tenant, with a poll each minute and default
 * settings. Time is virtual, so Jest must run it, with `npx gulp virtual`.
 *
 * `FIGURES=elsewhere` prints the tables instead of writing them into docs/trigger.md.
 */

const FILE = 'docs/trigger.md';
const SIZES = [100, 1_000, 5_000];
const RATES = [0, 20, 60, 300];

afterEach(closeTenant);

function fill(tenant: CrmTenant, path: string, count: number, fields: IDataObject): string[] {
	return Array.from({ length: count }, (_, index) => {
		if (index % 50 === 0) tenant.passTo(tenant.now + 1000);
		const title = String(tenant.random());
		return tenant.create(path, { title, familyName: title, ...fields });
	});
}

const at = (sorted: number[], part: number) =>
	sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))];

/**
 * Returns the median and 95th percentile of the minutes from a change to its item. With rate 0, one change happens at
 * a time.
 */
async function delays(event: 'taskUpdated' | 'personCreated', records: number, rate: number) {
	const on = furnished({ order: 'byTitle' });
	const { tenant } = on;
	const path = event === 'taskUpdated' ? '/tasks' : '/people';
	const ids = fill(tenant, path, records, { status: on.column('a') });
	tenant.passTo(tenant.now + MINUTE_MS);
	const trigger = new OpenTrigger(tenant, watching(event)(on));
	const scan = Math.ceil(records / 60) + 2;
	for (let count = 0; count < scan * 2 + 10; count++) await trigger.poll(tenant.now + MINUTE_MS);
	const waiting = new Map<string, number[]>();
	const minutes: number[] = [];
	const change = () => {
		const id =
			event === 'taskUpdated'
				? ids[Math.floor(tenant.random() * ids.length)]
				: tenant.create(path, { familyName: String(tenant.random()) });
		if (event === 'taskUpdated') tenant.change(path, id, { description: String(tenant.random()) });
		waiting.set(id, [...(waiting.get(id) ?? []), tenant.now]);
	};
	const polls = rate === 0 ? 20 * scan : Math.max(60, 3 * scan);
	for (let count = 0; count < polls; count++) {
		const next = tenant.now + MINUTE_MS;
		if (rate === 0 && waiting.size === 0)
			tenant.schedule(next - tenant.random() * MINUTE_MS, change);
		for (let one = 0; one < rate; one++) {
			tenant.schedule(next - tenant.random() * MINUTE_MS, change);
		}
		const { items, failure } = await trigger.poll(next);
		expect(failure).toBeUndefined();
		for (const { id } of items ?? []) {
			for (const then of waiting.get(String(id)) ?? [])
				minutes.push((tenant.now - then) / MINUTE_MS);
			waiting.delete(String(id));
		}
	}
	// A change that the trigger has not reported yet is at least this late.
	if (rate > 0) {
		for (const times of waiting.values()) {
			for (const then of times) minutes.push((tenant.now - then) / MINUTE_MS);
		}
	}
	minutes.sort((one, other) => one - other);
	closeTenant();
	return `${at(minutes, 0.5).toFixed(1)} · ${at(minutes, 0.95).toFixed(1)}`;
}

/**
 * Returns delays in a crowd: median and 95th percentile in minutes for one change per minute, and requests per hour.
 */
async function crowded(triggers: number, records: number, areOnOneList: boolean) {
	const on = furnished({ order: 'byTitle' });
	const { tenant } = on;
	const owners = Array.from(
		{ length: areOnOneList ? 1 : triggers },
		(_, index) => `/users/${index}`,
	);
	const lists = owners.map((owner) => fill(tenant, '/people', records, { owner }));
	const all = Array.from({ length: triggers }, (_, index) => ({
		...watching('personUpdated')(on),
		...(areOnOneList ? {} : { filters: { ownerId: [owners[index]] } }),
	}));
	const phases = all.map((_, index) => ((index * 7) % 60) * 1_000);
	const crowd = new Crowd(tenant, all, phases, { apiKey: `bench ${triggers} ${areOnOneList}` });
	await crowd.publish();
	await crowd.poll(areOnOneList ? 60 : 30 + (4 * triggers * records) / 300);
	const changedAt = new Map<string, number>();
	const before = tenant.requests.length;
	await crowd.poll(60, (minute) => {
		const ids = lists[minute % lists.length];
		const id = ids[(minute * 7) % ids.length];
		tenant.schedule(tenant.now + 1 + Math.floor(tenant.random() * 59_000), () => {
			tenant.change('/people', id, { jobTitle: String(tenant.random()) });
			changedAt.set(id, tenant.now);
		});
	});
	const requests = tenant.requests.length - before;
	await crowd.poll(90);
	const minutes = crowd.members
		.flatMap(({ items }) => items)
		.flatMap(({ at: told, item }) => {
			const changed = changedAt.get(String(item.id));
			return changed === undefined ? [] : [(told - changed) / MINUTE_MS];
		})
		.sort((one, other) => one - other);
	closeTenant();
	return { delays: `${at(minutes, 0.5).toFixed(1)} · ${at(minutes, 0.95).toFixed(1)}`, requests };
}

/** Returns the minutes until the trigger has reported the last of 5,000 people imported within a minute. */
async function imported(): Promise<string> {
	const on = furnished({ order: 'byTitle' });
	const { tenant } = on;
	fill(tenant, '/people', 1_000, {});
	const trigger = new OpenTrigger(tenant, watching('personCreated')(on));
	// Lets the trigger settle: it reads people twice who were created shortly before publishing.
	for (let count = 0; count < 120; count++) await trigger.poll(tenant.now + MINUTE_MS);
	on.many('/people', 5_000, {}, 12);
	const from = tenant.now;
	for (let told = 0, minute = 0; told < 5_000 && minute < 600; minute++) {
		told += (await trigger.poll(tenant.now + MINUTE_MS)).items?.length ?? 0;
	}
	const minutes = (tenant.now - from) / MINUTE_MS;
	closeTenant();
	return minutes.toFixed(0);
}

/** Returns the bytes of static data, and the processor time of a quiet poll in ms. */
async function weight(records: number) {
	const on = furnished({ order: 'byTitle' });
	const { tenant } = on;
	fill(tenant, '/tasks', records, { status: on.column('a') });
	tenant.passTo(tenant.now + MINUTE_MS);
	const given = watching(WATCHED.tasks)(on);
	const all = { ...given, options: { maxRequestsPerPoll: 400 } };
	const trigger = new OpenTrigger(tenant, all, { requestsPerMinute: 1_000 });
	for (let count = 0; count < 2; count++) await trigger.poll(tenant.now + MINUTE_MS);
	const size = trigger.size;
	// The same state, continued with two requests per poll.
	const usual = new OpenTrigger(
		tenant,
		{ ...given, options: { maxRequestsPerPoll: 2 } },
		{
			host: 'durableCursors',
		},
	);
	for (let count = 0; count < Math.ceil(records / 60) + 2; count++) {
		await usual.poll(tenant.now + MINUTE_MS);
	}
	const times: number[] = [];
	for (let count = 0; count < 9; count++) {
		const start = process.cpuUsage();
		await usual.poll(tenant.now + MINUTE_MS);
		const { user, system } = process.cpuUsage(start);
		times.push((user + system) / 1000);
	}
	closeTenant();
	return {
		size,
		ms: at(
			times.sort((one, other) => one - other),
			0.5,
		),
	};
}

it('The benchmark measures requests, delays, state size and processor time of the trigger', async () => {
	const late: Array<Record<string, string>> = [];
	for (const event of ['taskUpdated', 'personCreated'] as const) {
		for (const rate of RATES) {
			const row: Record<string, string> = { event, 'changes a minute': String(rate || 'one') };
			for (const size of SIZES) {
				row[`${size.toLocaleString('en')} records`] = await delays(event, size, rate);
			}
			late.push(row);
		}
	}
	const crowds: Array<Record<string, string>> = [];
	for (const triggers of [1, 5, 10, 20, 40]) {
		const one = await crowded(triggers, 1_000, true);
		const own = await crowded(triggers, 100, false);
		crowds.push({
			triggers: String(triggers),
			'one list of 1,000': one.delays,
			'requests an hour': String(one.requests),
			'a list of 100 each': own.delays,
			'requests an hour ': String(own.requests),
		});
	}
	const imports = [
		{ 'people imported within a minute': '5,000', 'minutes until the last': await imported() },
	];
	const weights: Array<Record<string, string>> = [];
	for (const size of [100, 1_000, 10_000]) {
		const { size: bytes, ms } = await weight(size);
		weights.push({
			'tasks, all events': size.toLocaleString('en'),
			'static data': `${(bytes / 1000).toFixed(0)} kB`,
			'processor time of a poll': `${ms.toFixed(0)} ms`,
		});
	}
	const text = [table(late), table(crowds), table(imports), table(weights)].join('\n\n');
	if (process.env.FIGURES === 'elsewhere') console.log(text);
	else await writeSection(FILE, 'figures', text);
}, 3_600_000);
