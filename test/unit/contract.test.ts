import {
	commentBodySchema,
	historyEntrySchema,
	personBodySchema,
	personSchema,
	segmentBodySchema,
	taskCreateBodySchema,
	taskDuplicateBodySchema,
	taskSchema,
	taskUpdateBodySchema,
	workspaceSchema,
} from '../support/schemas';
import {
	columnIri,
	dateTime,
	email,
	estimation,
	iri,
	phoneType,
	recurrenceRule,
	wholeNumber,
} from '../../nodes/ContactTaskCrm/contract/formats';
import { labelOf } from '../../nodes/ContactTaskCrm/contract/label';

interface Schema {
	safeParse(value: unknown): {
		success: boolean;
		data?: unknown;
		error?: { issues: Array<{ path: Array<string | number>; message: string }> };
	};
}

function accepts(schema: Schema, value: unknown): boolean {
	return schema.safeParse(value).success;
}

/** What is wrong with a value, as "path: message". */
function complaints(schema: Schema, value: unknown): string[] {
	return (schema.safeParse(value).error?.issues ?? []).map(
		({ path, message }) => `${path.join('.')}: ${message}`,
	);
}

describe('a date and time', () => {
	test.each([
		'2026-12-31',
		'2026-12-31T17:00:00Z',
		'2026-12-31T17:00:00.123456Z',
		'2026-12-31t17:00:00z',
		'2026-12-31 17:00:00+01:00',
		'2026-12-31T17:00:00-05:30',
		'2026-12-31T17:00:00+0100',
		'2026-12-31T17:00Z',
		'2026-12-31T23:59:60Z',
		'2028-02-29',
		'0001-01-01T00:00:00Z',
	])('may be %s', (value) => {
		expect(accepts(dateTime, value)).toBe(true);
	});

	test.each([
		'tomorrow',
		'',
		'31-12-2026',
		'2026-12-31T',
		'2026-12-31T17:00',
		'2026-12-31T17:00:00',
		'2026-12-31T24:00:00Z',
		'2026-12-31T17:60:00Z',
		'2026-12-31T17:00:00+24:00',
		'2026-13-01',
		'2026-02-29',
		'2026-02-30T10:00:00Z',
		'2026-1-1',
		'1767200400',
		'2026-12-31Z',
		' 2026-12-31',
	])('may not be "%s"', (value) => {
		expect(complaints(dateTime, value)).toEqual([
			': expected a date such as 2026-12-31 or 2026-12-31T17:00:00Z',
		]);
	});

	test('given as a number says what was expected', () => {
		expect(complaints(dateTime, 1767200400)).toEqual([
			': expected a date such as 2026-12-31 or 2026-12-31T17:00:00Z',
		]);
	});
});

describe('an e-mail address', () => {
	test.each([
		'name@example.com',
		'a.b+c@mail.example.co.uk',
		"o'neil@example.com",
		'jos\u00e9@example.com',
	])('may be %s', (value) => {
		expect(accepts(email, value)).toBe(true);
	});

	test.each([
		'name',
		'name@',
		'@example.com',
		'a b@example.com',
		'a@b@example.com',
		'a@b..com',
		'a@.com',
	])('may not be "%s"', (value) => {
		expect(complaints(email, value)).toEqual([
			': expected an e-mail address such as name@example.com',
		]);
	});
});

test.each(['fax', 'mobile', 'home', 'work'])('a phone number may be of the type %s', (value) => {
	expect(accepts(phoneType, value)).toBe(true);
});

test('a phone number of another type is told the types there are', () => {
	expect(complaints(phoneType, 'Mobile')).toEqual([': expected one of fax, mobile, home and work']);
});

describe('a reference', () => {
	test.each(['/users/3f2a', '/workspaces/1/columns/2', '/api/users/3f2a'])('may be %s', (value) => {
		expect(accepts(iri('/users/3f2a'), value)).toBe(true);
	});

	test.each([
		'3f2a',
		'users/3f2a',
		'/users',
		'/users/',
		'//users',
		'https://crm.example/users/1',
		'/a/b c',
	])('may not be "%s"', (value) => {
		expect(complaints(iri('/users/3f2a'), value)).toEqual([
			': expected an ID or an IRI such as /users/3f2a',
		]);
	});

	test('as the status of a task is a column, not its workspace', () => {
		expect(accepts(columnIri, '/workspaces/5c1f/columns/12ab')).toBe(true);
		expect(complaints(columnIri, '/workspaces/5c1f')).toEqual([
			': expected a column of a workspace such as /workspaces/5c1f/columns/12ab',
		]);
	});
});

