import { sortedBy } from '../../../nodes/ContactTaskCrm/ui/parameters';

const sorted = (texts: string[]) => sortedBy(texts, (text) => text);

describe('a list in the order of a text', () => {
	it('takes small and capital letters for the same', () => {
		expect(sorted(['Zip', 'add to list', 'Add Tags', 'zone'])).toEqual([
			'Add Tags',
			'add to list',
			'Zip',
			'zone',
		]);
	});

	it('keeps the order of what has the same text, and the list that was given', () => {
		const given = [
			{ name: 'b', place: 1 },
			{ name: 'A', place: 2 },
			{ name: 'a', place: 3 },
		];
		expect(sortedBy(given, ({ name }) => name).map(({ place }) => place)).toEqual([2, 3, 1]);
		expect(given.map(({ place }) => place)).toEqual([1, 2, 3]);
	});
});
