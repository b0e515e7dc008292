/** The kinds of records in the collections of the store. */
export interface Person {
	id: string;
	familyName: string | null;
	givenName: string | null;
	additionalName: string | null;
	initials: string | null;
	customerId: string | null;
	honorificPrefix: string | null;
	jobTitle: string | null;
	externalSource: string | null;
	networkId: string | null;
	isTracked: boolean | null;
	createdAt: string;
	updatedAt: string;
	importedAt: string | null;
	archivedAt: string | null;
	owner: string | null;
	tags: string[];
	segments: string[];
	organizations: string[];
	emailAddresses: Array<{ email: string | null }>;
	phoneNumbers: Array<{ phoneNumber: string | null; phoneType: string | null }>;
	address: Address;
	avatarUrl: string | null;
	dealSize: number | null;
	totalDeals: number | null;
	totalLostDeals: number | null;
	totalWonDeals: number | null;
	networkEnrichment: unknown[] | null;
}

export interface Address {
	city: string | null;
	postalCode: string | null;
	street: string | null;
	country: string | null;
}

/** A column. The interface does not show its fields; these are the least that a board needs. */
export interface Column {
	id: string;
	title: string;
	sequence: number;
}

export interface Workspace {
	id: string;
	privacy: string | null;
	title: string | null;
	description: string | null;
	owner: string | null;
	createdAt: string;
	archivedAt: string | null;
	estimation: boolean | null;
	estimationType: string | null;
	currency: string | null;
	workspaceType: string | null;
	emoji: string | null;
	users: string[];
	pinned: boolean | null;
	isPrivate: boolean | null;
	totalAutomations: number | null;
	columns: Column[];
}

export interface Segment {
	id: string;
	title: string | null;
	icon: string | null;
	sequence: number | null;
}

/** A stored task. Values that come from other records are added in answers. */
export interface Task {
	id: string;
	title: string | null;
	description: string | null;
	status: string;
	position: number;
	indexNumber: number;
	createdAt: string;
	updatedAt: string;
	completedAt: string | null;
	archivedAt: string | null;
	dueDate: string | null;
	startDate: string | null;
	scheduledOn: string | null;
	previouslyScheduledOn: string | null;
	plannedWeek: string | null;
	plannedMonth: string | null;
	snoozeUntil: string | null;
	author: string | null;
	parent: string | null;
	tags: string[];
	assignees: string[];
	observers: string[];
	people: string[];
	organizations: string[];
	files: string[];
	conversationItems: string[];
	messages: unknown[];
	isFlagged: boolean;
	isTemplate: boolean;
	storyPointEstimation: number | string | null;
	timeEstimation: number | string | null;
	dealSizeEstimation: number | string | null;
	messageProvider: string | null;
	recurringSettings: Record<string, unknown> | null;
	automation: string | null;
	blockedFields: string[];
}

export interface Comment {
	id: string;
	taskId: string;
	createdAt: string;
	description: string | null;
	flagged: boolean | null;
	author: string;
	mentions: string[];
}

/** A change of one field of a task. The interface does not show the form. */
export interface Change {
	field: string;
	oldValue: unknown;
	newValue: unknown;
}

export interface HistoryEntry {
	id: string;
	createdAt: string;
	changes: Change[];
	author: string;
}

/** A record of a resource that the interface only mentions: users, tags, organizations and others. */
export interface NamedRecord {
	id: string;
	[field: string]: unknown;
}
