import type { IDataObject } from 'n8n-workflow';
import type { LoggedRequest, Service, ServiceOptions } from '../../service';
import { startService } from '../../service';
import { connect } from '../../service/client';
import type { NodeResult, NodeSetup } from './runNode';
import { runNode } from './runNode';
import { lapse, useRealTime, useVirtualTime } from './timeLapse';
import type { Sent } from './wire';
import { asSent } from './wire';

export { items } from './items';

/** What a test of the node in the engine has: a service of its own, and virtual time. */
export interface Scene {
	service: Service;
	/** The key of this test, which has a budget of its own. */
	readonly apiKey: string;
	/** Runs the node to its end while virtual time passes. */
	run(setup: NodeSetup): Promise<NodeResult>;
	/** Requests that the service saw since the scene was set or cleared. */
	requests(): LoggedRequest[];
	/** The one request that the service saw. */
	request(): LoggedRequest;
	/** All that these requests said. */
	sent(): Sent[];
	/** A record as the service shows it to a client of its own. */
	record(path: string): Promise<IDataObject>;
	/** Does something to the data just before the n-th request is answered, counted from 1. */
	onRequest(nth: number, act: () => void): void;
	clear(): void;
}

let keys = 0;

/**
 * Sets a scene for the tests of a `describe`. Each test has a key of its own, and so a budget of
 * its own on either side, and the data as seeded.
 */
export function useScene(options: ServiceOptions = {}): Scene {
	let service: Service;
	let apiKey = '';
	beforeAll(async () => {
		useVirtualTime();
		const all = Object.fromEntries(
			Array.from({ length: 200 }, (_, index) => [`key-${keys + index}`, `tenant-${keys + index}`]),
		);
		service = await startService({ keys: all, ...options });
	});
	beforeEach(() => {
		service.reset();
		Reflect.deleteProperty(service.requests, 'push');
		apiKey = `key-${keys++}`;
	});
	afterAll(async () => {
		await service.close();
		useRealTime();
	});
	const requests = () => [...service.requests];
	return {
		get service() {
			return service;
		},
		get apiKey() {
			return apiKey;
		},
		run: async (setup) => await lapse(runNode({ url: service.url, apiKey }, setup)),
		requests,
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
	};
}
