import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { corrected } from '../../../nodes/ContactTaskCrm/input/corrected';
import type { Item } from '../../../nodes/ContactTaskCrm/run/item';
import { Mistakes, type UnusableParameter } from '../../../nodes/ContactTaskCrm/util/errors';
import type { BodySpecification } from '../../../nodes/ContactTaskCrm/input/specification';
import { dateTime } from '../../../nodes/ContactTaskCrm/schema/formats';
import { numberOf } from '../../../nodes/ContactTaskCrm/values/number';

/** Corrects a value that the schema of its field refuses. */
async function correct(field: z.ZodType, given: unknown): Promise<IDataObject> {
	const own: Pick<BodySpecification, 'fields' | 'schema'> = {
		fields: {},
		schema: () => z.object({ field }),
	};
	const context = { getTimezone: () => 'Europe/Amsterdam' };
	const run = { isTool: false };
	const item = { context, run, isJson: false, labelAt: () => 'Field' } as unknown as Item;
	const mistakes = new Mistakes();
	const body = { field: given } as IDataObject;
	const right = await corrected(item, body, own as BodySpecification, { mistakes });
	mistakes.throwAny();
	return right;
}

/** Returns what the node tries for a value that its field refuses. */
async function replacements(given: unknown): Promise<unknown[]> {
	const tried: unknown[] = [];
	const field = z.unknown().refine((value) => tried.push(value) < 0);
	await expect(correct(field, given)).rejects.toThrow(/^Field: /);
	return tried.slice(1);
}

describe('a refused value', () => {
	it.each<[string, unknown, unknown[]]>([
		['a number', 42, ['42']],
		['one', 1, ['1', true]],
		['zero', 0, ['0', false]],
		['a number that may have lost digits', 2 ** 60, []],
		['infinity', Infinity, []],
		['a yes or no', false, ['false']],
		['text of a number', ' 42.5 ', ['42.5', 42.5]],
		['text of a negative number', '-3', ['-3', -3]],
		['text of true', 'true', ['true', true]],
		['text of false', 'false ', ['false', false]],
		['other text of a yes or no', 'yes', ['yes']],
		['text', ' van Jansen ', ['van Jansen']],
		['a choice', ' Mobile ', ['Mobile', 'mobile']],
		['text of infinity', 'Infinity', ['Infinity', 'infinity']],
		['a local time', '2026-07-01T10:00:00', ['2026-07-01T10:00:00', '2026-07-01T10:00:00+02:00']],
		['JSON of a list', '[{"email": "a@b.nl"}]', ['[{"email": "a@b.nl"}]', [{ email: 'a@b.nl' }]]],
		['JSON of an object', '{"city": "Ede"}', ['{"city": "Ede"}', { city: 'Ede' }]],
		['broken JSON', '[1, 2', ['[1, 2']],
		['a list', ['x'], []],
		['an object', { city: 'Ede' }, []],
		['nothing', undefined, []],
		['null', null, []],
	])(
		'For a refused value, the node tries what the user may have meant: %s',
		async (_, value, meant) => {
			expect(await replacements(value)).toEqual(meant);
		},
	);

	it('If a field refuses a Date or DateTime, the node tries its ISO text', async () => {
		const time = DateTime.fromISO('2026-07-01T10:00:00', { zone: 'Asia/Tokyo' });
		expect(await replacements(time)).toEqual(['2026-07-01T10:00:00.000+09:00']);
		expect(await replacements(new Date(0))).toEqual(['1970-01-01T01:00:00.000+01:00']);
		expect(await replacements(new Date(NaN))).toEqual([]);
	});
});

describe('the advice for a refused value', () => {
	const adviceFor = async (schema: z.ZodType, given: unknown): Promise<string> => {
		try {
			await correct(schema, given);
		} catch (error) {
			return (error as UnusableParameter).advice;
		}
		throw new Error('The schema accepts the value');
	};

	it('Only the advice for an unreadable time shows an expression that parses dates', async () => {
		const EXPRESSION = /\{\{ DateTime\.fromFormat\(/;
		expect(await adviceFor(dateTime, '1/2/2026')).toMatch(EXPRESSION);
		expect(await adviceFor(z.boolean(), 'perhaps')).toMatch(/^Correct the value(?!.*fromFormat)/);
	});
});

describe('the number that a text holds', () => {
	it.each([
		['42', 42],
		[' -2.50 ', -2.5],
		['1000.000', 1000],
		['1.5', 1.5],
	])('The node reads the text %j as the number %d', (text, number) => {
		expect(numberOf(text)).toBe(number);
	});

	it.each([
		'0x10',
		'0b1',
		'1.000',
		'12.345.678',
		'-1.000',
		'',
		' ',
		'1,5',
		'9007199254740993',
		'NaN',
		'Infinity',
	])('The node reads no number from the ambiguous or inexact text %j', (text) => {
		expect(numberOf(text)).toBeUndefined();
	});
});
