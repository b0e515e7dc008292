import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { CrmTenant } from './support/crmTenant';
import type { TriggerSetup } from './support/openTenant';
import { closeTenant, openTenant, OpenTrigger } from './support/openTenant';

const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;
const CHANGES_AN_HOUR = 20;

afterEach(closeTenant);

const column = (workspace: string, name: number) => `/workspaces/${workspace}/columns/${name}`;
const byId = (value: string) => ({ __rl: true, mode: 'id', value });

/** The records that stay. */
interface Place {
	segment: string;
	workspace: string;
}

interface Case {
	what: string;
	parameters: (on: Place) => INodeParameters;
	/** The records that change, and what may become of one. */
	path: '/people' | '/tasks';
	change: (tenant: CrmTenant, on: Place) => IDataObject;
}

const joinsOrLeaves: Case['change'] = ({ random }, { segment }) => ({
	segments: random() < 0.5 ? [`/segments/${segment}`] : [],
});

const moves: Case['change'] = ({ random }, { workspace }) => ({
	status: column(workspace, Math.floor(random() * 4)),
});

const segmentEvents = (...events: string[]) =>
	(({ segment }) => ({ watch: 'segment', events, segmentId: byId(segment) })) as Case['parameters'];

const CASES: Case[] = [
	{
		what: 'who joins or leaves a segment',
		parameters: segmentEvents('personAddedToSegment', 'personRemovedFromSegment'),
		path: '/people',
		change: joinsOrLeaves,
	},
	{
		what: 'who joins a segment',
		parameters: segmentEvents('personAddedToSegment'),
		path: '/people',
		change: joinsOrLeaves,
	},
	{
		what: 'tasks moved into one column',
		parameters: ({ workspace }) => ({
			watch: 'tasks',
			events: ['taskMoved'],
			filters: { status: { __rl: true, mode: 'id', value: column(workspace, 1) } },
		}),
		path: '/tasks',
		change: moves,
	},
	{
		what: 'people with a tag that are updated',
		parameters: () => ({
			watch: 'people',
			events: ['personCreated', 'personUpdated'],
			filters: { tagsId: ['/tags/1'] },
		}),
		path: '/people',
		change: ({ random }) => ({ tags: random() < 0.5 ? ['/tags/1'] : [] }),
	},
];

/** A day of changes at times without a pattern: executions with items, and without. */
async function executionsOfADay(
	{ parameters, path, change }: Case,
	host: TriggerSetup['host'],
	hours: number,
) {
	const tenant = openTenant({ order: 'changedFirst', seed: 3 });
	const on: Place = {
		workspace: tenant.create('/workspaces', { title: 'Sales' }),
		segment: tenant.create('/segments', { title: 'Newsletter' }),
	};
	const ids = Array.from({ length: 300 }, () => tenant.create(path, change(tenant, on)));
	tenant.passTo(tenant.now + MINUTE_MS);
	const trigger = new OpenTrigger(tenant, parameters(on), { host });
	const start = tenant.now;
	let at = start;
	const end = start + hours * HOUR_MINUTES * MINUTE_MS;
	while (at < end) {
		at -= Math.log(1 - tenant.random()) * (60 / CHANGES_AN_HOUR) * MINUTE_MS;
		const id = ids[Math.floor(tenant.random() * ids.length)];
		tenant.schedule(at, () => tenant.change(path, id, change(tenant, on)));
	}
	let withItems = 0;
	let without = 0;
	for (let minute = 0; minute < hours * HOUR_MINUTES; minute++) {
		const { items, failure } = await trigger.poll(tenant.now + MINUTE_MS);
		expect(failure).toBeUndefined();
		if (items?.length === 0) without++;
		else if (items) withItems++;
	}
	return { withItems, without };
}

describe('20 changes an hour for a day, at times without a pattern', () => {
	it.each(CASES)('$what: at most one execution without items in ten', async (given) => {
		const { withItems, without } = await executionsOfADay(given, 'inMemory', 24);
		expect(withItems).toBeGreaterThan(10);
		expect(without).toBeLessThanOrEqual(withItems / 10);
	});

	it.each(CASES)('$what: none without items where n8n saves by itself', async (given) => {
		const { withItems, without } = await executionsOfADay(given, 'durableCursors', 4);
		expect(withItems).toBeGreaterThan(10);
		expect(without).toBe(0);
	});
});

/** Executions without items of a trigger on a segment that n8n saves by itself, polled every five minutes. */
async function withoutItems(
	perPoll: (given: { tenant: CrmTenant; segment: string; ids: string[]; poll: number }) => void,
): Promise<number> {
	const tenant = openTenant({ order: 'changedFirst' });
	const segment = tenant.create('/segments', { title: 'Newsletter' });
	const segments = [`/segments/${segment}`];
	const ids = Array.from({ length: 20 }, () => tenant.create('/people', { segments }));
	tenant.passTo(tenant.now + MINUTE_MS);
	const trigger = new OpenTrigger(
		tenant,
		{ watch: 'segment', events: ['personAddedToSegment'], segmentId: byId(segment) },
		{ host: 'durableCursors' },
	);
	let without = 0;
	for (let poll = 0; poll < 24; poll++) {
		tenant.failure = undefined;
		perPoll({ tenant, segment, ids, poll });
		const { items } = await trigger.poll(tenant.now + 5 * MINUTE_MS);
		if (items?.length === 0) without++;
	}
	return without;
}

describe('where n8n saves by itself, polled every five minutes, none without items', () => {
	const leave = ({ tenant, ids }: { tenant: CrmTenant; ids: string[] }) => {
		tenant.change('/people', ids.pop()!, { segments: [] });
	};

	it('while the first polls have items, which do not show who saved', async () => {
		const without = await withoutItems((given) => {
			const { tenant, segment, poll } = given;
			if (poll > 0 && poll < 4)
				tenant.create('/people', { segments: [`/segments/${segment}`], jobTitle: 'new' });
			if (poll === 3) leave(given);
		});
		expect(without).toBe(0);
	});

	it('after a poll that failed, which n8n does not save', async () => {
		const without = await withoutItems((given) => {
			const { tenant, poll } = given;
			if (poll === 11) leave(given);
			// Who was not seen is asked for, and read by the poll after.
			if (poll === 12) tenant.failure = () => 500;
		});
		expect(without).toBe(0);
	});
});
