import type { IDataObject } from 'n8n-workflow';
import type { Person, Service } from '../../service';
import { runNode } from '../../engine/support/runNode';
import { lapse, letWritesGrowOld } from '../../engine/support/timeLapse';
import { changeSwitches } from '../../service/switches';
import { populate } from '../judge/world';
import type { ImportCase } from './files';

/** What became of an import. */
export interface Imported {
	/** Each person that the service holds, but for what no row can decide (ids and times). */
	people: string[];
	/** For each row, what the node says that it did; an error's message where it did nothing. */
	said: string[];
	requests: number;
}

const parameters = (matchBy: string, lookUp: string) => ({
	resource: 'person',
	operation: 'upsert',
	matchBy,
	matchValue: '={{ $json.email }}',
	familyName: '={{ $json.familyName }}',
	additionalFields: {
		jobTitle: '={{ $json.job }}',
		tags: '={{ [$json.tag] }}',
		emailAddresses: ['={{ $json.second }}'],
	},
	options: { lookUp },
});

/** A tenant as a case begins, and the node for it. */
export class Importer {
	private readonly tags: string[];

	constructor(
		private readonly service: Service,
		private readonly apiKey: string,
		private readonly drawn: ImportCase,
	) {
		service.reset();
		letWritesGrowOld();
		Reflect.deleteProperty(service.requests, 'push');
		populate(service, drawn.characters, drawn.others);
		changeSwitches(service.switches, { severalValues: drawn.severalValues });
		this.tags = [...service.store.tags.keys()];
	}

	/** Lets the node find out how the service understands several values, as a run before would have. */
	async makeKnown(): Promise<void> {
		const { people } = this.service.store;
		const before = structuredClone([...people]);
		const unknown = Array.from({ length: 6 }, (_, index) => ({
			email: `nobody${index}@else.example`,
			familyName: '',
		}));
		await this.run(unknown, 'together');
		people.clear();
		for (const [id, person] of before) people.set(id, person);
		this.service.requests.length = 0;
	}

	/** Brings rows in one execution, and gives what the node says of each. */
	async run(rows: IDataObject[], lookUp: 'together' | 'each'): Promise<string[]> {
		const { items, errorItems } = await lapse(
			runNode(
				{ url: this.service.url, apiKey: this.apiKey },
				{
					parameters: parameters(this.drawn.matchBy, lookUp),
					input: rows.map((row) => ({ ...row, tag: this.tags[row.tag as number] ?? null })),
					onError: 'continueErrorOutput',
					// So many that nothing waits: this is about what is done, not when.
					credentials: { requestsPerMinute: 1_000_000 },
				},
			),
		);
		const said: string[] = [];
		for (const { json, pairedItem } of [...items, ...errorItems]) {
			const { item } = pairedItem as { item: number };
			said[item] = String(json.result ?? json.error);
		}
		return said;
	}

	/** Brings rows one after the other, each in an execution of its own. */
	async runOneByOne(rows: IDataObject[]): Promise<string[]> {
		const said: string[] = [];
		for (const row of rows) said.push(...(await this.run([row], 'each')));
		return said;
	}

	/** Does something just before a request is answered, counted from 1. */
	before(nth: number, act: () => void): void {
		const { requests } = this.service;
		let count = 0;
		requests.push = (...entries) => {
			if (++count === nth) act();
			return Array.prototype.push.apply(requests, entries);
		};
	}

	/** What another program writes. */
	change(index: number): void {
		const person = this.person(index);
		if (person) this.service.store.people.set(person.id, { ...person, customerId: 'changed' });
	}

	/** What another program removes. */
	remove(index: number): void {
		const person = this.person(index);
		if (person) this.service.store.people.delete(person.id);
	}

	outcome(said: string[]): Imported {
		const people = [...this.service.store.people.values()].map(canonical).sort();
		return { people, said, requests: this.service.requests.length };
	}

	/** A person of the start, by its number, if it is still there. */
	private person(index: number): Person | undefined {
		const name = `Person ${index}`;
		const jansen = `C-${index}`;
		return [...this.service.store.people.values()].find(
			({ familyName, customerId }) => familyName === name || customerId === jansen,
		);
	}
}

/** What no row can decide. */
const NOT_COMPARED = ['id', 'createdAt', 'updatedAt'];

function canonical(person: Person) {
	const compared = Object.entries(person).filter(([name]) => !NOT_COMPARED.includes(name));
	const sorted = compared.map(([name, value]): [string, unknown] => [
		name,
		Array.isArray(value) ? value.map((entry) => JSON.stringify(entry)).sort() : value,
	]);
	return JSON.stringify(Object.fromEntries(sorted));
}
