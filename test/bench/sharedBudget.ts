/* eslint-disable no-console -- a program that measures, and writes the figures */
import type { Report, Scenario } from '../support/sharedBudget';
import { shareBudget } from '../support/sharedBudget';
import { table, writeSection } from './markdown';

const FILE = 'test/bench/figures.md';
const SEEDS = Array.from({ length: 10 }, (_, index) => 7_919 * (index + 1));
/** Round trips in ms. 300 items fill exactly fifteen windows, so a result with one latency would depend on luck. */
const LATENCIES_MS = [20, 50, 80, 150];
/** Times in ms when a single item comes during a run of 300. Without Retry-After headers, they matter much. */
const ARRIVALS_MS = [63_000, 85_000, 101_000, 137_000, 178_500];
/** Best possible time for 300 items without latency. */
const OPTIMUM_S = { log: 840, 'two-windows': 60 + 3 * (300 - 21) };

const bulk = (processes: number) =>
	Array.from({ length: processes }, (_, index) => ({
		items: 300 / processes,
		process: `process ${index}`,
	}));

const mean = (reports: Report[], of: (report: Report) => number) =>
	reports.reduce((sum, report) => sum + of(report), 0) / reports.length;
const most = (reports: Report[], of: (report: Report) => number) => Math.max(...reports.map(of));

const flat = async (reports: Array<Promise<Report[]>>) => (await Promise.all(reports)).flat();

async function measure(scenario: Omit<Scenario, 'seed'>): Promise<Report[]> {
	return await Promise.all(SEEDS.map(async (seed) => await shareBudget({ ...scenario, seed })));
}

async function bulkRows() {
	const rows = [];
	for (const mode of ['log', 'two-windows'] as const) {
		for (const countRejected of mode === 'log' ? [false, true] : [false]) {
			for (const processes of [3, 10]) {
				const rule = { mode, countRejected };
				const reports = await flat(
					LATENCIES_MS.map(
						async (latencyMs) => await measure({ runs: bulk(processes), rule, latencyMs }),
					),
				);
				const seconds = mean(reports, (report) => report.seconds);
				rows.push({
					limiter: mode === 'log' ? 'sliding log' : 'two windows',
					'refused ones count': countRejected ? 'yes' : 'no',
					processes,
					refused: mean(reports, ({ refused }) => refused).toFixed(1),
					'refused at most': most(reports, ({ refused }) => refused),
					seconds: seconds.toFixed(0),
					'of the optimum': (seconds / OPTIMUM_S[mode]).toFixed(3),
					'at most': (most(reports, (report) => report.seconds) / OPTIMUM_S[mode]).toFixed(3),
					'lost or doubled': most(reports, ({ wrong }) => wrong),
				});
			}
		}
	}
	return rows;
}

async function besideRows() {
	const rows = [];
	for (const countRejected of [false, true]) {
		for (const retryAfter of ['exact', 'floored', 'missing'] as const) {
			const single = await flat(
				ARRIVALS_MS.map(
					async (at) =>
						await measure({
							runs: [
								{ items: 300, process: 'bulk' },
								{ items: 1, process: 'single', at },
							],
							rule: { countRejected },
							retryAfter,
						}),
				),
			);
			const five = await flat(
				ARRIVALS_MS.map(
					async (at) =>
						await measure({
							runs: [
								{ items: 300, process: 'bulk' },
								{ items: 5, process: 'five', at },
							],
							rule: { countRejected },
							retryAfter,
						}),
				),
			);
			const waited = ({ longestWaits }: Report) => longestWaits[1];
			rows.push({
				'refused ones count': countRejected ? 'yes' : 'no',
				'Retry-After': retryAfter,
				'one item waits, s': mean(single, waited).toFixed(1),
				'at most': most(single, waited).toFixed(1),
				'five items take, s': mean(five, waited).toFixed(0),
				'five at most': most(five, waited).toFixed(0),
			});
		}
	}
	return rows;
}

async function aloneRows() {
	const rows = [];
	for (const items of [15, 40, 100, 300, 1_000]) {
		const secondsOf = async (trigger?: string) => {
			const reports = await measure({ runs: [{ items, process: 'alone' }], trigger });
			if (reports.some(({ refused }) => refused > 0)) throw new Error('Refused: HTTP 429');
			return mean(reports, ({ seconds }) => seconds).toFixed(0);
		};
		rows.push({
			items,
			seconds: await secondsOf(),
			'beside a trigger that polls each minute': await secondsOf('alone'),
		});
	}
	return rows;
}

/** Programs that ask evenly, and never ask again after a refusal. */
const PROGRAMS = [
	{ name: '10 a minute', items: 80, other: { requests: 40, everyMs: 6_000 } },
	{ name: '10 a minute', items: 600, other: { requests: 560, everyMs: 6_000 } },
	{ name: '1 a minute', items: 1_000, other: { requests: 45, everyMs: 60_000, at: 23_000 } },
];

async function programRows() {
	const rows = [];
	for (const { name, items, other } of PROGRAMS) {
		const refused = async (trigger?: string) => {
			const reports = await measure({ runs: [{ items, process: 'bulk' }], other, trigger });
			const share = mean(reports, ({ othersRefused }) => othersRefused) / other.requests;
			return `${(100 * share).toFixed(1)} %`;
		};
		rows.push({
			'another program': name,
			'beside a run of': items,
			refused: await refused(),
			'refused, with a trigger': await refused('bulk'),
		});
	}
	return rows;
}

async function main() {
	await writeSection(FILE, 'alone', table(await aloneRows()));
	await writeSection(FILE, 'programs', table(await programRows()));
	await writeSection(FILE, 'processes', table(await bulkRows()));
	await writeSection(FILE, 'beside', table(await besideRows()));
	console.log(`${FILE} is written`);
}

void main();
