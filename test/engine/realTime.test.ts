import type { Service } from '../service';
import { startService } from '../service';
import type { Fault } from '../service/switches';
import { items } from './support/items';
import { OPERATIONS } from './support/requests';
import type { NodeSetup } from './support/runNode';
import { runNode } from './support/runNode';

/*
 * In real time, since what decompresses an answer, or delays it, does so beside the clock of a test.
 */
let service: Service;

beforeEach(async () => {
	service = await startService();
});
afterEach(async () => {
	await service.close();
});

async function run(faults: Fault[], setup: NodeSetup) {
	service.switches.faults = faults;
	return await runNode(service, setup);
}

describe('an answer of a few bytes that are 100 MB', () => {
	const bomb: Fault[] = [{ kind: 'broken', how: 'gzip-bomb' }];
	const cause = 'Cause: the answer is larger than 20 MB (ANSWER_TOO_LARGE)';

	it('is not read to its end by a list', async () => {
		const { error } = await run(bomb, { parameters: OPERATIONS.list });
		expect(error?.message).toBe('The answer of the service cannot be read');
		expect(error?.description).toContain(cause);
		expect(service.requests).toHaveLength(1);
	});

	it('leaves it open whether a POST took effect, and sends no second one', async () => {
		const { error } = await run(bomb, { parameters: OPERATIONS.POST });
		expect(error?.description).toContain('Whether it took effect is not known');
		expect(error?.description).toContain(cause);
		expect(service.requests).toHaveLength(1);
	});
});

describe('a run that stops while another request is under way', () => {
	it('waits for an answer that comes within seconds, so that it is known what was done', async () => {
		const faults: Fault[] = [
			{ kind: 'status', status: 422, body: 'json', match: { nth: 1 } },
			{ kind: 'slow', afterMs: 1_500, match: { nth: 2 } },
		];
		const { error } = await run(faults, {
			parameters: { resource: 'person', operation: 'create', familyName: '={{ $json.name }}' },
			input: items(10, (index) => ({ name: `Person ${index}` })),
		});
		expect(error?.message).toContain('(1 of 10 items done, 8 not sent)');
		expect(service.requests).toHaveLength(2);
	});
});
