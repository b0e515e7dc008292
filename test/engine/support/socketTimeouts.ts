/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- drives the time-outs of sockets, which know of no virtual time */
import { ClientRequest } from 'node:http';

/** From here on, a request that is not answered times out in virtual time. */
export function useVirtualTimeouts(): void {
	beforeEach(() => {
		jest.spyOn(ClientRequest.prototype, 'setTimeout').mockImplementation(function (
			this: ClientRequest,
			ms: number,
			onTimeout?: () => void,
		) {
			if (ms > 0 && onTimeout) {
				const timer = setTimeout(onTimeout, ms);
				this.once('close', () => clearTimeout(timer));
			}
			return this;
		});
	});
	afterEach(() => {
		jest.restoreAllMocks();
	});
}
