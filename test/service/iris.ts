/** Returns whether an IRI names an existing record. */
export type IriLookup = (iri: string) => boolean;

const SEGMENT = '[^/?#]+';

/** Returns the pattern of a resource's IRIs (interface, "Conventions"). */
export function irisOf(resource: string): RegExp {
	const path = resource === 'columns' ? `workspaces/${SEGMENT}/columns` : resource;
	return new RegExp(`^/${path}/${SEGMENT}$`);
}

/** The IRI of a record. */
export function iriOf(resource: string, id: string): string {
	return `/${resource}/${id}`;
}

/** The IRI of a column of a workspace. */
export function columnIri(workspaceId: string, columnId: string): string {
	return `/workspaces/${workspaceId}/columns/${columnId}`;
}

/** Returns the path of an IRI, which may be absolute. */
export function pathOf(iri: string): string {
	return iri.replace(/^https?:\/\/[^/]+/, '');
}
