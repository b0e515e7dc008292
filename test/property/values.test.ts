/* eslint-disable @n8n/community-nodes/no-restricted-globals -- reads the seed of the cases from the environment */
import { cleanContact } from '../../nodes/ContactTaskCrm/values/text';
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { changesBy } from '../../nodes/ContactTaskCrm/writes/merge';
import { person } from '../../nodes/ContactTaskCrm/schema/person';
import { identifierKey } from '../../nodes/ContactTaskCrm/values/identifier';
import { contactsIn } from '../../nodes/ContactTaskCrm/values/list';
import { isSamePhone, phoneOf } from '../../nodes/ContactTaskCrm/values/phone';
import { isSameReference } from '../../nodes/ContactTaskCrm/values/reference';
import { wholeSecond } from '../../nodes/ContactTaskCrm/values/time';
import { useScene } from '../engine/support/scene';
import { itInCi, runsOf } from '../support/drawn';
import { anyContact, anyEmail, anyPhone, anyReference, anyTime } from './values/drawn';
import { anyList, entryOf, saysOf, saysOfTags, saysOfTime } from './values/says';
import { withEachOnce } from '../../nodes/ContactTaskCrm/schema/equality';
import { meetsFilter } from '../../nodes/ContactTaskCrm/schema/filter';

const seed = Number(process.env.SEED ?? 31);
const many = { numRuns: runsOf(2_400), seed };

const { filters } = person;

/** Returns what the parts of the node say, if not all of them say `expected`. */
const disagreeing = (says: object, expected: boolean) =>
	Object.entries(says).filter(([, said]) => said !== expected);

describe('e-mail addresses and phone numbers', () => {
	it('All comparisons agree that two spellings of an e-mail address or phone are equal', () => {
		fc.assert(
			fc.property(anyContact, anyList, ({ spellings: [one, other] }, asList) => {
				expect(disagreeing(saysOf(one, other, asList), true)).toEqual([]);
				expect(identifierKey(one)).toBe(identifierKey(other));
			}),
			many,
		);
	});

	it('All comparisons agree that two different e-mail addresses or phone numbers differ', () => {
		fc.assert(
			fc.property(anyContact, anyContact, anyList, (one, other, asList) => {
				fc.pre(one.means !== other.means);
				const says = saysOf(one.spellings[0], other.spellings[0], asList);
				expect(disagreeing(says, false)).toEqual([]);
			}),
			many,
		);
	});

	it('A person meets a filter by any spelling of their e-mail or phone', () => {
		fc.assert(
			fc.property(anyContact, anyList, ({ spellings: [one, other] }, asList) => {
				const [name, entry] = entryOf(one);
				const record = { [name]: asList(entry) };
				expect(meetsFilter(record, filters.identifiers, [other])).toBe(true);
				if (name !== 'emailAddresses') return;
				expect(meetsFilter(record, filters.emailAddressesEmail, [other])).toBe(true);
			}),
			many,
		);
	});

	it('A person meets a filter by any part of their phone number', () => {
		const any = fc.tuple(anyPhone, fc.nat(6), fc.integer({ min: 3, max: 20 }));
		fc.assert(
			fc.property(any, ([{ canonical, spellings }, start, length]) => {
				for (const phoneNumber of [canonical, ...spellings.map(cleanContact)]) {
					const record = { phoneNumbers: [{ phoneNumber }] };
					const part = phoneNumber.slice(start, start + length);
					fc.pre(/\d/.test(part));
					expect(meetsFilter(record, filters.identifiers, [part])).toBe(true);
				}
			}),
			many,
		);
	});

	it('The node sees no change if an e-mail address or phone keeps its spelling', () => {
		fc.assert(
			fc.property(anyContact, anyList, ({ spellings: [one] }, asList) => {
				const [name, entry] = entryOf(one);
				const [shown] = [asList(entry)].map((list) => ({ [name]: list }) as IDataObject);
				const list = Object.values(shown[name] as object);
				expect(changesBy(person, shown, { [name]: list })).toEqual({});
			}),
			many,
		);
	});

	it('Cleaning leaves a clean e-mail address or phone number as it is', () => {
		const sign = fc.constantFrom(
			...'a@x.nl < > « tel: mailto: \u200B e \uFF45 \u0301 \u2011 - + 0 12 ( ) \uFF1E \u3000'.split(
				' ',
			),
			' ',
		);
		fc.assert(
			fc.property(fc.array(sign, { maxLength: 12 }), (signs) => {
				const clean = cleanContact(signs.join(''));
				expect(cleanContact(clean)).toBe(clean);
			}),
			many,
		);
	});

	it('From a text with several e-mail addresses or phones, the node takes each once', () => {
		const anyTexts = fc.array(fc.oneof(anyEmail, anyPhone), { minLength: 1, maxLength: 6 });
		const anySeparator = fc.constantFrom(',', ';', ' ::: ', ', ', ';\n');
		fc.assert(
			fc.property(anyTexts, anySeparator, (drawn, separator) => {
				const text = drawn.flatMap(({ spellings }) => spellings).join(separator);
				const wanted = new Set(drawn.map(({ canonical }) => identifierKey(canonical)));
				const meanings = new Set(drawn.map(({ means }) => means));
				const found = contactsIn(text);
				expect(found).toHaveLength(meanings.size);
				expect(new Set(found.map(identifierKey))).toEqual(wanted);
				const lines = drawn.map(({ canonical }) => canonical);
				expect(contactsIn(lines.join('\n \n'))).toHaveLength(meanings.size);
				expect(contactsIn(lines.join(' / '))).toHaveLength(meanings.size);
			}),
			{ ...many, numRuns: runsOf(600) },
		);
	});

	it('When the node drops double phone numbers, numbers of different countries all stay', () => {
		const anyNumber = fc.constantFrom(
			...['612345678', '0612345678', '06-12345678', '+31612345678', '0031 6 12345678'],
			...['+49612345678', '+32 612345678', '+31612345678 x12', '06 12345678 x12'],
		);
		fc.assert(
			fc.property(fc.array(anyNumber, { maxLength: 8 }), (numbers) => {
				const given = numbers.map((phoneNumber) => ({ phoneNumber, phoneType: null }));
				const { phoneNumbers } = withEachOnce(person, { phoneNumbers: given });
				const phones = numbers.map((number) => phoneOf(number)!);
				const abroad = phones.filter(({ prefix }) => prefix === 'international');
				const kept = (phoneNumbers as typeof given).map((entry) => phoneOf(entry.phoneNumber)!);
				for (const phone of phones) expect(kept.some((one) => isSamePhone(one, phone))).toBe(true);
				const different = new Set(abroad.map(({ digits, extension }) => `${digits} ${extension}`));
				expect(kept.length).toBeGreaterThanOrEqual(different.size);
			}),
			many,
		);
	});
});

