import { titleIn } from '../../../nodes/ContactTaskCrm/schema/record';

const record = { title: ' Dr. ', givenName: 'Eva', familyName: 'Jansen', name: 'Other' };

it.each(['/people', '/users'])(
	'The title of a record of %s is its name, not its field "title"',
	(collection) => {
		expect(titleIn(record, collection)).toBe('Eva Jansen');
	},
);

it.each(['/segments', '/workspaces', '/tags'])(
	'The title of a record of %s is its field title without outer spaces',
	(collection) => {
		expect(titleIn(record, collection)).toBe('Dr.');
	},
);

it.each([undefined, null, 'text', '/segments/5c1f', []])(
	'The title of %j, which is no record, is empty',
	(value) => {
		expect(titleIn(value, '/segments')).toBe('');
	},
);
