import { sleep } from 'n8n-workflow';
import type { ErrorCode } from '../../nodes/ContactTaskCrm/util/codes';
import { sampled } from '../support/drawn';
import { GivenCredentials } from './support/credentials';
import { refusal } from './support/faults';
import { locator } from './support/fields';
import { OPERATIONS } from './support/requests';
import { excuse } from './support/recordExchanges';
import type { NodeSetup, OnError } from './support/runNode';
import { runNode } from './support/runNode';
import { items, useScene } from './support/scene';
import { PEOPLE, WORKSPACES } from './support/seeded';
import { lapse } from './support/timeLapse';

/*
 * A workflow tests the code of an error: `details.code` of a failed item, `context.code` of an error that ends the run.
 */
const scene = useScene();
const [{ id, emailAddresses }, second] = PEOPLE;
const [{ email }] = emailAddresses;

/** A way to fail, with what happens before. */
interface Case extends NodeSetup {
	/** Prepares the service. May return a run that is under way. */
	before?: () => Promise<{ other: Promise<unknown> }> | void;
}

const fail = { whenRateLimited: 'fail' };
const update = (further: object) => ({ parameters: { ...OPERATIONS.PATCH, ...further } });
const get = (personId: object) => ({ parameters: { ...OPERATIONS.GET, personId } });
const moveTo = (title: string, options = {}) => ({
	parameters: {
		...{ resource: 'task', operation: 'create', title: 'x', status: locator(title), options },
	},
});

/** For each code, ways to fail. */
const CASES: Record<ErrorCode, Record<string, Case>> = {
	'unusable-value': {
		'a mistyped ID': get(locator('a/b')),
		'an empty key in the credential': { ...get(locator(id)), credentials: { apiKey: '' } },
		'a mistyped address beside an unknown tag': {
			parameters: {
				...OPERATIONS.POST,
				...{ email: 'nope', additionalFields: { tags: ['No such tag'] } },
			},
		},
	},
	'not-found': {
		'an ID of no record': get(locator('gone')),
		'an address of nobody': get({ __rl: true, mode: 'email', value: 'nobody@mail.example' }),
		'a title of no column': moveTo('No such column'),
	},
	'several-match': {
		'an address of two people': {
			...get({ __rl: true, mode: 'email', value: email }),
			before: () => void scene.change('people', second.id, { emailAddresses }),
		},
		'a title of two columns': {
			...moveTo('The same'),
			before: () => {
				for (const { id: own, columns } of WORKSPACES.slice(0, 2)) {
					const same = columns.map((column) => ({ ...column, title: 'The same' }));
					scene.change('workspaces', own, { columns: same });
				}
			},
		},
	},
	refused: {
		'HTTP 422': { ...update({}), before: () => scene.faults(refusal(422, { method: 'PATCH' })) },
	},
	moved: {
		'a change that nobody has approved': update({ options: { approvedChanges: {} } }),
	},
	'not-allowed': {
		'a wrong key': { ...get(locator(id)), credentials: { apiKey: 'no-such-key' } },
		'HTTP 403': { ...get(locator(id)), before: () => scene.faults(refusal(403)) },
	},
	'rate-limited': {
		'HTTP 429': { ...update({ options: fail }), before: () => scene.faults(refusal(429)) },
		'HTTP 429 for the lookup of a column title': {
			...moveTo('No such column', fail),
			before: () => scene.faults(refusal(429)),
		},
	},
	'not-sent': {
		'a person whom another run is changing': {
			...update({ options: fail }),
			input: items(2, () => ({})),
			before: async () => {
				scene.faults({ kind: 'slow', match: { method: 'PATCH', nth: 1 } });
				const access = { url: scene.service.url, apiKey: scene.apiKey };
				const other = runNode(access, update({}));
				await lapse(sleep(2_000));
				return { other };
			},
		},
	},
	unavailable: {
		'HTTP 503': { ...get(locator(id)), before: () => scene.faults(refusal(503)) },
		'a closed port': { ...get(locator(id)), credentials: { baseUrl: 'http://127.0.0.1:9' } },
	},
	uncertain: {
		'a create without an answer': {
			parameters: OPERATIONS.POST,
			before: () => scene.faults({ kind: 'reset', stored: true }),
		},
		'HTTP 503 for a create': {
			parameters: OPERATIONS.POST,
			before: () => scene.faults(refusal(503)),
		},
	},
	unreadable: {
		'an empty answer': {
			...get(locator(id)),
			before: () => scene.faults({ kind: 'status', status: 200 }),
		},
	},
	unsupported: {
		'an endpoint that the service lacks': {
			parameters: { resource: 'apiRequest', operation: 'send', method: 'GET', path: '/nothing' },
			before: () => void excuse('requests', 'a user writes the whole request'),
		},
	},
	unexpected: {
		'a credential that n8n cannot decrypt again': {
			...get(locator(id)),
			before: () => {
				const decrypted = jest.spyOn(GivenCredentials.prototype, 'getDecrypted');
				// The engine reads the credential first, and then the node.
				decrypted.mockResolvedValueOnce({ baseUrl: scene.service.url, apiKey: scene.apiKey });
				decrypted.mockRejectedValueOnce(new Error('Credentials could not be decrypted'));
			},
		},
	},
};

const WAYS = Object.entries(CASES).flatMap(([code, ways]) =>
	Object.entries(ways).map(([name, way]) => [code, name, way] as const),
);

afterEach(() => jest.restoreAllMocks());

async function failed({ before, ...setup }: Case, onError: OnError) {
	const begun = await before?.();
	const result = await scene.run({ ...setup, onError });
	if (begun) await lapse(begun.other);
	return result;
}

describe('the code of an error', () => {
	it.each(sampled(WAYS, 4))('A failed item has the code %s after %s', async (code, _, way) => {
		const { errorItems } = await failed(way, 'continueErrorOutput');
		const [{ json }] = errorItems;
		const { details } = json as { details: object };
		expect(Object.keys(details)[0]).toBe('code');
		expect(details).toMatchObject({ code });
	});

	it.each(sampled(WAYS, 4))(
		'The error that ends a run has the code %s after %s',
		async (code, _, way) => {
			const { run } = await failed(way, 'stopWorkflow');
			// n8n saves the error of an execution as JSON, and gives it to the error workflow.
			const { error } = JSON.parse(JSON.stringify(run.data.resultData));
			expect(error.context).toMatchObject({ code });
		},
	);
});
