import type { IDataObject } from 'n8n-workflow';
import { sampled } from '../support/drawn';
import { locator } from './support/fields';
import { excuse } from './support/recordExchanges';
import { useScene } from './support/scene';
import { PEOPLE } from './support/seeded';

const scene = useScene();
const [{ id }, { id: otherId }] = PEOPLE;
const personId = locator(id);
const person = () => scene.service.store.people.get(id)! as unknown as IDataObject;

/** A number that the service holds, and that the node refuses as a new one. */
const NUMBER = '06-12345678 (vrouw)';
const HELD = {
	emailAddresses: [{ email: 'eva@bos.example' }],
	phoneNumbers: [
		{ phoneNumber: NUMBER, phoneType: 'home' },
		{ phoneNumber: '020 1234567', phoneType: 'work' },
	],
};
/** The same for an address and a type. The stand-in refuses them in a body. */
const ODD = {
	emailAddresses: [{ email: 'eva@bos.example' }, { email: 'eva@@bos.example' }],
	phoneNumbers: [{ phoneNumber: '020 1234567', phoneType: 'pager' }],
};
const NEW = { phoneNumber: '030 7654321', phoneType: 'work' };
const email = 'eva@bos.example';
const LISTS = Object.keys(HELD);
const hold = () => scene.change('people', id, structuredClone(HELD));
const CONTINUE = { onError: 'continueRegularOutput' } as const;

/** Ways to give whole lists to the person, each as operation and parameters. */
const WAYS: Array<[string, string, (lists: object) => object]> = [
	['Update Fields', 'update', (updateFields) => ({ personId, updateFields })],
	[
		'Update Fields, by e-mail address',
		'update',
		(updateFields) => ({ personId: locator(email), updateFields }),
	],
	[
		'Update Fields, with Tell What Changed',
		'update',
		(updateFields) => ({ personId, updateFields, options: { tellChanges: true } }),
	],
	[
		'JSON Body',
		'update',
		(lists) => ({ personId, inputMode: 'json', jsonBody: JSON.stringify(lists) }),
	],
	[
		'columns that replace lists',
		'update',
		(value) => ({
			...{ personId, inputMode: 'columns', options: { replaceLists: LISTS } },
			columns: { mappingMode: 'defineBelow', value, matchingColumns: [], schema: [] },
		}),
	],
	[
		'columns',
		'update',
		(value) => ({
			...{ personId, inputMode: 'columns' },
			columns: { mappingMode: 'defineBelow', value, matchingColumns: [], schema: [] },
		}),
	],
	[
		'Create or Update that replaces lists',
		'upsert',
		(additionalFields) => ({
			...{ email, familyName: 'Bos', additionalFields },
			options: { replaceLists: LISTS },
		}),
	],
	[
		'Create or Update, one by one',
		'upsert',
		(additionalFields) => ({
			...{ email, familyName: 'Bos', additionalFields },
			options: { replaceLists: LISTS, lookUp: 'each' },
		}),
	],
	[
		'Create or Update',
		'upsert',
		(additionalFields) => ({ email, familyName: 'Bos', additionalFields }),
	],
	['Replace', 'replace', (additionalFields) => ({ personId, familyName: 'Bos', additionalFields })],
];
const REPLACING = WAYS.filter(([way]) => !['columns', 'Create or Update'].includes(way));

const preview = (parameters: object) => {
	const { options = {} } = parameters as { options?: object };
	return { ...parameters, options: { ...options, previewOnly: true } };
};

