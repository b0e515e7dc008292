import { escapeRegExp } from 'lodash';
import { sampled } from '../../support/drawn';
import { items as itemsOf, useScene } from './scene';

/** A parameter that takes the value of its item, a right value, and wrong values with their messages. */
export type BadInput = readonly [
	parameter: string,
	parameters: Record<string, unknown>,
	right: unknown,
	wrong: ReadonlyArray<readonly [value: unknown, message: string]>,
];

const long = 'x'.repeat(5_000);
/** Long values. At least one of them is wrong for any parameter. */
const LONG = [long, `/${long}`, `${long}@x.example`, [long], { dealSize: long }];

/** Expression for the value of the item. */
export const VALUE = '={{ $json.value }}';

/**
 * Tests a wrong value in the second of three items. The error must name the parameter and the item, and the node must
 * send nothing before it. If the run continues on errors, the other items must succeed.
 */
export function describeBadInput(title: string, table: readonly BadInput[]): void {
	describe(title, () => {
		const scene = useScene();
		const inputOf = (values: unknown[]) =>
			itemsOf(values.length, (index) => ({ value: values[index] as never }));
		const each = table.flatMap(([parameter, parameters, right, wrong]) =>
			wrong.map(([value, message]) => [parameter, value, message, parameters, right] as const),
		);

		// Outside CI, a sample suffices, because the last test tries every value.
		it.each(sampled(each, 60))(
			'If the value of %s is %j, the node fails and sends nothing',
			async (_parameter, value, message, parameters, right) => {
				const input = inputOf([right, value, right]);
				const { error, items } = await scene.run({ parameters, input });
				expect(error).toMatchObject({
					name: 'NodeApiError',
					message: expect.stringMatching(
						new RegExp(
							`^${escapeRegExp(message)} \\[row 2(: [^]+)?\\] \\(0 of 3 items done, 2 not sent\\)$`,
						),
					) as string,
				});
				expect(error?.description).toMatch(/^\w.*\w/);
				expect(items).toEqual([]);
				expect(scene.requests()).toEqual([]);
			},
		);

		it.each(sampled(table, 18))(
			'An error about %s shows at most 100 characters of the bad value',
			async (_parameter, parameters) => {
				const input = inputOf(LONG);
				const { errorItems } = await scene.run({
					parameters,
					input,
					onError: 'continueErrorOutput',
				});
				expect(errorItems.length).toBeGreaterThan(0);
				for (const { json } of errorItems) {
					expect(JSON.stringify({ ...json, value: undefined })).not.toMatch(/x{101}/);
				}
			},
		);

		it.each(sampled(table, 10))(
			'If On Error continues, a bad value of %s fails only its own item',
			async (_parameter, parameters, right, wrong) => {
				const input = inputOf([right, ...wrong.map(([value]) => value), right]);
				const apart = await scene.run({ parameters, input, onError: 'continueErrorOutput' });
				expect(apart.error).toBeUndefined();
				const details = { howToGoOn: expect.stringMatching(/^\w.*\w/) };
				expect(apart.errorItems).toMatchObject(
					wrong.map(([value, error], index) => ({
						json: { ...(value === undefined ? {} : { value }), error, details },
						pairedItem: { item: index + 1 },
					})),
				);
				// The good items ran: they gave output or sent requests. An empty list gives no output, and an update without
				// changes sends nothing.
				expect(apart.items.length + scene.requests().length).toBeGreaterThan(0);
				const last = wrong.length + 1;
				for (const { pairedItem } of apart.items) {
					expect([{ item: 0 }, { item: last }]).toContainEqual(pairedItem);
				}
				const together = await scene.run({ parameters, input, onError: 'continueRegularOutput' });
				expect(together.items.filter(({ json }) => json.error !== undefined)).toEqual(
					wrong.map(([, error], index) =>
						expect.objectContaining({
							json: expect.objectContaining({ error, details: expect.anything() }),
							pairedItem: { item: index + 1 },
						}),
					),
				);
			},
		);
	});
}
