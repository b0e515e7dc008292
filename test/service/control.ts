import type { LoggedRequest } from './requestLog';
import { changeSwitches, checkSwitches, type SwitchChanges, type Switches } from './switches';

/** Ways to control a running service from outside. */
export interface Control {
	readonly switches: Switches;
	readonly requests: LoggedRequest[];
	/** Resets data, switches, log and rate limit. */
	reset: () => void;
}

/** The answer to a request that controls the service; undefined for any other request. */
type Controlled = { status: number; body?: unknown } | undefined;

/**
 * Answers the endpoints under `/_control`, for programs in other processes. They need no key, and do not count in the
 * rate limit or the log.
 */
export function answerControl(
	{ switches, requests, reset }: Control,
	{ method, url, text }: { method: string; url: string; text: string },
): Controlled {
	const endpoints: Record<string, () => Controlled> = {
		'GET /_control/switches': () => ({ status: 200, body: switches }),
		'PUT /_control/switches': () => {
			const changes = JSON.parse(text) as SwitchChanges;
			const wrong = checkSwitches(changes).map((one) => `${one.instancePath} ${one.message}`);
			if (wrong.length > 0) return { status: 400, body: { message: wrong.join('; ') } };
			changeSwitches(switches, changes);
			return { status: 200, body: switches };
		},
		'GET /_control/requests': () => ({ status: 200, body: requests }),
		'DELETE /_control/requests': () => {
			requests.length = 0;
			return { status: 204 };
		},
		'POST /_control/reset': () => {
			reset();
			return { status: 204 };
		},
	};
	return endpoints[`${method} ${url}`]?.();
}
