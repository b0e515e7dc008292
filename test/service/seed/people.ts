import { iriOf } from '../iris';
import type { Person } from '../records';
import { blankPerson } from '../resources/people';
import type { Store } from '../store';
import { after, languages, maybe, random, timeOf } from './random';

const EMOJI_SHARE = 0.03;
const NO_GIVEN_NAME_SHARE = 0.1;
const ARCHIVED_SHARE = 0.08;

const irisOfAll = (resource: string, records: Map<string, unknown>) =>
	[...records.keys()].map((id) => iriOf(resource, id));

const some = (iris: string[], max: number) =>
	iris.length === 0 ? [] : random.helpers.arrayElements(iris, { min: 0, max });

/** Returns an address from the allowed letters of a name. The number makes it unique. */
const mailbox = (name: string, index: number) => {
	const letters = name
		.normalize('NFD')
		.replace(/[^a-z]/gi, '')
		.toLowerCase();
	return `${letters || 'person'}.${index}@mail.example`;
};

function names(index: number): Pick<Person, 'familyName' | 'givenName'> {
	const language = languages[index % languages.length];
	const emoji = random.datatype.boolean(EMOJI_SHARE) ? ' 🚀' : '';
	return {
		familyName: `${language.person.lastName()}${emoji}`,
		givenName: maybe(1 - NO_GIVEN_NAME_SHARE, () => language.person.firstName()),
	};
}

function contact(familyName: string, index: number): Partial<Person> {
	const phoneType = random.helpers.arrayElement(['mobile', 'work', 'home', 'fax']);
	const phoneNumber = `+316${String(10_000_000 + index).padStart(8, '0')}`;
	const address = {
		city: random.location.city(),
		postalCode: '1011 AB',
		street: null,
		country: 'NL',
	};
	return {
		emailAddresses: index % 12 === 11 ? [] : [{ email: mailbox(familyName, index) }],
		phoneNumbers: maybe(0.6, () => [{ phoneNumber, phoneType }]) ?? [],
		...(random.datatype.boolean(0.7) && { address }),
	};
}

/** Adds people from several languages. Some have little more than a family name. */
export function addPeople(store: Store, count: number): void {
	const owners = irisOfAll('users', store.users);
	const tags = irisOfAll('tags', store.tags);
	const segments = irisOfAll('segments', store.segments);
	const organizations = irisOfAll('organizations', store.organizations);
	for (let index = 0; index < count; index += 1) {
		const createdAt = timeOf(index, count);
		const named = names(index);
		const id = store.newId('people');
		store.people.set(id, {
			...blankPerson(id, createdAt),
			...named,
			...contact(named.familyName ?? '', index),
			updatedAt: after(createdAt, random.number.int({ max: 40 })),
			archivedAt: maybe(ARCHIVED_SHARE, () => after(createdAt, 50)),
			jobTitle: maybe(0.6, () => random.person.jobTitle()),
			networkId: maybe(0.3, () => `network-${index}`),
			owner: maybe(0.8, () => random.helpers.arrayElement(owners)),
			tags: some(tags, 3),
			segments: some(segments, 2),
			organizations: some(organizations, 1),
		});
	}
}
