/** A difference between the stand-in's answers and those of the recorded application. */
export interface Difference {
	why: string;
	/** The stand-in's status if it differs, or else the places in the answer. */
	what: string[];
	/** Names of the exchanges, by file. */
	of: Record<string, string[]>;
}

const REFUSED = ['status 404'];

export const DIFFERENCES: Difference[] = [
	{
		why: 'interface 4.1 has these filters, the recorded application has not',
		what: ['body.totalItems', 'body.member', 'body.view'],
		of: { filters: ['q', 'identifiers[]', 'owner.id'] },
	},
	{
		why: 'interface 4.1: view=idx gives identifiers alone',
		what: ['body.member'],
		of: { filters: ['view=idx'] },
	},
	{
		why: 'interface 2.3: an entry of the e-mail addresses has an e-mail, in the form of one',
		what: ['status 422'],
		of: {
			create: [
				'object for a list',
				'text where an object is embedded',
				'e-mail empty',
				'e-mail object empty',
			],
		},
	},
	{
		why: 'interface 2.3: a person must always have a family name',
		what: ['status 422'],
		of: { create: ['task with an embedded person that is invalid'] },
	},
	{
		why: 'interface 4.3, 4.4: segments and tasks are written as JSON-LD',
		what: ['status 415'],
		of: {
			create: ['task in plain JSON'],
			'content-negotiation': ['create as JSON, answer JSON-LD', 'create as JSON, no Accept'],
		},
	},
	{
		why: 'two segments fewer, which were refused as plain JSON',
		what: ['text'],
		of: { 'odd-requests': ['very long query'] },
	},
	{
		why: 'interface 2.6: people of a task are given when it is created, not by an update',
		what: ['body.people'],
		of: { 'merge-patch': ['task people replaced', 'task people emptied'] },
	},
	{
		why: 'interface 2.7: a description may be null',
		what: ['status 201'],
		of: { comments: ['comment, empty object'] },
	},
	{
		why: "the recorded application's own mapping breaks its PUT of comments",
		what: ['status 200'],
		of: { comments: ['put', 'put, empty object'] },
	},
	{
		why: 'the recorded application alone keeps a uuid beside the id, which PUT makes anew',
		what: ['body.totalItems', 'body.member'],
		of: {
			replace: ['the people of the segment, after: what is not shown (uuid) began anew'],
		},
	},
	{
		why: 'JSON as JavaScript reads it tells 3.0 from 3 no more',
		what: ['status 201'],
		of: { create: ['segment, 3.0 for integer'] },
	},
	{
		why: 'a second passed between the two when they were recorded',
		what: ['body.updatedAt'],
		of: { create: ['that person afterwards'] },
	},
	{
		why: 'for people at a browser: a page, where no type is asked for by name',
		what: ['headers.content-type', 'body'],
		of: {
			problems: [
				'405, any type',
				'path that does not exist, any type',
				'path that does not exist, no Accept',
			],
		},
	},
	{
		why: 'for people at a browser: the way to the path without the slash',
		what: REFUSED,
		of: { 'odd-requests': ['trailing slash'] },
	},
	{
		why: 'the interface shows no such endpoint',
		what: REFUSED,
		of: {
			'single-records': ['columns of a workspace', 'tag'],
			'odd-requests': ['root', 'context', 'error type, followed'],
		},
	},
	{
		why: 'the interface shows no such header',
		what: ['status 405'],
		of: { 'odd-requests': ['X-HTTP-Method-Override'] },
	},
	{
		why: 'the interface shows no formats by suffix',
		what: REFUSED,
		of: {
			'content-negotiation': [
				'record, suffix .json',
				'record, suffix .jsonld, Accept JSON',
				'list, suffix .json',
			],
		},
	},
	{
		why: 'the interface shows no formats by suffix',
		what: ['body.detail', 'body.description'],
		of: { 'odd-requests': ['dot in the id'] },
	},
];
