import { printed } from './support/printed';
import { items, useScene } from './support/scene';
import { PEOPLE, TAGS } from './support/seeded';

const EMAILS = PEOPLE.map(({ emailAddresses }) => emailAddresses[0]?.email ?? '').filter(Boolean);

describe('the plan of a run', () => {
	const scene = useScene();
	const plans = () => printed.flatMap((line) => /Plan for .*?(?= \{|\n|$)/.exec(line) ?? []);

	beforeEach(() => {
		printed.length = 0;
	});

	it('says what is created, changed, left alone and refused, as soon as it is known', async () => {
		const rows = items(20, (index) => ({
			email: index < 12 ? EMAILS[index] : `new${index}@mail.example`,
			job: index < 7 ? 'Juggler' : '',
			name: index < 18 ? 'Jansen' : '',
		}));
		await scene.run({
			parameters: {
				resource: 'person',
				operation: 'upsert',
				matchBy: 'email',
				matchValue: '={{ $json.email }}',
				additionalFields: { familyName: '={{ $json.name }}', jobTitle: '={{ $json.job }}' },
				familyName: '={{ $json.email.startsWith("new") ? $json.name : "" }}',
			},
			input: rows,
			onError: 'continueErrorOutput',
		});
		expect(plans()).toEqual([
			expect.stringMatching(
				/^Plan for 20 of 20 items: 6 to create, 7 to change, 5 to leave as they are, 2 to refuse; the rest takes about \d+ seconds$/,
			),
		]);
	});

	it('tells of the list changes of people found by e-mail who lacks the entry', async () => {
		const lacking = PEOPLE.filter(({ emailAddresses }) => emailAddresses.length > 0).slice(0, 8);
		for (const [index, { id }] of lacking.entries()) {
			const person = scene.service.store.people.get(id)!;
			const tags = index < 3 ? [] : [`/tags/${TAGS[0]}`];
			scene.service.store.people.set(id, { ...person, tags });
		}
		await scene.run({
			parameters: {
				resource: 'person',
				operation: 'addTags',
				personId: { __rl: true, mode: 'email', value: '={{ $json.email }}' },
				tags: [TAGS[0]],
			},
			input: lacking.map(({ emailAddresses }) => ({ email: emailAddresses[0].email })),
		});
		expect(plans()[0]).toMatch(/^Plan for 8 of 8 items: 3 to change, 5 to leave as they are;/);
	});
});
