/* Limits of the service (interface, section 8). */

/** Requests that the service accepts in a minute. Also the default of Requests per Minute in the credential. */
export const DEFAULT_LIMIT = 20;

/** Largest page size that the service accepts. */
export const MAX_PAGE_SIZE = 30;

/** Page size of the service if a request gives no page size. */
export const DEFAULT_PAGE_SIZE = 15;
