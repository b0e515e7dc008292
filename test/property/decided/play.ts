/* eslint-disable @n8n/community-nodes/no-restricted-globals -- time is virtual here */
import { resultOf, startNode, type NodeResult } from '../../engine/support/runNode';
import { untilDone, useTransport } from '../../engine/support/transport';
import type { Drawn } from './drawn';
import { inputOf, OPERATIONS, type Run } from './operations';
import { WatchedCompany } from './world';

export interface Played {
	company: WatchedCompany;
	/** Results in the order of the runs. */
	results: NodeResult[];
}

let played = 0;

/** Plays the runs beside the colleagues, in virtual time, until all runs have ended. */
export async function play({ known, runs, meanwhile, limit, service }: Drawn): Promise<Played> {
	jest.clearAllTimers();
	const host = `decided${played++}.example`;
	const numbers = Array.from({ length: known }, (_, number) => number);
	const company = new WatchedCompany(host, [host], service, numbers);
	company.onLeaving = (count) => {
		for (const { delayMs, deed } of meanwhile.filter(({ after }) => after === count)) {
			setTimeout(() => company.do(deed), delayMs);
		}
	};
	useTransport(async (request) => {
		const { proxy } = request;
		return await company.answer(typeof proxy === 'object' ? proxy.host : '', request);
	});
	const begin = async (run: Run, at: number) => {
		await new Promise<void>((resolve) => setTimeout(resolve, run.startsAtMs));
		const { operation, rows, lookUp, tellChanges } = run;
		const isUpsert = operation.startsWith('upsert');
		const { execution } = await startNode(
			{ url: `https://${host}`, apiKey: host },
			{
				parameters: {
					...OPERATIONS[operation].parameters,
					options: isUpsert ? { lookUp } : { tellChanges },
					// A request does not tell its run and item. So the test writes both into the setting Proxy, which it does not
					// need, and the company reads them there.
					requestOptions: { proxy: `=http://run-${at}-{{ $itemIndex }}:80` },
				},
				input: rows.map((_, item) =>
					inputOf(run, { run: at, item }, (who) => company.idOf('people', who)),
				),
				onError: 'continueErrorOutput',
				credentials: { requestsPerMinute: limit },
				timezone: 'UTC',
			},
		);
		return resultOf(await execution);
	};
	const results = await untilDone(Promise.all(runs.map(begin)), 48 * 3_600_000);
	return { company, results };
}
