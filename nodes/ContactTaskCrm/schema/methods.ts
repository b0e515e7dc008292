/** HTTP methods that API Request can send, with their descriptions in the editor. */
export const METHODS = {
	DELETE: 'Remove a record, where the service can',
	GET: 'Read a record or a list',
	PATCH: 'Change the fields that are given, and keep the others',
	POST: 'Create a record, or have something done',
	PUT: 'Replace a record; fields that are not given are reset',
};

/** The methods that take a JSON body. */
export const WITH_BODY = ['PATCH', 'POST', 'PUT'];
