import { z } from 'zod';
import { readOnly, readOnlyReference, shownText } from './field';
import { existsFilter, referenceFilter, textFilter, timeFilters } from './filter';
import type { RecordContract } from './record';

const shownBoolean = z.boolean().nullable();

/** A workspace (interface, sections 2.4 and 4.2). Read-only: the interface has no request that writes a workspace. */
export const workspace: RecordContract<'/workspaces'> = {
	noun: 'workspace',
	plural: 'workspaces',
	collection: '/workspaces',
	locator: 'workspaceId',
	fields: {
		id: readOnly(shownText, 'text'),
		privacy: readOnly(shownText, 'text'),
		title: readOnly(shownText, 'text'),
		description: readOnly(shownText, 'text'),
		owner: readOnlyReference(shownText, '/users'),
		createdAt: readOnly(shownText, 'dateTime'),
		archivedAt: readOnly(shownText, 'dateTime'),
		estimation: readOnly(shownBoolean, 'boolean'),
		estimationType: readOnly(shownText, 'text'),
		currency: readOnly(shownText, 'text'),
		workspaceType: readOnly(shownText, 'text'),
		emoji: readOnly(shownText, 'text'),
		users: readOnlyReference(z.array(z.string()), '/users'),
		pinned: readOnly(shownBoolean, 'boolean'),
		isPrivate: readOnly(shownBoolean, 'boolean'),
		totalAutomations: readOnly(z.number().int().nullable(), 'wholeNumber'),
		columns: readOnly(z.array(z.unknown())),
	},
	usual: 'id title description owner users columns createdAt archivedAt',
	filters: {
		title: textFilter('title', 'Title', ['title']),
		description: textFilter('description', 'Description', ['description']),
		owner: referenceFilter('owner', 'Owner', { kind: 'iri', refersTo: '/users', field: 'owner' }),
		...timeFilters('createdAt', 'Created'),
		...timeFilters('archivedAt', 'Archived'),
		existsArchivedAt: existsFilter('archivedAt', 'Archived'),
	},
	orders: {},
};
