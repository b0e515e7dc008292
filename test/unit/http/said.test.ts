import type { IDataObject } from 'n8n-workflow';
import { explain } from '../../../nodes/ContactTaskCrm/http/explain';
import { reportsFailure } from '../../../nodes/ContactTaskCrm/http/said';

/* Bodies of refusals in forms that the interface does not show, as other software sends them. */

const API_KEY = 'KeyOfMany_9f1';

function explained(body: unknown, status = 400, sent: IDataObject = {}) {
	const subject = { noun: 'person', id: '1f0c' };
	return explain(
		{ kind: 'response', status, headers: {}, body },
		{ method: 'PATCH', path: '/people/7', subject, body: sent },
		{ baseUrl: 'https://crm.example.com', apiKey: API_KEY },
	);
}

const NOT_USED = 'The service could not use the request (HTTP 400): ';
const NOT_ACCEPTED = 'The service did not accept the person: ';

it.each<[unknown, string]>([
	[{ error: 'It is taken.' }, `${NOT_USED}It is taken`],
	[{ error: { message: 'It is taken.' } }, `${NOT_USED}It is taken`],
	[{ error: { code: 7, detail: 'It is taken.' } }, `${NOT_USED}It is taken`],
	[{ message: ['It is taken.', 'It is long.'] }, `${NOT_USED}It is taken; It is long`],
	[{ title: 'Bad Request', error: 'It is taken.' }, `${NOT_USED}It is taken`],
	[{ error: 'Bad Request', message: 'It is taken.' }, `${NOT_USED}It is taken`],
	[{ errors: ['It is taken.'] }, `${NOT_ACCEPTED}It is taken`],
	[{ errors: 'It is taken.' }, `${NOT_ACCEPTED}It is taken`],
	[{ errors: ['It is taken.', 'It is long.'] }, `${NOT_ACCEPTED}It is taken (and 1 more)`],
	[{ errors: [{ message: 'It is taken.' }] }, `${NOT_ACCEPTED}It is taken`],
	[{ errors: [{ detail: 'It is taken.' }] }, `${NOT_ACCEPTED}It is taken`],
	[{ error: { errors: ['It is taken.'] } }, `${NOT_ACCEPTED}It is taken`],
	[{ data: { errors: ['It is taken.'] } }, `${NOT_ACCEPTED}It is taken`],
	[{ data: { error: 'It is taken.' } }, `${NOT_USED}It is taken`],
])('The explanation of a refusal gives the words of the service: %j', (body, message) => {
	expect(explained(body).message).toBe(message);
});

it.each<[unknown, string]>([
	[{ errors: [{ propertyPath: 'familyName', message: 'No.' }] }, 'Family Name'],
	[{ errors: [{ field: 'familyName', message: 'No.' }] }, 'Family Name'],
	[{ errors: [{ familyName: ['No.'] }] }, 'Family Name'],
	[{ errors: { familyName: ['No.'] } }, 'Family Name'],
	[{ errors: { familyName: 'No.' } }, 'Family Name'],
	[{ errors: { familyName: { message: 'No.' } } }, 'Family Name'],
	[{ errors: { familyName: { detail: 'No.' } } }, 'Family Name'],
	[{ errors: { title: ['No.'] } }, 'Title'],
	[{ errors: { address: { city: ['No.'] } } }, 'Address: City'],
	[{ violations: { familyName: ['No.'] } }, 'Family Name'],
	[{ violations: { 0: { propertyPath: 'familyName', message: 'No.' } } }, 'Family Name'],
	[{ errors: { 3: { field: 'familyName', detail: 'No.' } } }, 'Family Name'],
	[{ error: { familyName: ['No.'] } }, 'Family Name'],
	[{ message: 'Invalid', errors: { familyName: ['No.'] } }, 'Family Name'],
	[{ violations: [], errors: { familyName: ['No.'] } }, 'Family Name'],
])('The explanation of a refusal names the field by its label: %j', (body, label) => {
	expect(explained(body)).toMatchObject({
		message: `${NOT_ACCEPTED}${label}: No`,
		parameter: label,
	});
});

