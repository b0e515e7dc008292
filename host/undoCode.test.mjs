// Tests the writes of the example that undoes a run, without n8n: run with `npm run test:host`.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { undoOf } from './undoCode.mjs';

const ID = 'one';

/** Returns a list of e-mail addresses, each from a letter. A capital letter stands for the address in capitals. */
const listOf = (letters) =>
	[...letters].map((letter) => ({
		email: letter === letter.toLowerCase() ? `${letter}@mail.example` : `${letter}@MAIL.EXAMPLE`,
	}));

const lettersOf = (list) => list.map(({ email }) => email[0]).join('');

/** Returns the reported change of a list. It has the whole list if the entries alone do not show the order. */
function changeOf(from, to) {
	const [added, removed] = [
		[...to].filter((one) => !from.includes(one)),
		[...from].filter((one) => !to.includes(one)),
	];
	const undone = [...to].filter((one) => !added.includes(one)).concat(removed);
	const whole = undone.join('') === from ? {} : { from: listOf(from), to: listOf(to) };
	return { added: listOf(added), removed: listOf(removed), ...whole };
}

/** Returns a list in the form of an answer, with an `@id` that each answer invents anew. */
const shown = (list) =>
	list.map((entry) => ({ '@id': `/.well-known/genid/${crypto.randomUUID()}`, ...entry }));

const rowOf = (changes) => ({ id: ID, result: 'updated', changes });

/** Undoes the changes of one person, from the person's present fields. */
function undo(changes, now) {
	const [undone] = undoOf(changes.map(rowOf), [{ id: ID, familyName: 'Vos', ...now }]);
	return undone;
}

/** The states of a list before and after each row of a run, the present list, and the list after the undo. */
for (const [what, states, now, expected] of [
	['is removed from the front', ['abc', 'bc'], 'bc', 'abc'],
	['is removed from the middle', ['abc', 'ac'], 'ac', 'abc'],
	['is removed from the end', ['abc', 'ab'], 'ab', 'abc'],
	['is added', ['ab', 'abc'], 'abc', 'ab'],
	['is added at the front', ['ab', 'cab'], 'cab', 'ab'],
	['takes the place of another', ['abc', 'adc'], 'adc', 'abc'],
	['takes the place of all', ['abc', 'd'], 'd', 'abc'],
	['is moved', ['abc', 'bca'], 'bca', 'abc'],
	['is written in capitals', ['abc', 'aBc'], 'aBc', 'abc'],
	['loses its capitals', ['Abc', 'abc'], 'abc', 'Abc'],
	['is removed beside its double', ['aAb', 'ab'], 'ab', 'aAb'],
	['is removed, as are others', ['abcd', 'bd'], 'bd', 'abcd'],
	['is removed by several rows from the end', ['abc', 'ab', 'a'], 'a', 'abc'],
	['is removed by several rows from the front', ['abcd', 'bcd', 'cd'], 'cd', 'abcd'],
	['is added by one row and moved by another', ['ab', 'abc', 'cba'], 'cba', 'ab'],
	['is removed by one row and added by another', ['ab', 'a', 'ba'], 'ba', 'ab'],
	['is removed from the middle, and another from the end', ['abcd', 'acd', 'ac'], 'ac', 'abcd'],
	['is removed from the end, and another from the front', ['abcd', 'abc', 'bc'], 'bc', 'abcd'],
	['is removed beside one that others write in capitals', ['abc', 'bc'], 'Bc', 'aBc'],
	['is added, and others write it in capitals', ['ab', 'abc'], 'abC', 'ab'],
	['is moved beside one that others write in capitals', ['abc', 'bca'], 'bcA', 'Abc'],
	['is removed before others add one to the end', ['abc', 'bc'], 'bcd', 'abcd'],
	['is removed before others add one to the middle', ['abc', 'bc'], 'bdc', 'abcd'],
	['is removed beside one that others remove', ['abcd', 'bcd'], 'bd', 'abd'],
	['is added before others add one', ['ab', 'abc'], 'abcd', 'abd'],
	['is moved before others add one', ['abc', 'cba'], 'cbad', 'abcd'],
]) {
	test(`The undo code sets a list back if an entry ${what}`, () => {
		const changes = states
			.slice(1)
			.map((state, index) => ({ emailAddresses: changeOf(states[index], state) }));
		const { body, why } = undo(changes, { emailAddresses: shown(listOf(now)) });
		assert.equal(why, undefined);
		assert.equal(lettersOf(body.emailAddresses), expected);
		assert.ok(body.emailAddresses.every((entry) => !('@id' in entry)));
	});
}

/** Later changes of the list by others, and the expected messages. */
for (const [what, states, now, expected] of [
	['holds again what was removed', ['abc', 'bc'], 'bca', /holds .*a@mail.* again/],
	['holds again in capitals what was removed', ['abc', 'bc'], 'bcA', /holds .*a@mail.* again/],
	[
		'holds again in capitals what was removed from the end',
		['ab', 'a'],
		'aB',
		/holds .*b@mail.* again/,
	],
	['does not hold what was added', ['ab', 'abc'], 'ab', /does not hold .*c@mail.* any more/],
	['has another order', ['abcd', 'bcd'], 'dcb', /another order/],
	['has the order from before the run', ['abc', 'cba'], 'abc', /another order/],
	['is as it was before a row added and another removed', ['ab', 'abc', 'ab'], 'ab', /as it was/],
]) {
	test(`The undo code leaves a list alone that ${what}`, () => {
		const changes = states
			.slice(1)
			.map((state, index) => ({ emailAddresses: changeOf(states[index], state) }));
		const { undo: done, body, why } = undo(changes, { emailAddresses: shown(listOf(now)) });
		assert.deepEqual([done, body], ['nothing', undefined]);
		assert.match(why, expected);
	});
}

