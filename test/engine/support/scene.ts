import type { LoggedRequest, Service, ServiceOptions } from '../../service';
import { startService } from '../../service';
import type { NodeResult, NodeSetup } from './runNode';
import { runNode } from './runNode';
import { lapse, useRealTime, useVirtualTime } from './timeLapse';

export { items } from './items';

/** What a test of the node in the engine has: a service of its own, and virtual time. */
export interface Scene {
	service: Service;
	/** Runs the node to its end while virtual time passes. */
	run(setup: NodeSetup): Promise<NodeResult>;
	/** Requests that the service saw since the scene was set or cleared. */
	requests(): LoggedRequest[];
	/** The one request that the service saw. */
	request(): LoggedRequest;
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
		run: async (setup) => await lapse(runNode({ url: service.url, apiKey }, setup)),
		requests,
		request: () => {
			const [request, ...others] = requests();
			if (!request || others.length > 0) {
				throw new Error(`Expected one request, saw ${requests().length}`);
			}
			return request;
		},
		clear: () => {
			service.requests.length = 0;
		},
	};
}