it.each<[IDataObject, string]>([
	[{ owner: '/users/3', segments: ['/segments/1', '/segments/12'] }, 'Segments (entry 2)'],
	[{ owner: '/segments/12' }, 'Owner'],
	[{ people: [{ '@id': '/segments/12' }] }, 'People (entry 1)'],
])('The explanation of a refusal names the field of a refused reference: %j', (sent, parameter) => {
	const found = explained({ detail: 'Item not found for "/segments/12".' }, 400, sent);
	const message = `${NOT_USED}${parameter}: Item not found for "/segments/12"`;
	expect(found).toMatchObject({ message, parameter });
});

it('The explanation of a refusal counts every error text of each field', () => {
	const { message, advice } = explained({ errors: { familyName: ['A.', 'B.'], title: ['C.'] } });
	expect(message).toBe(`${NOT_ACCEPTED}Family Name: A (and 2 more)`);
	expect(advice).toBe('Correct and run again: Family Name: A; Family Name: B; Title: C');
});

it.each([401, 403, 404, 500, 503])(
	'The explanation of HTTP %d quotes a single error, or the first of several',
	(status) => {
		for (const body of [{ error: 'It is taken.' }, { errors: { familyName: ['It is taken.'] } }]) {
			const { message, advice } = explained(body, status);
			expect(`${message}\n${advice}`).toContain('It is taken');
		}
	},
);

it.each<[unknown]>([
	[{ error: true }],
	[{ error: { code: 7 } }],
	[{ error: { code: 'Oops' } }],
	[{ errors: [] }],
	[{ errors: {} }],
	[{ errors: 7 }],
	[{ errors: { code: 7 } }],
])('If the body of an error holds no text, the message quotes nothing: %j', (body) => {
	expect(explained(body).message).toBe('The service could not use the request (HTTP 400)');
});

it('The explanation shortens endless or deeply nested errors, and holds no API key', () => {
	const key = `${'x'.repeat(490)} ${API_KEY}`;
	let deep: unknown = 'It is taken.';
	for (let depth = 0; depth < 5_000; depth++) deep = { [key]: deep };
	const fields = Object.fromEntries(Array.from({ length: 2_000 }, (_, nth) => [`a${nth}`, [key]]));
	const texts = Array.from({ length: 2_000 }, () => key);
	for (const body of [
		...[{ error: key }, { error: { message: key } }, { errors: texts }, { errors: fields }],
		...[{ errors: { [key]: [key] } }, { errors: deep }, { message: texts }, { error: deep }],
		{ errors: [{ field: key, message: texts }] },
	]) {
		const explanation = explained(body);
		const text = JSON.stringify(explanation);
		expect(text).not.toMatch(/key|of ?many/i);
		expect(text.length).toBeLessThan(15_000);
	}
});

it.each<[number, unknown, boolean]>([
	[200, { id: '1', title: 'x' }, false],
	[200, { id: '1', status: '/workspaces/1/columns/2' }, false],
	[207, { id: '1' }, true],
	[200, ['x'], false],
	[200, '', false],
	[200, { id: '1', success: false }, true],
	[200, { id: '1', ok: false }, true],
	[200, { id: '1', error: 'x' }, true],
	[200, { id: '1', errors: ['x'] }, true],
	[200, { id: '1', violations: [{ message: 'x' }] }, true],
	[200, { id: '1', data: { error: 'x' } }, true],
	[200, { id: '1', error: null, errors: [], violations: {} }, false],
	[200, { id: '1', error: false, errors: 0 }, false],
	[200, { '@type': 'hydra:Error' }, true],
	[200, { '@type': 'ConstraintViolationList' }, true],
	[200, { '@type': 'Terror', id: '1' }, false],
	[200, { status: 400 }, true],
	[200, { status: 399 }, false],
	...['error', 'fail', 'Failed', 'FAILURE'].map((status): [number, unknown, boolean] => [
		...([200, { id: '1', status }, true] as const),
	]),
	[200, { id: '1', status: 'failing' }, false],
	[200, { detail: 'x' }, true],
	[201, { detail: 'x' }, true],
	[200, { message: 'x' }, true],
	[201, { message: 'x' }, false],
	[200, { id: '1', detail: 'x', message: 'x' }, false],
	[200, { success: true, message: 'x' }, false],
	[200, { ok: true, message: 'x' }, false],
])('In row %#, reportsFailure takes HTTP %d with the body %j as %s', (status, body, expected) => {
	expect(reportsFailure({ status, body })).toBe(expected);
});
