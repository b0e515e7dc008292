/* eslint-disable @n8n/community-nodes/no-restricted-globals -- reads the number of the cases from the environment */

/** Whether continuous integration runs the tests. GitHub and other services set CI. */
export const isCi = Boolean(process.env.CI);

/**
 * Returns the number of random cases of a test: `RUNS`, or else the usual number in CI and a twentieth of it elsewhere,
 * so that `npm test` takes a developer less time.
 */
export function runsOf(usual: number): number {
	return Number(process.env.RUNS ?? (isCi ? usual : Math.ceil(usual / 20)));
}

/** In CI, returns all cases of a table. Elsewhere, returns only every sixth case (`step`), to take less time. */
export function sampled<T>(cases: readonly T[], step = 6): T[] {
	return cases.filter((_, index) => isCi || index % step === 0);
}

/**
 * `it` for a test of more than about 150 ms whose suite has quicker ones. The test runs only in CI. Elsewhere, Jest lists
 * it as skipped.
 */
export const itInCi: jest.It = isCi ? it : it.skip;