describe('unusable entries that the CRM already has', () => {
	it.each(sampled(WAYS, 5))(
		'A write keeps unusable entries that the person already has: %s',
		async (_, operation, parametersOf) => {
			const lists = { ...HELD, phoneNumbers: [...HELD.phoneNumbers, NEW] };
			for (const setup of [{}, CONTINUE]) {
				hold();
				const parameters = parametersOf(lists);
				const foretold = await scene.person(operation, preview(parameters), setup);
				expect(foretold.items[0].json).toMatchObject({ preview: 'update' });
				const { items, error } = await scene.person(operation, parameters, setup);
				expect(error?.message ?? items[0].json.error).toBeUndefined();
				expect(person()).toMatchObject(lists);
			}
		},
	);

	it.each(sampled(WAYS, 5))(
		'A write leaves unusable addresses and phone types of the CRM unchanged: %s',
		async (_, operation, parametersOf) => {
			excuse('requests', 'the CRM holds values that the interface does not allow');
			excuse('answers', 'the CRM holds values that the interface does not allow');
			scene.change('people', id, structuredClone(ODD));
			const [, odd] = ODD.emailAddresses;
			const lists = {
				emailAddresses: [{ email: ` ${odd.email.toUpperCase()}` }, ...HELD.emailAddresses],
				phoneNumbers: [...ODD.phoneNumbers, NEW],
			};
			await scene.person(operation, parametersOf(lists), CONTINUE);
			const [{ body }] = scene.writes() as unknown as [{ body: typeof ODD }];
			expect(body.phoneNumbers).toEqual(lists.phoneNumbers);
			const addresses = body.emailAddresses ?? ODD.emailAddresses;
			expect(addresses.map((one) => one.email).sort()).toEqual(['eva@@bos.example', email]);
		},
	);

	const REFUSED: Array<[string, object, RegExp]> = [
		[
			'a number of another person',
			{ phoneNumbers: [...HELD.phoneNumbers, { phoneNumber: '06-1234567x', phoneType: 'home' }] },
			/Phone Number.*expected a phone number such as .*, got "06-1234567x"$/,
		],
		[
			'a new address',
			{ emailAddresses: [...HELD.emailAddresses, { email: 'bos' }] },
			/Email.*expected an e-mail address such as name@example.com, got "bos"$/,
		],
		[
			'a type that another number has',
			{ phoneNumbers: [{ phoneNumber: NUMBER, phoneType: 'pager' }] },
			/Phone Type: expected one of fax, mobile, home and work, got "pager"$/,
		],
	];
	it.each(
		sampled(
			WAYS.flatMap(([way, ...rest]) => REFUSED.map((one) => [way, ...one, ...rest] as const)),
			6,
		),
	)(
		'The node refuses a new unusable entry before any write: %s, %s',
		async (_, __, lists, message, operation, parametersOf) => {
			scene.change('people', otherId, {
				phoneNumbers: [{ phoneNumber: '06-1234567x', phoneType: 'pager' }],
			});
			hold();
			const parameters = parametersOf(lists);
			const foretold = await scene.person(operation, preview(parameters));
			expect(foretold.items[0].json.reason).toMatch(message);
			const { error } = await scene.person(operation, parameters);
			expect(error?.message).toMatch(message);
			expect(scene.writes()).toEqual([]);
		},
	);

	it.each(REPLACING.filter(([way]) => way !== 'Replace'))(
		'If On Error continues, the node omits only new unusable phone numbers: %s',
		async (_, operation, parametersOf) => {
			hold();
			const phoneNumbers = [...HELD.phoneNumbers, { ...NEW, phoneNumber: 'call only' }, NEW];
			const { items } = await scene.person(operation, parametersOf({ phoneNumbers }), CONTINUE);
			expect(items[0].json).toMatchObject({
				result: 'updated',
				note: '"call only" is no phone number and is left out',
			});
			expect(person().phoneNumbers).toEqual([...HELD.phoneNumbers, NEW]);
		},
	);

	it('If one row has an unusable new entry, an update writes no row', async () => {
		hold();
		const input = [{ email: 'a@bos.example' }, { email: 'bos' }, { email: 'b@bos.example' }];
		const updateFields = { emailAddresses: ['={{ $json.email }}'] };
		const { error } = await scene.person('update', { personId, updateFields }, { input });
		expect(error?.message).toMatch(/got "bos" \[row 2: bos\] \(0 of 3 items done, 2 not sent\)$/);
		expect(scene.sent()).toMatchObject([{ method: 'GET', path: `/people/${id}` }]);
	});

	it('An update reads the person first only for unusable entries', async () => {
		for (const [phoneNumbers, requests] of [
			[[NEW], 1],
			[HELD.phoneNumbers, 2],
		] as const) {
			hold();
			scene.clear();
			await scene.person('update', { personId, updateFields: { phoneNumbers } });
			expect(scene.requests()).toHaveLength(requests);
		}
	});

	it('If On Error continues, Update from columns reads once despite an unusable phone number', async () => {
		hold();
		const value = { phoneNumbers: [NEW, { ...NEW, phoneNumber: 'call only' }] };
		const columns = { mappingMode: 'defineBelow', value, matchingColumns: [], schema: [] };
		await scene.person('update', { personId, inputMode: 'columns', columns }, CONTINUE);
		expect(scene.sent().map(({ method }) => method)).toEqual(['GET', 'PATCH']);
	});

	it('Create or Update checks unusable entries of eight rows with under six reads', async () => {
		hold();
		const addresses = PEOPLE.slice(1, 9).map(
			(one) => (one.emailAddresses as Array<{ email: string }>)[0].email,
		);
		const input = addresses.map((one) => ({ email: one }));
		const parameters = {
			...{ email: '={{ $json.email }}', familyName: 'Bos' },
			additionalFields: { phoneNumbers: [{ phoneNumber: 'n/a', phoneType: 'home' }] },
			options: { replaceLists: LISTS },
		};
		await scene.person('upsert', parameters, { input, ...CONTINUE });
		expect(scene.requests().filter(({ method }) => method === 'GET').length).toBeLessThan(6);
	});

	it('Create refuses an unusable entry before any request, even if a person has it', async () => {
		hold();
		const additionalFields = { phoneNumbers: HELD.phoneNumbers };
		const { error } = await scene.person('create', { familyName: 'Bos', additionalFields });
		expect(error?.message).toMatch(
			/expected a phone number such as .*, got "06-12345678 \(vrouw\)"$/,
		);
		expect(scene.requests()).toEqual([]);
	});
});
