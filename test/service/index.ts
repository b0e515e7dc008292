/* eslint-disable @n8n/community-nodes/no-restricted-imports -- a test server that never runs inside n8n */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Exchange, ServiceState } from './answer';
import { FaultFinder } from './faults';
import { Lag } from './lag';
import type { LoggedRequest } from './requestLog';
import { seedTenant, type SeedOptions } from './seed';
import { createServer } from './server';
import { Store } from './store';
import { changeSwitches, createSwitches, type SwitchChanges, type Switches } from './switches';

export type { RateLimitRule, RetryAfterForm } from './limiter';
export type { Exchange } from './answer';
export type * from './records';
export type { LoggedRequest } from './requestLog';
export type { SeedOptions } from './seed';
export type { Store } from './store';
export type { Fault, SwitchChanges, Switches } from './switches';

export interface ServiceOptions {
	/** Port; 0 (the default) means any free one. */
	port?: number;
	/** Default 127.0.0.1. */
	host?: string;
	/** API key of the tenant `main`; default `demo-key`. */
	apiKey?: string;
	/** Further API keys with their tenants. Each tenant has its own rate limit; all have the same data. */
	keys?: Record<string, string>;
	/** Switches that differ from the defaults. `reset()` returns to them. */
	switches?: SwitchChanges;
	/** Data of the tenant at the start. With false, it has only users, tags and workspaces. */
	seed?: SeedOptions | false;
	/** Clock for records, log, rate limit and Date header, in milliseconds; default Date.now. */
	clock?: () => number;
	/** Runs for each request with its answer, before the answer is delivered. */
	onExchange?: ((exchange: Exchange) => void) | undefined;
}

export interface Service {
	/** Address with the mount path, without a trailing slash, e.g. `http://127.0.0.1:41234`. */
	readonly url: string;
	readonly apiKey: string;
	/** The data; tests may read and change it. */
	readonly store: Store;
	/** Switches; a change applies from the next request on. */
	readonly switches: Switches;
	/** Live log of all requests, oldest first. Set its length to 0 to clear it. */
	readonly requests: LoggedRequest[];
	/** Resets data, switches, log and rate limit. */
	reset(): void;
	/** Closes every connection, including those that a fault holds open. */
	close(): Promise<void>;
}

export const DEFAULT_API_KEY = 'demo-key';

const NOTHING: SeedOptions = { people: 0, tasks: 0, segments: 0 };

/** Returns the initial state of a service, without data. */
export function createState(options: ServiceOptions): ServiceState {
	const { apiKey = DEFAULT_API_KEY, clock = Date.now } = options;
	return {
		store: new Store(),
		switches: createSwitches(options.switches),
		requests: [],
		keys: new Map(Object.entries({ ...options.keys, [apiKey]: 'main' })),
		limits: new Map(),
		faults: new FaultFinder(),
		lag: new Lag(),
		clock,
		onExchange: options.onExchange,
	};
}

/** Starts a service with data, log and rate limit of its own. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
	const { apiKey = DEFAULT_API_KEY, seed = {} } = options;
	const state = createState(options);
	const { store, switches, requests, limits } = state;
	const sow = () => seedTenant(store, seed === false ? NOTHING : seed);
	const reset = () => {
		store.clear();
		sow();
		changeSwitches(switches, createSwitches(options.switches));
		requests.length = 0;
		limits.clear();
		state.faults = new FaultFinder();
		state.lag = new Lag();
	};
	sow();
	const server = createServer(state, { switches, requests, reset });
	server.listen(options.port ?? 0, options.host ?? '127.0.0.1');
	await once(server, 'listening');
	const { address, port } = server.address() as AddressInfo;
	const host = address.includes(':') ? `[${address}]` : address;
	return {
		get url() {
			return `http://${host}:${port}${switches.mountPath}`;
		},
		apiKey,
		store,
		switches,
		requests,
		reset,
		close: async () => {
			server.close();
			server.closeAllConnections();
			await once(server, 'close');
		},
	};
}
