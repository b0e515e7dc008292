import type { IDataObject } from 'n8n-workflow';
import { sampled } from '../support/drawn';
import { callsOf } from './support/calls';
import { locator } from './support/fields';
import { useScene } from './support/scene';
import { PEOPLE } from './support/seeded';
import { letWritesGrowOld } from './support/timeLapse';

const [{ id }] = PEOPLE;
const FEW = 60;
const MANY = 300;
/** Most calls for five times the entries. Quadratic work would take 25 times the calls. */
const MOST_TIMES = 7.5;

const email = (index: number) => `person${index}@mail.example`;
const number = (index: number) => `+31 6 ${String(10_000_000 + index * 97)}`;
const upTo = <T>(count: number, of: (index: number) => T) =>
	Array.from({ length: count }, (_, index) => of(index));

type List = 'emailAddresses' | 'phoneNumbers';

const LISTS: Record<List, { text: (index: number) => string; entry: (index: number) => object }> = {
	emailAddresses: { text: email, entry: (index: number) => ({ email: email(index) }) },
	phoneNumbers: {
		text: number,
		entry: (index: number) => ({ phoneNumber: number(index), phoneType: 'mobile' }),
	},
};

describe('a list of 300 entries', () => {
	const scene = useScene();
	const held = (list: List, count: number) =>
		scene.change('people', id, { [list]: upTo(count, LISTS[list].entry) });
	const cellOf = (list: List, count: number, separator = ', ') =>
		upTo(count, LISTS[list].text).join(separator);
	const columns = {
		inputMode: 'columns',
		columns: {
			mappingMode: 'autoMapInputData',
			value: null,
			matchingColumns: ['networkId'],
			schema: [],
		},
	};
	const upsert = async (list: List, value: unknown, options = {}) => {
		const input = [{ familyName: 'Jansen', networkId: 'eva-jansen', [list]: value } as IDataObject];
		return await scene.person('upsert', { ...columns, options }, { input });
	};
	const update = async (updateFields: object, options = {}) =>
		await scene.person('update', { personId: locator(id), updateFields, options });

	/** Each way of a write of a list. It returns the function to measure, after its preparation. */
	const WAYS: Record<string, (list: List, count: number) => () => Promise<{ error?: unknown }>> = {
		'Create from text': (list, count) => async () =>
			await scene.person('create', {
				familyName: 'Jansen',
				additionalFields: { [list]: cellOf(list, count) },
			}),
		'Create from lines of text': (list, count) => async () =>
			await scene.person('create', {
				familyName: 'Jansen',
				additionalFields: { [list]: cellOf(list, count, '\n') },
			}),
		'Create from JSON': (list, count) => async () =>
			await scene.person('create', {
				inputMode: 'json',
				jsonBody: JSON.stringify({ familyName: 'Jansen', [list]: upTo(count, LISTS[list].entry) }),
			}),
		'Create with each entry twice': (list, count) => async () =>
			await scene.person('create', {
				familyName: 'Jansen',
				additionalFields: { [list]: `${cellOf(list, count / 2)}, ${cellOf(list, count / 2)}` },
			}),
		'Preview of a Create': (list, count) => async () =>
			await scene.person('create', {
				familyName: 'Jansen',
				additionalFields: { [list]: cellOf(list, count) },
				options: { previewOnly: true },
			}),
		'Create or Update from a column': (list, count) => async () =>
			await upsert(list, cellOf(list, count)),
		'Create or Update of a person with the entries': (list, count) => {
			held(list, count);
			scene.change('people', id, { networkId: 'eva-jansen' });
			return async () => await upsert(list, `${cellOf(list, count)}, ${LISTS[list].text(count)}`);
		},
		'Preview of a Create or Update': (list, count) => {
			held(list, count);
			scene.change('people', id, { networkId: 'eva-jansen' });
			const more = upTo(count, (index) => LISTS[list].text(index + 1)).join(', ');
			return async () => await upsert(list, more, { previewOnly: true });
		},
		'Create or Update by the last entry': (list, count) => {
			held(list, count);
			const matchValue = LISTS[list].text(count - 1);
			const given = {
				matchValue,
				additionalFields: { jobTitle: 'Buyer', [list]: cellOf(list, count) },
			};
			return async () =>
				await scene.person('upsert', { ...given, options: { matchBy: 'identifier' } });
		},
		'Update from a column': (list, count) => {
			held(list, count);
			const input = [{ [list]: `${LISTS[list].text(count)}, ${cellOf(list, count)}` }];
			return async () =>
				await scene.person('update', { personId: locator(id), inputMode: 'columns' }, { input });
		},
		'Update that tells what changed': (list, count) => {
			held(list, count);
			const value = upTo(count, (index) => LISTS[list].text(index + count / 2)).join(', ');
			return async () => await update({ [list]: value }, { tellChanges: true });
		},
		'Preview of an Update': (list, count) => {
			held(list, count);
			const value = upTo(count, (index) => LISTS[list].text(count - index)).join(', ');
			return async () => await update({ [list]: value }, { previewOnly: true });
		},
		'Add to the list': (list, count) => {
			held(list, count);
			return async () =>
				list === 'emailAddresses'
					? await scene.person('addEmailAddress', { personId: locator(id), email: email(count) })
					: await scene.person('addPhoneNumber', {
							personId: locator(id),
							phoneNumber: number(count),
						});
		},
	};

	const cases = Object.entries(WAYS).flatMap(([way, prepare]) =>
		(Object.keys(LISTS) as List[]).map((list) => ({ way, list, prepare })),
	);

	/** Returns how many times the calls grow from few to many entries. The first work only loads the modules. */
	const growthOf = async (prepare: (count: number) => () => Promise<{ error?: unknown }>) => {
		const prepared = (count: number) => {
			scene.service.reset();
			const work = prepare(count);
			// Recent writes cost further reads.
			letWritesGrowOld();
			return async () => {
				const { error } = await work();
				expect(error).toBeUndefined();
			};
		};
		await prepared(FEW)();
		const few = await callsOf(prepared(FEW));
		const many = await callsOf(prepared(MANY));
		expect(few).toBeGreaterThan(FEW);
		return many / few;
	};

	it.each(sampled(cases))(
		'With five times the $list, $way takes at most 7.5 times the function calls',
		async ({ list, prepare }) => {
			expect(await growthOf((count) => prepare(list, count))).toBeLessThan(MOST_TIMES);
		},
	);

	const WRONG: Record<string, (index: number) => unknown> = {
		'phone numbers without quotes': (index) => 31_610_000_000 + index,
		'phone types with a capital letter': (index) => ({
			phoneNumber: number(index),
			phoneType: 'Mobile',
		}),
	};

	it.each(sampled(Object.entries(WRONG)))(
		'If Create corrects %s, fivefold entries take at most 7.5 times the calls',
		async (_, entryOf) => {
			const create = (count: number) => async () =>
				await scene.person('create', {
					familyName: 'Jansen',
					additionalFields: { phoneNumbers: upTo(count, entryOf) },
				});
			expect(await growthOf(create)).toBeLessThan(MOST_TIMES);
		},
	);
});
