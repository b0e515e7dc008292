import type { FastifyInstance } from 'fastify';
import type { LoggedRequest } from './requestLog';
import { changeSwitches, checkSwitches, type SwitchChanges, type Switches } from './switches';

/** What can be done to a running service from outside. */
export interface Control {
	readonly switches: Switches;
	readonly requests: LoggedRequest[];
	/** Back to the start: data, switches, log and rate limit. */
	reset: () => void;
}

/**
 * The endpoints under `/_control`, for programs that do not share the process. They need no key
 * and take no place in the rate limit or the log.
 */
export function registerControl(scope: FastifyInstance, control: Control): void {
	scope.get('/switches', async () => control.switches);
	scope.put('/switches', async (request, reply) => {
		const errors = checkSwitches(request.body);
		if (errors.length > 0) {
			const messages = errors.map(({ instancePath, message }) => `${instancePath} ${message}`);
			return await reply.code(400).send({ message: messages.join('; ') });
		}
		changeSwitches(control.switches, request.body as SwitchChanges);
		return control.switches;
	});
	scope.get('/requests', async () => control.requests);
	scope.delete('/requests', async (_request, reply) => {
		control.requests.length = 0;
		return await reply.code(204).send();
	});
	scope.post('/reset', async (_request, reply) => {
		control.reset();
		return await reply.code(204).send();
	});
}
