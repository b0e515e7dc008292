import { bodyOf } from '../../../nodes/ContactTaskCrm/runtime/body';
import { person } from '../../../nodes/ContactTaskCrm/contract/person';
import { References } from '../../../nodes/ContactTaskCrm/runtime/references';
import { specifyBody } from '../../../nodes/ContactTaskCrm/runtime/specification';
import { itemContext, itemRequest } from '../../support/itemContext';

const body = (fields: object, parameters: Record<string, unknown> = {}) =>
	bodyOf(
		{
			context: itemContext({ parameters }).context,
			request: itemRequest({ body: fields as Record<string, string> }),
			references: new References(),
		},
		specifyBody(person, 'update', { required: [] }),
	);

describe('the body made of fields', () => {
	it('takes a list as it is, and out of what the editor wraps it in', () => {
		expect(body({ tags: ['1', '/tags/2'] })).toEqual({ tags: ['/tags/1', '/tags/2'] });
		expect(body({ emailAddresses: ['a@b.nl'] })).toEqual({
			emailAddresses: [{ email: 'a@b.nl' }],
		});
	});

	it('takes a list that was handed over as text, and looks at its entries too', () => {
		expect(body({ phoneNumbers: '[{"phoneNumber": 31201234567, "phoneType": ""}]' })).toEqual({
			phoneNumbers: [{ phoneNumber: '31201234567', phoneType: null }],
		});
		expect(() => body({ emailAddresses: '[{"email": "nobody"}]' })).toThrow(
			/^Email Addresses \(entry 1\): Email: expected an e-mail address/,
		);
	});

	it('takes numbers for text, and text for numbers', () => {
		expect(body({ customerId: 17, dealSize: '2500', isTracked: 'true' })).toEqual({
			customerId: '17',
			dealSize: 2_500,
			isTracked: true,
		});
	});

	it('clears what is to be cleared, lists with an empty one', () => {
		expect(body({}, { clearFields: ['jobTitle', 'tags'] })).toEqual({ jobTitle: null, tags: [] });
	});

	it.each<[object, RegExp]>([
		[{ owner: '../tags/1' }, /^Owner: expected an ID, or \/users\/{id}, got "\.\.\/tags\/1"$/],
		[{ dealSize: 'many' }, /^Deal Size: expected a whole number such as 3, got "many"$/],
		[{ archivedAt: 'soon' }, /^Archived At: expected a date .*, got "soon"$/],
	])('is refused by the label of the field: %p', (fields, message) => {
		expect(() => body(fields)).toThrow(message);
	});
});

describe('the body made of JSON', () => {
	const ofJson = (jsonBody: unknown) => body({}, { inputMode: 'json', jsonBody });

	it('passes what is not documented, and makes IRIs of references', () => {
		expect(ofJson('{"owner": 7, "shoeSize": 44}')).toEqual({ owner: '/users/7', shoeSize: 44 });
	});

	it.each<[unknown, RegExp]>([
		['{"a": ', /^JSON Body is not valid JSON/],
		['[1]', /^JSON Body: expected an object, got a list$/],
		['null', /^JSON Body: expected an object, got null$/],
		[7, /^JSON Body: expected an object, got a number$/],
		['{"dealSize": "5"}', /^Deal Size: expected a whole number such as 3, got "5"$/],
	])('is refused as it stands: %p', (json, message) => {
		expect(() => ofJson(json)).toThrow(message);
	});
});
