/* Limits of the service (interface, section 8). */

/** Requests that the service accepts in a minute, and the default of the credential. */
export const DEFAULT_LIMIT = 20;

/** Largest page size. */
export const MAX_PAGE_SIZE = 30;

/** Page size without a query parameter. */
export const DEFAULT_PAGE_SIZE = 15;
