import type { IDataObject } from 'n8n-workflow';
import { contracts } from '../../../nodes/ContactTaskCrm/schema';
import type { Fault, LoggedRequest, Service, ServiceOptions, Store } from '../../service';
import { startService } from '../../service';
import { connect } from '../../service/client';
import { Lookups } from './lookup';
import { recorder } from './recordExchanges';
import type { NodeResult, NodeSetup } from './runNode';
import { runNode } from './runNode';
import { lapse, letWritesGrowOld, useRealTime, useVirtualTime } from './timeLapse';
import type { Sent } from './wire';
import { asSent } from './wire';

export { items } from './items';

type ResourceName = keyof typeof contracts | 'apiRequest';

const RESOURCES = [...Object.keys(contracts), 'apiRequest'];

/** Runs an operation once for each item of the input, while virtual time passes. */
export type Operate = (
	operation: string,
	parameters?: object,
	setup?: Omit<NodeSetup, 'parameters'>,
) => Promise<NodeResult>;

/** Tables of the service with records that a test changes. */
type Table = 'people' | 'tasks' | 'segments' | 'workspaces';
type RecordOf<T extends Table> = Store[T] extends Map<string, infer R> ? R : never;

/** Equipment of a test of the node in the engine: a service of its own, and virtual time. */
export interface Scene extends Record<ResourceName, Operate> {
	service: Service;
	/** API key of this test. The service counts the requests of each key apart. */
	readonly apiKey: string;
	/** Runs the node to its end while virtual time passes. */
	run(setup: NodeSetup): Promise<NodeResult>;
	/** Lists of the editor, with the key of this test, while virtual time passes. */
	editor: Lookups;
	/** Sets the faults from now on, and removes earlier ones. */
	faults(...faults: Fault[]): void;
	/** Changes a record in the service. Returns the changed record. */
	change<T extends Table>(table: T, id: string, changes: object): RecordOf<T>;
	/** Returns the requests since the test began, or since `clear`. */
	requests(): LoggedRequest[];
	/** Returns those of `requests` that write. */
	writes(): LoggedRequest[];
	/** Returns the only request. Throws if there was none, or more than one. */
	request(): LoggedRequest;
	/** Returns the content of all `requests`, in a form to compare. */
	sent(): Sent[];
	/** Returns a record in the form that the service sends to other clients. */
	record(path: string): Promise<IDataObject>;
	/** Calls `act` just before the answer to the n-th request, counted from 1. A test can change the data then. */
	onRequest(nth: number, act: () => void): void;
	clear(): void;
	/** Lets the node learn the service's time zone from a person, so that it needs no read before it sends a time. */
	showTimes(): Promise<void>;
}

let keys = 0;

/**
 * Sets up a scene for the tests of a `describe`. Each test begins with the seeded data, and with a new key. So no test
 * uses up the rate limit of another test.
 */
export function useScene(options: ServiceOptions = {}): Scene {
	let service: Service;
	let apiKey = '';
	beforeAll(async () => {
		useVirtualTime();
		const all = Object.fromEntries(
			Array.from({ length: 300 }, (_, index) => [`key-${keys + index}`, `tenant-${keys + index}`]),
		);
		service = await startService({
			keys: all,
			onExchange: recorder(() => service.switches),
			...options,
		});
	});
	beforeEach(() => {
		service.reset();
		letWritesGrowOld();
		Reflect.deleteProperty(service.requests, 'push');
		apiKey = `key-${keys++}`;
	});
	afterAll(async () => {
		await service.close();
		useRealTime();
	});
	const requests = () => [...service.requests];
	const run = async (setup: NodeSetup) => await lapse(runNode({ url: service.url, apiKey }, setup));
	const operate =
		(resource: string): Operate =>
		async (operation, parameters, setup) =>
			await run({ ...setup, parameters: { resource, operation, ...parameters } });
	return {
		...(Object.fromEntries(RESOURCES.map((name) => [name, operate(name)])) as Record<
			ResourceName,
			Operate
		>),
		get service() {
			return service;
		},
		get apiKey() {
			return apiKey;
		},
		get editor() {
			return new Lookups({ url: service.url, apiKey }, lapse);
		},
		run,
		faults: (...faults) => {
			service.switches.faults = faults;
		},
		change: (table, id, changes) => {
			const records = service.store[table] as Map<string, object>;
			const changed = { ...records.get(id), ...changes };
			records.set(id, changed);
			return changed as never;
		},
		requests,
		writes: () => requests().filter(({ method }) => method !== 'GET'),
		request: () => {
			const [request, ...others] = requests();
			if (!request || others.length > 0) {
				throw new Error(`Expected one request, saw ${requests().length}`);
			}
			return request;
		},
		sent: () => requests().map((request) => asSent(request, apiKey)),
		record: async (path) => {
			const seen = service.requests.length;
			const { body } = await connect(service)('GET', path, { accept: 'application/ld+json' });
			service.requests.length = seen;
			return body as IDataObject;
		},
		onRequest: (nth, act) => {
			const { requests: log } = service;
			log.push = (...entries) => {
				const count = Array.prototype.push.apply(log, entries);
				if (count === nth) act();
				return count;
			};
		},
		clear: () => {
			service.requests.length = 0;
		},
		showTimes: async () => {
			const operation = { resource: 'person', operation: 'getAll', limit: 1 };
			const { error } = await run({ parameters: operation });
			expect(error).toBeUndefined();
			service.requests.length = 0;
		},
	};
}