describe('references', () => {
	// A list with null hides the tag of an entry, and the node then refuses to write it.
	const anyTagList = fc.constantFrom<(entry: unknown) => unknown>(
		(entry) => [entry],
		(entry) => ({ 3: entry }),
	);

	it('All comparisons agree that ID, IRI and object of one tag are equal', () => {
		fc.assert(
			fc.property(anyReference, anyTagList, ({ spellings: [one, other] }, asList) => {
				expect(disagreeing(saysOfTags(one, other, asList), true)).toEqual([]);
			}),
			many,
		);
	});

	it('All comparisons agree that references to two different tags differ', () => {
		fc.assert(
			fc.property(anyReference, anyReference, anyTagList, (one, other, asList) => {
				fc.pre(one.means !== other.means);
				const says = saysOfTags(one.spellings[0], other.spellings[0], asList);
				expect(disagreeing(says, false)).toEqual([]);
			}),
			many,
		);
	});

	it('An unusable tag ID equals neither itself nor an empty value, also in filters', () => {
		for (const nothing of [null, undefined, '', 'a b', {}, []]) {
			expect(meetsFilter({ tags: [nothing] }, filters.tagsId, ['a b'])).toBe(false);
			expect(isSameReference(nothing, 'a b', '/tags')).toBe(false);
		}
	});
});

describe('times', () => {
	it('Two spellings of a time are equal, even if the service cuts the milliseconds', () => {
		fc.assert(
			fc.property(anyTime, ({ means, spellings: [one, other] }) => {
				expect(disagreeing(saysOfTime(one, other), true)).toEqual([]);
				const cut = new Date(wholeSecond(Number(means))).toISOString().replace('.000Z', '+00:00');
				for (const shown of [one, cut]) {
					expect(disagreeing(saysOfTime(shown, other), true)).toEqual([]);
					const record = { createdAt: shown };
					for (const name of ['createdAtAfter', 'createdAtBefore']) {
						expect(meetsFilter(record, filters[name]!, [other])).toBe(true);
					}
				}
			}),
			many,
		);
	});

	it('All comparisons agree that two different times differ', () => {
		fc.assert(
			fc.property(anyTime, anyTime, (one, other) => {
				fc.pre(wholeSecond(Number(one.means)) !== wholeSecond(Number(other.means)));
				const says = saysOfTime(one.spellings[0], other.spellings[0]);
				expect(disagreeing(says, false)).toEqual([]);
			}),
			many,
		);
	});
});

describe('the search of a service that compares to the letter', () => {
	const scene = useScene();

	/** Creates or updates a person for each text, in one run. */
	const upsert = async (texts: readonly string[]) => {
		const parameters = { matchValue: '={{ $json.key }}', options: { matchBy: 'identifier' } };
		const input = texts.map((key) => ({ key }));
		const { error } = await scene.person('upsert', { ...parameters, familyName: 'Bos' }, { input });
		expect(error?.message).toBeUndefined();
		return scene.service.store.people.size;
	};
	const few = { numRuns: runsOf(48), seed };
	// The stand-in takes no other address.
	const anyFindable = fc.oneof(anyEmail, anyPhone).filter(({ means }) => !means.includes('ë'));

	// The node looks for the value as given, and for the spelling that a CRM most likely stores. It finds no other.
	itInCi.each(['exact', 'literal'] as const)(
		'With %s comparison in the service, lookups find the usual and the given spelling',
		async (comparison) => {
			await fc.assert(
				fc.asyncProperty(anyFindable, async ({ canonical, spellings }) => {
					for (const stored of [canonical, spellings[0]]) {
						scene.service.reset();
						scene.service.switches.comparison = comparison;
						const before = scene.service.store.people.size;
						expect(await upsert([stored])).toBe(before + 1);
						const found = stored === canonical ? spellings : [stored];
						expect(await upsert(found)).toBe(before + 1);
					}
				}),
				few,
			);
		},
		3_600_000,
	);

	it('Although the service compares exactly, a run with two spellings creates only one person', async () => {
		await fc.assert(
			fc.asyncProperty(anyFindable, async ({ spellings }) => {
				scene.service.reset();
				scene.service.switches.comparison = 'exact';
				const before = scene.service.store.people.size;
				expect(await upsert(spellings)).toBe(before + 1);
			}),
			few,
		);
	}, 3_600_000);
});
