import { columnIri, iriOf } from '../iris';
import type { NamedRecord, Workspace } from '../records';
import type { Store } from '../store';
import { random, timeOf } from './random';

const USERS = 5;
const TAGS = [
	'Customer',
	'Lead',
	'Partner',
	'Press',
	'VIP',
	'Naïve – “quoted”',
	'Überfällig',
	'🔥 Hot',
];
const ORGANIZATIONS = 6;
const FILES = 4;
const SEGMENTS = ['Newsletter', 'Customers', 'Prospects', 'Événements 2025', 'Partners 🤝'];

const COLUMNS = {
	deal: ['Lead', 'Qualified', 'Proposal', 'Won', 'Lost'],
	task: ['To do', 'Doing', 'Waiting', 'Done'],
};

const WORKSPACES: Array<
	Pick<Workspace, 'title' | 'description' | 'emoji' | 'archivedAt'> & { type: 'deal' | 'task' }
> = [
	{ type: 'deal', title: 'Sales', description: 'Every open deal', emoji: '💶', archivedAt: null },
	{
		type: 'task',
		title: 'Support',
		description: 'Questions of customers',
		emoji: '🛟',
		archivedAt: null,
	},
	{ type: 'task', title: 'Onboarding', description: null, emoji: null, archivedAt: null },
	{
		type: 'deal',
		title: 'Sales 2024',
		description: 'Closed at the end of the year',
		emoji: null,
		archivedAt: timeOf(1, 10),
	},
];

const add = (records: Map<string, NamedRecord>, record: NamedRecord) =>
	records.set(record.id, record);

function addUsers(store: Store): void {
	for (let index = 0; index < USERS; index += 1) {
		const givenName = random.person.firstName();
		const familyName = random.person.lastName();
		const email = random.internet.email({
			firstName: givenName,
			lastName: familyName,
			provider: 'crm.example',
		});
		add(store.users, { id: store.newId('users'), givenName, familyName, email });
	}
}

function addNamed(store: Store): void {
	for (const [index, title] of TAGS.entries()) {
		add(store.tags, {
			id: store.newId('tags'),
			title,
			description: null,
			backgroundColor: random.color.rgb(),
			textColor: '#ffffff',
			createdAt: timeOf(index, TAGS.length),
			updatedAt: timeOf(index, TAGS.length),
		});
	}
	for (let index = 0; index < ORGANIZATIONS; index += 1) {
		add(store.organizations, { id: store.newId('organizations'), title: random.company.name() });
	}
	for (let index = 0; index < FILES; index += 1) {
		const id = store.newId('media_objects');
		const name = random.system.commonFileName('pdf');
		const createdAt = timeOf(index, FILES);
		const size = random.number.int({ min: 1_000, max: 900_000 });
		const publicUrl = `https://files.example/${id}/${encodeURIComponent(name)}`;
		add(store.mediaObjects, {
			id,
			name,
			size,
			createdAt,
			updatedAt: createdAt,
			mimeType: 'application/pdf',
			publicUrl,
		});
	}
}

function addSegments(store: Store, count: number): void {
	for (let index = 0; index < count; index += 1) {
		const title = SEGMENTS[index] ?? `${random.commerce.department()} ${index}`;
		const id = store.newId('segments');
		store.segments.set(id, { id, title, icon: 'list', sequence: index });
	}
}

function addWorkspaces(store: Store): void {
	const users = [...store.users.keys()].map((id) => iriOf('users', id));
	for (const [index, { type, ...named }] of WORKSPACES.entries()) {
		const columns = COLUMNS[type].map((title, sequence) => ({
			id: store.newId('columns'),
			title,
			sequence,
		}));
		store.addWorkspace({
			...named,
			id: store.newId('workspaces'),
			privacy: 'public',
			owner: users[index % users.length],
			createdAt: timeOf(index, WORKSPACES.length * 10),
			estimation: type === 'deal',
			estimationType: null,
			currency: type === 'deal' ? 'EUR' : null,
			workspaceType: type,
			users: users.slice(0, index + 2),
			pinned: index === 0,
			isPrivate: false,
			totalAutomations: 0,
			columns,
		});
	}
}

/** Returns the IRIs of the columns of all active workspaces. */
export function openColumns(store: Store): string[] {
	return [...store.workspaces.values()]
		.filter(({ archivedAt }) => archivedAt === null)
		.flatMap(({ id, columns }) => columns.map((column) => columnIri(id, column.id)));
}

/** Adds the records that people and tasks refer to: users, tags, organizations, files, segments and workspaces. */
export function addTenant(store: Store, segments = SEGMENTS.length): void {
	addUsers(store);
	addNamed(store);
	addSegments(store, segments);
	addWorkspaces(store);
}