describe('a recurrence rule', () => {
	test.each([
		'FREQ=DAILY',
		'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH',
		'RRULE:FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=12',
		'INTERVAL=1;FREQ=YEARLY;UNTIL=20271231T000000Z',
		'freq=weekly;wkst=mo',
	])('may be %s', (value) => {
		expect(accepts(recurrenceRule, value)).toBe(true);
	});

	test.each([
		'every Monday',
		'',
		'INTERVAL=2',
		'FREQ=FORTNIGHTLY',
		'FREQ=DAILY;EVERY=2',
		'FREQ=DAILY;INTERVAL=',
		'FREQ=DAILY;FREQ=WEEKLY',
		'FREQ=DAILY;',
		'FREQ=DAILY=2',
	])('may not be "%s"', (value) => {
		expect(complaints(recurrenceRule, value)).toEqual([
			': expected a recurrence rule such as FREQ=WEEKLY;INTERVAL=2;BYDAY=MO',
		]);
	});
});

test('a whole number has no fraction and is no text', () => {
	expect(accepts(wholeNumber, -3)).toBe(true);
	expect(accepts(wholeNumber, 2.5)).toBe(false);
	expect(accepts(wholeNumber, '3')).toBe(false);
});

test('an estimation may be a number or a text, since the interface shows no type', () => {
	expect(accepts(estimation, 2.5)).toBe(true);
	expect(accepts(estimation, 'PT2H')).toBe(true);
	expect(accepts(estimation, ' ')).toBe(false);
	expect(accepts(estimation, true)).toBe(false);
});

describe('a body', () => {
	test('needs no field and lets unknown ones pass', () => {
		for (const schema of [
			personBodySchema,
			segmentBodySchema,
			taskCreateBodySchema,
			taskUpdateBodySchema,
			taskDuplicateBodySchema,
			commentBodySchema,
		]) {
			expect(schema.safeParse({ notDocumented: { a: 1 } }).data).toEqual({
				notDocumented: { a: 1 },
			});
			expect(accepts(schema, {})).toBe(true);
			expect(complaints(schema, 'text')).toEqual([': expected an object']);
		}
	});

	test('of a person may set to null what the interface lets be null', () => {
		const nullable = [
			'familyName',
			'givenName',
			'additionalName',
			'initials',
			'customerId',
			'honorificPrefix',
			'jobTitle',
			'externalSource',
			'networkId',
			'isTracked',
			'archivedAt',
			'owner',
			'avatar',
			'dealSize',
			'totalDeals',
			'totalLostDeals',
			'totalWonDeals',
			'id',
		];
		expect(
			complaints(personBodySchema, Object.fromEntries(nullable.map((n) => [n, null]))),
		).toEqual([]);
		expect(
			complaints(personBodySchema, {
				address: { city: null, postalCode: null, street: null, country: null },
				emailAddresses: [{ email: null }],
				phoneNumbers: [{ phoneNumber: null, phoneType: null }],
			}),
		).toEqual([]);
	});

	test('of a person may not set to null what the interface shows as a list', () => {
		for (const name of ['tags', 'segments', 'organizations', 'emailAddresses', 'phoneNumbers']) {
			expect(complaints(personBodySchema, { [name]: null })).toEqual([`${name}: expected a list`]);
		}
	});

	test('of a person is told the place of each value that does not fit', () => {
		expect(
			complaints(personBodySchema, {
				archivedAt: 'tomorrow',
				emailAddresses: [{ email: 'a@example.com' }, { email: 'a' }],
				phoneNumbers: [{ phoneNumber: '1', phoneType: 'cell' }],
				address: { city: 5 },
				dealSize: 1.5,
				isTracked: 'yes',
				tags: ['7c1e'],
			}),
		).toEqual([
			'isTracked: expected true or false',
			'address.city: expected a text',
			'dealSize: expected a whole number such as 3',
			'archivedAt: expected a date and time such as 2026-12-31T17:00:00Z',
			'tags.0: expected an ID or an IRI such as /tags/7c1e',
			'emailAddresses.1.email: expected an e-mail address such as name@example.com',
			'phoneNumbers.0.phoneType: expected one of fax, mobile, home and work',
		]);
	});

	test('of a new task takes embedded records, and tells the place of what does not fit in one', () => {
		expect(
			complaints(taskCreateBodySchema, {
				title: 'Call back',
				status: '/workspaces/5c1f/columns/12ab',
				tags: [{ title: 'Hot', backgroundColor: '#f00' }],
				people: [{ familyName: 'Jansen', emailAddresses: [{ email: 'e.jansen@example.com' }] }],
				organizations: [{ title: 'Acme', integrationParticipants: 5 }],
				messages: [{ subject: 'Hello', emailAccount: { id: 1 }, from: [] }],
				conversationItems: [{ body: 'Hello', mentions: null }],
				participants: ['anything', 5],
			}),
		).toEqual([]);
		expect(
			complaints(taskCreateBodySchema, { people: [{}, { emailAddresses: [{ email: 'a' }] }] }),
		).toEqual([
			'people.1.emailAddresses.0.email: expected an e-mail address such as name@example.com',
		]);
		expect(complaints(taskCreateBodySchema, { people: [5] })).toEqual([
			'people.0: expected an object',
		]);
	});

	test('of a new task takes the IRI of a record in place of an embedded one', () => {
		expect(complaints(taskCreateBodySchema, { people: ['/people/0d5c'] })).toEqual([]);
		expect(complaints(taskCreateBodySchema, { people: ['Jansen'] })).toEqual([
			'people.0: expected an ID or an IRI such as /people/0d5c',
		]);
	});

	test('of an update of a task checks the recurrence', () => {
		expect(
			complaints(taskUpdateBodySchema, {
				recurringSettings: {
					rrule: 'weekly',
					recurUntilCount: 'ten',
					recurUntil: 'never',
					snooze: 1,
					recurData: {},
				},
			}).map((complaint) => complaint.split(':')[0]),
		).toEqual([
			'recurringSettings.rrule',
			'recurringSettings.recurUntilCount',
			'recurringSettings.recurUntil',
			'recurringSettings.snooze',
			'recurringSettings.recurData',
		]);
		expect(accepts(taskUpdateBodySchema, { recurringSettings: null, files: [] })).toBe(true);
	});

	test('of a comment takes null for what may be null, and a list of mentions', () => {
		expect(
			accepts(commentBodySchema, {
				description: null,
				flagged: null,
				createdAt: null,
				mentions: ['/users/3f2a'],
			}),
		).toBe(true);
		expect(accepts(commentBodySchema, { mentions: '/users/3f2a' })).toBe(false);
	});
});

