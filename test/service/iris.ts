/** Whether an IRI names a record that exists. */
export type IriLookup = (iri: string) => boolean;

const SEGMENT = '[^/?#]+';

/** The form of the IRIs of a resource (interface, "Conventions"). */
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

/** The path of an IRI that may be absolute. */
export function pathOf(iri: string): string {
	return iri.replace(/^https?:\/\/[^/]+/, '');
}
