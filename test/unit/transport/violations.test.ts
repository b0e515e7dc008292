import { explain } from '../../../nodes/ContactTaskCrm/transport/serviceErrors';

const explained = (status: number, body: unknown) =>
	explain(
		{ kind: 'response', status, headers: {}, body },
		{
			request: { method: 'PATCH', path: '/people/1f0c' },
			subject: { noun: 'person', id: '1f0c' },
			baseUrl: 'https://crm.example.com',
			tries: 1,
		},
	);

describe('violations of a 422', () => {
	const violated = (violations: unknown) => explained(422, { violations, detail: 'In short.' });

	it('stand under the labels of their parameters, the first in the message, all in the description', () => {
		const { message, advice } = violated([
			{ propertyPath: 'familyName', message: 'This value should not be blank.' },
			{ propertyPath: 'emailAddresses[0].email', message: 'This is no e-mail address.' },
		]);
		expect(message).toBe(
			'The service did not accept the person: Family Name: This value should not be blank (and 1 more)',
		);
		expect(advice).toBe(
			'Correct and run again: Family Name: This value should not be blank; Email Addresses (entry 1): Email: This is no e-mail address',
		);
	});

	it('are read where they come as a map', () => {
		expect(violated({ 3: { propertyPath: 'title', message: 'Too long' } }).message).toBe(
			'The service did not accept the person: Title: Too long',
		);
	});

	it('that is one stands alone', () => {
		expect(violated([{ propertyPath: 'title', message: 'Too long' }]).message).toBe(
			'The service did not accept the person: Title: Too long',
		);
	});

	it.each<[string, unknown, string]>([
		['no path', { message: 'Not unique.' }, 'Not unique'],
		['an empty path', { propertyPath: '', message: 'Not unique.' }, 'Not unique'],
		['no message', { propertyPath: 'title' }, 'Title: not accepted'],
		['nothing', null, 'not accepted'],
	])('with %s are shown as far as they go', (_, violation, shown) => {
		expect(violated([violation]).message).toBe(`The service did not accept the person: ${shown}`);
		expect(violated([violation]).advice).toBe('Correct the value and run again');
	});

	it.each<[unknown]>([[[]], [undefined], ['x'], [{ propertyPath: 'title' }]])(
		'that are %p leave what the service says otherwise',
		(violations) => {
			expect(violated(violations).message).toBe(
				'The service could not use the request (HTTP 422): In short',
			);
		},
	);

	it('are not looked for in answers of another status', () => {
		const body = { violations: [{ propertyPath: 'title', message: 'x' }], detail: 'In short.' };
		expect(explained(400, body).message).toContain('In short');
	});
});