describe('a record', () => {
	test('may come with nothing, with null, and with more than is documented', () => {
		for (const schema of [personSchema, taskSchema, workspaceSchema, historyEntrySchema]) {
			expect(accepts(schema, {})).toBe(true);
			expect(schema.safeParse({ '@id': '/x/1', more: [1] }).data).toEqual({
				'@id': '/x/1',
				more: [1],
			});
		}
		expect(accepts(personSchema, { familyName: null, owner: null, createdAt: null })).toBe(true);
	});

	test('of a task may hold anything where the interface shows no type', () => {
		for (const value of [1, 'text', true, null, [], {}]) {
			expect(
				complaints(taskSchema, {
					indexNumber: value,
					position: value,
					blockedFields: value,
					timeEstimation: value,
					messages: value,
				}),
			).toEqual([]);
		}
	});

	test('of a workspace may hold columns as IRIs or as objects', () => {
		expect(accepts(workspaceSchema, { columns: ['/workspaces/1/columns/2', { id: '2' }] })).toBe(
			true,
		);
	});
});

describe('the label of a field', () => {
	test.each([
		['jobTitle', 'Job Title'],
		['networkId', 'Network ID'],
		['avatarUrl', 'Avatar URL'],
		['rrule', 'Recurrence Rule (RRULE)'],
		['status', 'Column'],
		['positionTop', 'At the Top of the Column'],
		['isSubTask', 'Is Sub Task'],
		['_organizations', 'Organizations'],
		['@id', 'ID'],
		['address.city', 'Address: City'],
		['emailAddresses[0].email', 'Email Addresses (entry 1): Email'],
		['emailAddresses.0.email', 'Email Addresses (entry 1): Email'],
		['phoneNumbers[11]', 'Phone Numbers (entry 12)'],
		['recurringSettings.rrule', 'Recurring Settings: Recurrence Rule (RRULE)'],
		['', ''],
	])('%s is "%s"', (wireName, label) => {
		expect(labelOf(wireName)).toBe(label);
	});
});
