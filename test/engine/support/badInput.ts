import { items as itemsOf, useScene } from './scene';

/** A parameter that takes the value of its item, a value that is right, and values that are not. */
export interface BadInput {
	parameter: string;
	parameters: Record<string, unknown>;
	right: unknown;
	/** What is said of each value that is wrong. */
	wrong: ReadonlyArray<readonly [value: unknown, message: string]>;
}

/** Where a parameter takes the value of its item. */
export const VALUE = '={{ $json.value }}';

/**
 * Tests that a wrong value in the second of three items is named, with its item, before anything
 * is sent for it, and that the other items are done where the run goes on.
 */
export function describeBadInput({ parameter, parameters, right, wrong }: BadInput): void {
	describe(`${parameter} of the second of three items`, () => {
		const scene = useScene();
		const input = (value: unknown) =>
			itemsOf(3, (index) => ({ value: (index === 1 ? value : right) as never }));

		it.each(wrong)('is refused as %j before anything is sent', async (value, message) => {
			const { error, items } = await scene.run({ parameters, input: input(value) });
			expect(error).toMatchObject({
				name: 'NodeApiError',
				message: `${message} (0 of 3 items done, 2 not sent)`,
				context: { itemIndex: 1 },
			});
			expect(error?.description).toMatch(/^\w.*\w/);
			expect(items).toEqual([]);
			expect(scene.requests()).toEqual([]);
		});

		it.each(wrong)(
			'as %j goes to the error output, and the others are done',
			async (value, message) => {
				const { error, items, errorItems } = await scene.run({
					parameters,
					input: input(value),
					onError: 'continueErrorOutput',
				});
				expect(error).toBeUndefined();
				expect(errorItems).toMatchObject([
					{
						json: {
							...(value === undefined ? {} : { value }),
							error: message,
							details: { howToGoOn: expect.stringMatching(/^\w.*\w/) },
						},
						pairedItem: { item: 1 },
					},
				]);
				// A list may be empty, and an update of nothing sends nothing.
				expect(items.length + scene.requests().length).toBeGreaterThan(0);
				for (const { pairedItem } of items) {
					expect([{ item: 0 }, { item: 2 }]).toContainEqual(pairedItem);
				}
			},
		);

		it('stays in its place on the regular output', async () => {
			const [[value, message]] = wrong;
			const { items } = await scene.run({
				parameters,
				input: input(value),
				onError: 'continueRegularOutput',
			});
			expect(items).toContainEqual(
				expect.objectContaining({
					json: { error: message, details: expect.anything() },
					pairedItem: { item: 1 },
				}),
			);
		});
	});
}