describe('what the run did with a person', () => {
	test('The undo code reads changes from a table, where an object is text', () => {
		const rows = [
			{ ...rowOf({}), changes: JSON.stringify({ emailAddresses: changeOf('abc', 'bc') }) },
		];
		const [{ body }] = undoOf(rows, [{ id: ID, emailAddresses: shown(listOf('bc')) }]);
		assert.deepEqual(body, { emailAddresses: listOf('abc') });
	});

	test('The undo code undoes several rows about one person together', () => {
		const rows = [
			{
				jobTitle: { from: 'Cook', to: 'Buyer' },
				address: { from: { city: 'Delft' }, to: { city: 'Gouda' } },
			},
			{
				jobTitle: { from: 'Buyer', to: 'Chef' },
				address: { from: { street: null }, to: { street: 'Ham' } },
			},
		];
		const now = { jobTitle: 'Chef', address: { city: 'Gouda', street: 'Ham', country: 'NL' } };
		const { body } = undo(rows, now);
		assert.deepEqual(body, { jobTitle: 'Cook', address: { city: 'Delft', street: null } });
	});

	test('The undo code undoes only the fields that differ from before', () => {
		const rows = [
			{ jobTitle: { from: 'Cook', to: 'Buyer' }, tags: { added: ['/tags/a'], removed: [] } },
			{ tags: { added: [], removed: ['/tags/a'] } },
		];
		const { body } = undo(rows, { jobTitle: 'Buyer', tags: ['/tags/b'] });
		assert.deepEqual(body, { jobTitle: 'Cook' });
	});

	test('The undo code leaves a person alone if it cannot tell the changes', () => {
		const { why } = undo([{ tags: { to: ['/tags/a'] } }], { tags: ['/tags/a'] });
		assert.match(why, /could not tell/);
	});

	test('The undo code archives a person whom the run created, whatever the run changed afterwards', () => {
		const updatedAt = '2026-03-01T09:00:00Z';
		const changes = { jobTitle: { from: null, to: 'Cook' }, emailAddresses: changeOf('', 'a') };
		const rows = [
			{ id: ID, result: 'created', changes, updatedAt, jobTitle: 'Cook' },
			{ ...rowOf({ jobTitle: { from: 'Cook', to: 'Chef' } }), updatedAt, jobTitle: 'Chef' },
		];
		const now = {
			id: ID,
			updatedAt: '2026-03-01T10:00:00+01:00',
			emailAddresses: shown(listOf('a')),
		};
		const [undone] = undoOf(rows, [{ ...now, jobTitle: 'Chef' }]);
		assert.deepEqual(Object.keys(undone.body), ['archivedAt']);
		const [changed] = undoOf(rows, [{ ...now, jobTitle: 'Owner' }]);
		assert.match(changed.why, /jobTitle is "Owner" by now/);
	});

	test('The undo code does nothing if the run changed nothing', () => {
		assert.deepEqual(undoOf([{ id: ID, result: 'unchanged', changes: {} }], []), []);
	});
});

const number = (phoneNumber, phoneType) => ({ phoneNumber, phoneType });

for (const [what, change, now, expected] of [
	[
		'gets back the type that it had',
		{ added: [number('+31612345678', 'work')], removed: [number('+31612345678', 'home')] },
		[number('+31 6 12345678', 'work')],
		[number('+31612345678', 'home')],
	],
	[
		'returns beside the same one of another type',
		{
			...{ added: [], removed: [number('0612345678', 'home')] },
			from: [number('0612345678', 'home'), number('0612345678', 'work')],
			to: [number('0612345678', 'work')],
		},
		[number('0612345678', 'work')],
		[number('0612345678', 'home'), number('0612345678', 'work')],
	],
	[
		'returns before a number whose type others changed',
		{
			...{ added: [], removed: [number('0612345678', 'home')] },
			from: [number('0612345678', 'home'), number('0687654321', 'home')],
			to: [number('0687654321', 'home')],
		},
		[number('06-87654321', 'work')],
		[number('0612345678', 'home'), number('06-87654321', 'work')],
	],
]) {
	test(`The undo code restores a phone number: a number ${what}`, () => {
		const { body } = undo([{ phoneNumbers: change }], { phoneNumbers: shown(now) });
		assert.deepEqual(body.phoneNumbers, expected);
	});
}

test('The undo code restores tags and removes those of the run, whatever form an answer has', () => {
	const tags = { added: ['/tags/a'], removed: ['/tags/b'] };
	const now = ['a', 'c'].map((id) => ({ '@id': `/tags/${id}`, name: id }));
	assert.deepEqual(undo([{ tags }], { tags: now }).body, { tags: ['/tags/c', '/tags/b'] });
	assert.match(undo([{ tags }], { tags: ['/tags/a', '/tags/b'] }).why, /holds "\/tags\/b" again/);
});
