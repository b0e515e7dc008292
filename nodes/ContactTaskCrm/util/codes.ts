/**
 * Code of an error, for workflows to test. A code keeps its name and its meaning in later versions. docs/errors.md has
 * advice for workflows on each code.
 */
export type ErrorCode =
	/** The node cannot use a value of the item, a parameter or the credential. */
	| 'unusable-value'
	/** The CRM has no record with this ID or title, or nobody has the e-mail address. */
	| 'not-found'
	/** Several records match where only one can be meant. */
	| 'several-match'
	/** The service does not accept the values, or a rule of the node forbids the write. */
	| 'refused'
	/** The records have changed since the preview or the read. */
	| 'moved'
	/** The key, or a proxy, does not allow the request. */
	| 'not-allowed'
	/** The request got no slot within the wait that the user allows. */
	| 'rate-limited'
	/** The request was not sent: the item waited too long for its turn, its read became too old, or the run stopped. */
	| 'not-sent'
	/** The service is down, or cannot be reached. The request had no effect. */
	| 'unavailable'
	/**
	 * A write may have taken effect. Every such failure has this code, whatever its cause. So a workflow can repeat all
	 * `unavailable` items, and creates no record twice.
	 */
	| 'uncertain'
	/** The node cannot read the answer, or the service left out records of a list. */
	| 'unreadable'
	/** The service lacks an operation, a filter or a field. */
	| 'unsupported'
	/** Any other error, such as an expression that n8n cannot evaluate. */
	| 'unexpected';
