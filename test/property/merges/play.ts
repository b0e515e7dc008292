/* eslint-disable @n8n/community-nodes/no-restricted-globals -- time is virtual here */
import type { IDataObject } from 'n8n-workflow';
import { resultOf, startNode } from '../../engine/support/runNode';
import { untilDone, useTransport } from '../../engine/support/transport';
import { blankPerson } from '../../service/resources/people';
import { uuidOf } from '../../service/store';
import { COLLEAGUES_TAGS, Company } from '../overlaps/company';
import { type DrawnChange, type DrawnMerge, EMAILS, NAMES, NETWORKS, PHONES } from './drawn';

const AT = '2026-01-05T09:00:00+00:00';

export type Stored = ReturnType<Company['store']['people']['get']> & object;
type People = Map<string, Stored>;

/** A request, with all people right before and right after it took effect. */
export interface Step {
	run: number;
	method: string;
	path: string;
	body: IDataObject;
	status: number | undefined;
	before: People;
	after: People;
}

export interface PlayedMerge {
	ids: string[];
	start: People;
	steps: Step[];
	/** Message and advice of the error of each run; undefined if it succeeded. */
	errors: Array<string | undefined>;
	/** Changes that colleagues made. */
	made: DrawnChange[];
}

let companies = 0;

const spellingOf = (table: string[][], { value, spelling }: { value: number; spelling: number }) =>
	table[value]![spelling % table[value]!.length]!;

/** Plays a merge twice. The first run may be cancelled; in the second, no colleague is at work and nothing fails. */
export async function play(drawn: DrawnMerge): Promise<PlayedMerge> {
	const url = `https://merges${companies++}.example`;
	const switches = { faults: structuredClone(drawn.faults) };
	const company = new Company(url, ['key'], {
		...{ limit: drawn.limit, latencyMs: [25, 25], timeOfChange: 'whole seconds', switches },
	});
	const { people } = company.store;
	people.clear();
	const ids = drawn.people.map((one, position) => {
		const id = uuidOf(`${url} ${position}`);
		people.set(id, {
			...blankPerson(id, AT),
			...NAMES[one.name],
			jobTitle: one.jobTitle,
			networkId: one.network === null ? null : NETWORKS[one.network]!,
			emailAddresses: one.emails.map((email) => ({ email: spellingOf(EMAILS, email) })),
			phoneNumbers: one.phones.map((phone) => {
				return { phoneNumber: spellingOf(PHONES, phone), phoneType: 'mobile' };
			}),
			tags: one.tags.map((tag) => COLLEAGUES_TAGS[tag]!),
			archivedAt: one.isArchived ? AT : null,
		});
		return id;
	});
	const start: People = new Map(people);
	const steps: Step[] = [];
	const made: DrawnChange[] = [];
	let run = 0;
	useTransport(async (request) => {
		const changes = drawn.changes.filter(({ beforeRequest }) => beforeRequest === steps.length + 1);
		for (const change of run === 0 ? changes : []) {
			made.push(change);
			apply(change, people, ids[change.who]!);
		}
		const { method = 'GET', body } = request;
		const step: Step = {
			...{ run, method, path: new URL(request.url).pathname, status: undefined },
			body: body ? (JSON.parse(String(body)) as IDataObject) : {},
			before: new Map(people),
			after: new Map(people),
		};
		steps.push(step);
		try {
			const answer = await company.answer('', request);
			step.status = answer.statusCode;
			return answer;
		} finally {
			step.after = new Map(people);
		}
	});
	const from = drawn.from.map((position) => ids[position]!);
	const begin = async () => {
		const { execution } = await startNode(
			{ url, apiKey: 'key' },
			{
				parameters: {
					...{ resource: 'person', operation: 'merge' },
					personId: { __rl: true, mode: 'id', value: ids[0] },
					mergeFrom: drawn.isFromText ? from.join(', ') : `={{ ${JSON.stringify(from)} }}`,
					options: {
						...(drawn.mustShare ? {} : { onlyIfTheyShare: false }),
						...(drawn.mayDiffer ? { whenNameDiffers: 'update' } : {}),
					},
				},
				credentials: { requestsPerMinute: drawn.limit },
			},
		);
		if (run === 0 && drawn.cancelAfterMs !== undefined) {
			setTimeout(() => execution.cancel(), drawn.cancelAfterMs);
		}
		return resultOf(await execution);
	};
	const errors: PlayedMerge['errors'] = [];
	for (run = 0; run < 2; run++) {
		const { error, items } = await untilDone(begin());
		const isEnded = error === undefined && items.length > 0;
		errors.push(isEnded ? undefined : `${error?.message}. ${error?.description}`);
		company.endFaults();
	}
	return { ids, start, steps, errors, made };
}

function apply({ what, value }: DrawnChange, people: People, id: string): void {
	const person = people.get(id)!;
	const { emailAddresses, phoneNumbers, tags } = person;
	const changes = {
		email: { emailAddresses: [...emailAddresses, { email: `late${value}@x.example` }] },
		phone: {
			phoneNumbers: [...phoneNumbers, { phoneNumber: `+3165555000${value}`, phoneType: 'work' }],
		},
		tag: { tags: [...new Set([...tags, COLLEAGUES_TAGS[value + 2]!])] },
		noEmail: { emailAddresses: emailAddresses.slice(1) },
		name: NAMES[3]!,
		archive: { archivedAt: AT },
		job: { jobTitle: 'Colleague' },
	}[what];
	people.set(id, { ...person, ...(changes as object) });
}
