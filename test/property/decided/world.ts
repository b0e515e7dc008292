/* eslint-disable @n8n/community-nodes/no-restricted-globals -- time is virtual here */
import type { IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';
import type { Person } from '../../service/records';
import { isCarriedOut } from '../../service/faults';
import { blankPerson } from '../../service/resources/people';
import { formatTimestamp } from '../../service/timestamps';
import { answerFrom } from '../../engine/support/transport';
import { Company, emailOf, ENTRIES } from '../overlaps/company';

/** A list of a person. The interface replaces it as a whole. */
export type List = 'tags' | 'segments' | 'emailAddresses' | 'phoneNumbers';
export const LISTS: List[] = ['tags', 'segments', 'emailAddresses', 'phoneNumbers'];

/** A deed of a colleague in the CRM itself. People and entries are numbers. */
export type Deed =
	/** Gives the address of one person to another, and takes it from everybody else. */
	| { kind: 'move'; who: number; to: number }
	| { kind: 'add' | 'remove'; who: number; list: List; entry: number }
	| { kind: 'field'; who: number }
	| { kind: 'archive' | 'unarchive'; who: number }
	/** Creates a person with an address, if nobody has it. */
	| { kind: 'create'; who: number };

/** A change of one person, in the order of the changes. */
export interface Happened {
	/** Place in the order of all changes and requests. */
	order: number;
	at: number;
	/** Number of the run; undefined for a colleague. */
	run?: number | undefined;
	/** Absent if the change created the person. */
	before?: Person | undefined;
	after: Person;
}

/** A request of an item. Times are in ms since 1970. */
export interface Sent {
	run: number;
	item: number;
	method: string;
	path: string;
	/** Values in the query, as sent. A lookup asks for each spelling of an address. */
	asked: string[];
	body: Record<string, unknown>;
	leftAt: number;
	/** Place in the order of all changes and requests, by the time of their effect. Infinity before the effect. */
	order: number;
	effectAt: number;
	/** Time of the answer; Infinity if no answer came. */
	answeredAt: number;
	/** Whether the request changed a person. */
	stored: boolean;
	/** Person after a write that was carried out. */
	written?: Person | undefined;
	/** People in the answer to a read, by ID. Absent if the answer did not show the whole result. */
	shown?: Map<string, Person> | undefined;
}

/** Entry of a list by number, in the form of the service. */
const ENTRY: Record<List, (entry: number, who: number) => unknown> = {
	tags: (entry) => ENTRIES.tags[entry],
	segments: (entry) => ENTRIES.segments[entry],
	emailAddresses: (entry, who) => ({ email: extraEmailOf(entry, who) }),
	phoneNumbers: (entry) => ({ phoneNumber: numberOf(entry), phoneType: 'work' }),
};
export const extraEmailOf = (entry: number, who: number) => `extra${entry}.of${who}@crm.example`;
export const numberOf = (entry: number) => `+3161234560${entry}`;

/** Returns the entries of a list in a form that can be compared. */
export function keysIn(person: Partial<Person> | undefined, list: List): string[] {
	const entries: unknown[] = person?.[list] ?? [];
	return entries.map((entry) => keyOf(entry));
}

export function keyOf(entry: unknown): string {
	const { email, phoneNumber } = entry as { email?: string; phoneNumber?: string };
	return (email ?? phoneNumber ?? String(entry)).trim().toLowerCase();
}

/** A company that records all its requests and changes. Its colleagues can change people between any two requests. */
export class WatchedCompany extends Company {
	readonly sent: Sent[] = [];

	/** All changes, from the people at the start. */
	readonly happened: Happened[] = [...this.store.people.values()].map((after) => ({
		...{ order: 0, at: -Infinity, after },
	}));

	/** Runs when a request has left. */
	onLeaving: (count: number) => void = () => undefined;

	private order = 0;

	override async answer(name: string, request: IHttpRequestOptions): Promise<IN8nHttpFullResponse> {
		const [, run, item] = name.split('-').map(Number);
		const sent: Sent = {
			...{ run, item, method: request.method ?? 'GET', path: '', asked: [], body: {} },
			...{ leftAt: Date.now(), order: Infinity, effectAt: Infinity, answeredAt: Infinity },
			stored: false,
		};
		this.sent.push(sent);
		this.onLeaving(this.sent.length);
		const { people } = this.store;
		const [wait, back] = this.traits.latencyMs;
		// `before` has to show the people right before the request takes effect. So the way of the request passes here.
		await new Promise<void>((resolve) => setTimeout(resolve, wait));
		const before = sent.method === 'GET' ? people : new Map(people);
		let shown: Sent['shown'];
		const response = await answerFrom(this.state, request, [0, back], (entry, answer) => {
			const { path, query, body, stored } = entry;
			const asked = Object.values(query).flat();
			const order = ++this.order;
			Object.assign(sent, { path, asked, body: body ?? {}, stored, order, effectAt: Date.now() });
			const isWhole = answer.status === 200 && entry.fault === undefined;
			if (sent.method === 'GET' && isWhole) shown = peopleIn(answer.body ?? '');
			if (sent.method === 'GET') return;
			for (const [id, after] of people) {
				const was = before.get(id);
				if (was !== after) this.happened.push({ order, at: Date.now(), run, before: was, after });
				// The service may have carried out a write that changed nothing.
				if (was !== after || (path.endsWith(id) && isCarriedOut(answer.fault))) {
					sent.written = after;
				}
			}
		});
		sent.answeredAt = Date.now();
		sent.shown = shown;
		return response;
	}

	do(deed: Deed): void {
		const { store } = this;
		const change = (id: string, changes: (person: Person) => Partial<Person>) => {
			const before = store.people.get(id);
			if (!before) return;
			const isTimed = this.traits.timeOfChange === 'whole seconds';
			const at = isTimed ? { updatedAt: formatTimestamp(Date.now()) } : {};
			const after = { ...before, ...changes(before), ...at };
			store.people.set(id, after);
			this.happened.push({ order: ++this.order, at: Date.now(), before, after });
		};
		this.state.lag.beforeWrite(store, Date.now());
		const id = this.idOf('people', deed.who);
		const email = emailOf(deed.who);
		switch (deed.kind) {
			case 'move':
				for (const person of this.peopleWith(email)) {
					change(person.id, ({ emailAddresses }) => ({
						emailAddresses: emailAddresses.filter((entry) => keyOf(entry) !== email),
					}));
				}
				return change(this.idOf('people', deed.to), ({ emailAddresses }) => ({
					emailAddresses: [...emailAddresses, { email }],
				}));
			case 'add':
			case 'remove': {
				const { list, entry, who, kind } = deed;
				const own = ENTRY[list](entry, who);
				return change(id, (person) => {
					const others = (person[list] as unknown[]).filter((one) => keyOf(one) !== keyOf(own));
					return { [list]: kind === 'add' ? [...others, own] : others };
				});
			}
			case 'field':
				return change(id, () => ({ jobTitle: `of a colleague ${this.order}` }));
			case 'archive':
			case 'unarchive': {
				const archivedAt = deed.kind === 'archive' ? formatTimestamp(Date.now()) : null;
				return change(id, () => ({ archivedAt }));
			}
			case 'create': {
				if (this.peopleWith(email).length > 0) return;
				const now = formatTimestamp(Date.now());
				const own = { familyName: 'Of a colleague', emailAddresses: [{ email }] };
				const after = { ...blankPerson(store.newId('people'), now), ...own };
				store.people.set(after.id, after);
				this.happened.push({ order: ++this.order, at: Date.now(), after });
			}
		}
	}
}

/** Returns the people in the body of an answer. */
function peopleIn(body: string): Map<string, Person> {
	const answer = JSON.parse(body) as { member?: Person[] } & Partial<Person>;
	const people = answer.member ?? (answer.emailAddresses ? [answer as Person] : []);
	return new Map(people.map((person) => [person.id, person]));
}
